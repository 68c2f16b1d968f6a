import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { historyOf, lastOfBuckets, scopeSketch, shareLeft } from './index.js';
import { ruleThat, runOn } from './runs.test-support.js';

const plain = { bucket: 'run', like_for_like: false } as const;

describe('the history of scores', () => {
  it('has a point for every run, with the score that the run had', () => {
    const points = historyOf([runOn(0, [ruleThat('CS-001', 1)]), runOn(1, [ruleThat('CS-001', 0)])], plain);
    expect(points).toEqual([
      {
        run_id: 'run_0000',
        recorded_at: '2026-01-01T12:00:00.000Z',
        ref: 'main',
        commit: 'c0',
        score: 89,
        score_without_waivers: 89,
        coverage: 1,
        categories: { CS: 90.5 },
        catalogue_version: '0.1.0',
        incomplete: false,
        unchecked: 0,
        scope_changed: false,
      },
      expect.objectContaining({ run_id: 'run_0001', score: 100, categories: { CS: 100 } }),
    ]);
  });

  it('marks a run that did not read everything, also one that was recorded before errors were', () => {
    const rules = [ruleThat('CS-001', 0)];
    const runs = [runOn(0, rules), runOn(1, rules, { errors: 1 }), runOn(2, rules, { found: 11 }), runOn(3, rules, { unchecked: 4 })];
    expect(historyOf(runs, plain).map(({ incomplete, unchecked }) => [incomplete, unchecked])).toEqual([
      [false, 0],
      [true, 0],
      [true, 0],
      [false, 4],
    ]);
  });

  it('has no score for a run of which no rule covered anything', () => {
    expect(historyOf([runOn(0, [ruleThat('CS-001', 0)], { unchecked: 10 })], plain)[0]?.score).toBeNull();
  });

  it('compares like with like where a new catalogue brought new rules', () => {
    const runs = [runOn(0, [ruleThat('CS-001', 0)]), runOn(1, [ruleThat('CS-001', 0), ruleThat('SP-001', 4, 'CRITICAL')])];
    expect(historyOf(runs, plain).map(({ score }) => score)).toEqual([100, 69]);
    expect(historyOf(runs, { ...plain, like_for_like: true }).map(({ score }) => score)).toEqual([100, 100]);
  });

  it('shows the categories that were asked for, in any case', () => {
    const [point] = historyOf([runOn(0, [ruleThat('CS-001', 0), ruleThat('SP-001', 1)])], { ...plain, categories: ['sp'] });
    expect(Object.keys(point?.categories ?? {})).toEqual(['SP']);
  });

  it('says where more than a fifth of the resources is gone, and not where some came', () => {
    const scope = (count: number) => ({ scope: scopeSketch(Array.from({ length: count }, (_, index) => `Pod/a/${index}`)) });
    const rules = [ruleThat('CS-001', 0)];
    const runs = [runOn(0, rules, scope(10)), runOn(1, rules, scope(30)), runOn(2, rules, scope(24)), runOn(3, rules, scope(19))];
    expect(historyOf(runs, plain).map(({ scope_changed }) => scope_changed)).toEqual([false, false, false, true]);
  });

  it('keeps the last run of a day, a week from Monday on, or a month', () => {
    // 2026-01-01 is a Thursday.
    const runs = [0, 0, 3, 4, 31].map((day, index) => runOn(day, [], { id: `r${index}` }));
    const ids = (bucket: 'run' | 'day' | 'week' | 'month') => lastOfBuckets(runs, bucket).map(({ id }) => id);
    expect(ids('run')).toHaveLength(5);
    expect(ids('day')).toEqual(['r1', 'r2', 'r3', 'r4']);
    expect(ids('week')).toEqual(['r2', 'r3', 'r4']);
    expect(ids('month')).toEqual(['r3', 'r4']);
  });
});

describe('a sketch of the scope', () => {
  it('tells exactly which share of few resources left', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 60 }), fc.nat(60), (all, kept) => {
        const share = shareLeft(scopeSketch(all), scopeSketch(all.slice(0, kept)));
        expect(share).toBeCloseTo(Math.max(0, all.length - kept) / all.length, 12);
      }),
    );
  });

  it('estimates it for many, in bounded space, whatever the order', () => {
    const all = Array.from({ length: 20_000 }, (_, index) => `Pod/a/${index}`);
    const sketch = scopeSketch(all);
    expect(sketch.hashes).toHaveLength(4096);
    expect(scopeSketch(all.toReversed())).toEqual(sketch);
    expect(shareLeft(sketch, scopeSketch(all.slice(0, 15_000)))).toBeCloseTo(0.25, 1);
    expect(shareLeft(sketch, sketch)).toBe(0);
    expect(shareLeft(sketch, scopeSketch([]))).toBe(1);
  });
});
