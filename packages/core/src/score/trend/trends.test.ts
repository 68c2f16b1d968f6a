import { describe, expect, it } from 'vitest';
import { ruleThat, runOn } from '../history/runs.test-support.js';
import { trendsOf } from './index.js';

const query = { alpha: 0.05, like_for_like: false };

/** A run every third day; `failing` says how many of the rules of CS fail. */
const runs = (failing: readonly number[]) => failing.map((count, index) => runOn(index * 3, [...medium(20, count), ruleThat('SP-001', 0)]));

const medium = (count: number, failing: number) =>
  Array.from({ length: count }, (_, index) => ruleThat(`CS-${String(index + 1).padStart(3, '0')}`, index < failing ? 1 : 0, 'MEDIUM'));

describe('the trend of scores', () => {
  it('is worsening where ever more fails, and names the rule that did it', () => {
    const { overall, categories } = trendsOf(runs([0, 2, 1, 3, 2, 5, 4, 7, 6, 9, 8, 11]), query);
    expect(overall).toMatchObject({ n: 12, verdict: 'worsening', best: 100 });
    expect(overall.reasons.map(({ rule_id }) => rule_id)).toEqual(['CS-004', 'CS-005', 'CS-006', 'CS-003', 'CS-007']);
    expect(overall.slope_per_30_days).toBeLessThan(-0.5);
    expect(overall.reasons[0]?.demerit_change).toBeGreaterThan(0);
    expect(Object.keys(categories)).toEqual(['CS', 'SP']);
    expect(categories.SP).toMatchObject({ verdict: 'no-trend', slope_per_30_days: 0, current: 100, reasons: [] });
    const { value = 0, low = 0, high = 0 } = overall.projected_30_days ?? {};
    expect(low).toBeLessThanOrEqual(value);
    expect(value).toBeLessThanOrEqual(high);
  });

  it('is improving the other way round, and never leads beyond 100', () => {
    const { overall } = trendsOf(runs([11, 8, 9, 6, 7, 4, 5, 2, 3, 1, 2, 0]), query);
    expect(overall.verdict).toBe('improving');
    expect(overall.projected_30_days?.high).toBeLessThanOrEqual(100);
  });

  it('finds the jump', () => {
    const { overall } = trendsOf(runs([8, 8, 8, 8, 8, 8, 8, 0, 0, 0, 0, 0, 0, 0]), query);
    expect(overall.change_point).toMatchObject({ at: runOn(21, []).recordedAt, after: 100 });
  });

  it('has too little data for fewer than six points, and says so without a number', () => {
    const { overall } = trendsOf(runs([0, 1, 2, 3, 4]), query);
    expect(overall).toMatchObject({ n: 5, verdict: 'insufficient-data', p_value: null, projected_30_days: null });
    expect(trendsOf([], query).overall).toMatchObject({ n: 0, verdict: 'insufficient-data', current: null });
  });

  it('leaves out runs without a score, and categories that were not asked for', () => {
    const some = runs([0, 1, 2, 3, 4, 5, 6]).map((run, index) => (index === 3 ? { ...run, resources: 1 } : run));
    const { overall, categories } = trendsOf(some, { ...query, categories: ['cs'] });
    expect(overall.n).toBe(6);
    expect(Object.keys(categories)).toEqual(['CS']);
  });

  it('calls no trend what is too slow to notice, however certain', () => {
    const slow = [0, 2, 1, 3, 2, 5, 4, 7, 6, 9, 8, 11].map((count, index) => runOn(index * 90, medium(20, count)));
    const { overall } = trendsOf(slow, query);
    expect(overall.p_adjusted).toBeLessThan(0.05);
    expect(overall.slope_per_30_days).toBeLessThan(0);
    expect(overall.verdict).toBe('no-trend');
  });

  it('does not take a larger catalogue for a decline', () => {
    const grown = [0, 2, 1, 3, 2, 5, 4, 7, 6, 9, 8, 11].map((count, index) => runOn(index * 3, medium(1 + count, 1 + count)));
    expect(trendsOf(grown, query).overall.verdict).toBe('worsening');
    expect(trendsOf(grown, { ...query, like_for_like: true }).overall.verdict).toBe('no-trend');
  });
});
