import { type RecordedRun, scopeSketch } from '@bylaw/core/score';
import { openScoreStore } from '@bylaw/core/store';
import { describe, expect, it } from 'vitest';
import { scoreHistory } from './history.js';
import { scoreTrend } from './trend.js';

/** A run at a day after 2026-01-01 in which a rule fails on some of ten resources. */
function run(day: number, failed: number, more: Partial<RecordedRun> = {}): Omit<RecordedRun, 'id'> {
  return {
    recordedAt: new Date(Date.UTC(2026, 0, 1 + day, 12)).toISOString(),
    project: 'shop',
    ref: '',
    commit: `c${day}`,
    source: 'files',
    catalogueVersion: '1.0.0',
    catalogueSha: 'a',
    scope: scopeSketch(['Pod/shop/web']),
    resources: 10,
    found: 10,
    unchecked: 0,
    errors: 0,
    rules: [{ rule_id: 'CS-001', category: 'CS', severity: 'CRITICAL', applicable: 10, failed, waived: 0, unknown: 0 }],
    ...more,
  };
}

describe('runs that did not read everything', () => {
  it('are marked in the history, and left out of the trend, which says so', () => {
    const store = openScoreStore(':memory:');
    for (let day = 0; day < 8; day++) store.record(run(day, 8));
    // A file that breaks takes its finding with it: the score rises, and nothing has become better.
    store.record(run(8, 0, { errors: 1, resources: 9 }));
    const { points } = scoreHistory(store, { project: 'shop' });
    expect(points.map(({ score }) => score)).toEqual([...Array.from({ length: 8 }, () => points[0]?.score), 100]);
    expect(points.map(({ incomplete }) => incomplete)).toEqual([...Array.from({ length: 8 }, () => false), true]);
    const trend = scoreTrend(store, { project: 'shop' });
    expect(trend.overall).toMatchObject({ n: 8, verdict: 'no-trend', current: points[0]?.score, change_point: null });
    expect(trend.last_run).toBe(points[7]?.recorded_at);
    expect(trend.warnings).toEqual([
      {
        code: 'incomplete-runs',
        message: '1 incomplete run is ignored: a part of the input could not be read, so its score cannot be compared.',
        path: '',
      },
    ]);
    store.close();
  });
});
