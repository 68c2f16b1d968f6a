import { describe, expect, it } from 'vitest';
import type { SeriesEvaluation } from './evaluation/series-evaluation.js';
import { findEvents } from './find-events.js';
import type { AnomalyParameters } from './parameters.js';

const COUNT = 40;

const PARAMETERS = {
  ...{ threshold_z: 4.5, min_impact: { amount: 10, percent: 5 }, direction: 'both', monitors: [['*']], max_drivers: 5 },
  ...{ planned: [], history_days: 400, include_buckets: false },
} as const satisfies Partial<AnomalyParameters>;

/** Each day cost `value` where `expected` was expected, which is `z` usual residuals from it; a jump was accepted before. */
function eventsOf(day: (at: number) => { value: number; expected: number; z: number }) {
  const all = Array.from({ length: COUNT }, (_, at) => day(at));
  const column = (of: (one: (typeof all)[number]) => number) => Float64Array.from(all, of);
  const values = column(({ value }) => value);
  const evaluated: SeriesEvaluation = {
    ...{ expected: column(({ expected }) => expected), scale: column(() => 0.1), z: column(({ z }) => z), clean: values },
    ...{ lower: column(({ expected }) => expected * 0.5), upper: column(({ expected }) => expected * 1.5) },
    ...{ alarm: new Int8Array(COUNT), accepted: [], returned: [] },
  };
  return findEvents(values, evaluated, { granularity: 'day', provisionalFrom: COUNT }, PARAMETERS);
}

describe('a slow leak', () => {
  it('is found where cost stays above what was expected, and above the week before', () => {
    const found = eventsOf((at) => (at < 20 ? { value: 100, expected: 100, z: 0 } : { value: 100 + 8 * (at - 19), expected: 100, z: 3 }));
    expect(found[0]).toMatchObject({ kind: 'ramp', sign: 1, start: 20 });
  });

  it('is none where cost is below what is expected since a jump, and above the week before it', () => {
    const found = eventsOf((at) => (at < 20 ? { value: 100, expected: 100, z: 0 } : { value: 350, expected: 420, z: -3 }));
    expect(found.filter(({ kind, start }) => kind === 'ramp' && start < 27)).toEqual([]);
  });
});
