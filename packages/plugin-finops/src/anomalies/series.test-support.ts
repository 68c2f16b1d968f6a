import type { CostLeaf, CostTable } from '@bylaw/core/cost';
import { timeAxis } from '../series/time-axis.js';
import { evaluateSeries } from './evaluation/evaluate-series.js';

const DAY = 86_400_000;

/** Labels of days from a Thursday on, the first of a month. */
export function days(count: number): string[] {
  return Array.from({ length: count }, (_, at) => new Date(Date.UTC(2026, 0, 1) + at * DAY).toISOString().slice(0, 10));
}

/** A series of days with quiet weekends and a little noise, the same on every machine. */
export function usualDays(count: number, level = 100): Float64Array {
  return Float64Array.from({ length: count }, (_, at) => {
    const weekend = [2, 3].includes(at % 7);
    const noise = ((at * 7919) % 101) / 101 - 0.5;
    return level * (weekend ? 0.6 : 1) * (1 + 0.03 * noise);
  });
}

/** The same for hours: quiet nights, and quiet weekends. */
export function usualHours(count: number, level = 100): Float64Array {
  return Float64Array.from({ length: count }, (_, at) => {
    const night = at % 24 < 8 ? 0.5 : 1;
    const weekend = [2, 3].includes(Math.floor(at / 24) % 7) ? 0.7 : 1;
    const noise = ((at * 7919) % 101) / 101 - 0.5;
    return level * night * weekend * (1 + 0.06 * noise);
  });
}

/** Labels of hours of UTC from a Thursday on. */
export function hours(count: number, first = Date.UTC(2026, 0, 1)): string[] {
  return Array.from({ length: count }, (_, at) => `${new Date(first + at * HOUR).toISOString().slice(0, 19)}Z`);
}

const HOUR = 3_600_000;

export function evaluatedDays(values: Float64Array, { provisionalFrom = values.length, threshold = 4.5 } = {}) {
  return evaluateSeries({ values, provisionalFrom, minorUnit: 0.01, ...timeAxis(days(values.length), 'day') }, threshold);
}

export function alarmsOf({ alarm }: { alarm: Int8Array }): number[] {
  return [...alarm.keys()].filter((at) => alarm[at] !== 0);
}

export function leafOf(dimensions: { [name: string]: string }, cost: Float64Array, more: Partial<CostLeaf> = {}): CostLeaf {
  return { dimensions, cost, ...more };
}

export function tableOf(leaves: readonly CostLeaf[], more: Partial<CostTable> = {}): CostTable {
  const buckets = days(leaves[0]?.cost.length ?? 0);
  return {
    currency: 'USD',
    granularity: 'day',
    timezone: 'UTC',
    buckets,
    provisionalFrom: buckets.length,
    dimensions: [...new Set(leaves.flatMap((leaf) => Object.keys(leaf.dimensions)))].sort(),
    leaves,
    excluded: { tax: 0, credit: 0, adjustment: 0, other: 0 },
    corrections: { rows: 0, amount: 0 },
    rows: 0,
    warnings: [],
    ...more,
  };
}
