import type { Calendar } from './buckets.js';
import { costError } from './cost-error.js';
import type { Granularity } from './cost-table.js';
import type { TableOptions } from './table-options.js';

/** Whether the data of a span of time is complete (FOCUS 1.3, time sectors). Milliseconds of UTC, the end not included. */
export interface Recency {
  start: number;
  end: number;
  complete: boolean;
}

/** More buckets than this come from dates that are wrong: twenty years of hours are fewer. */
const MOST_BUCKETS = 200_000;

/** All buckets from the first to the last, without holes. @throws {BylawError} `cost-too-large` */
export function bucketsBetween(starts: Iterable<number>, calendar: Calendar): number[] {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const start of starts) {
    if (start < first) first = start;
    if (start > last) last = start;
  }
  const all: number[] = [];
  for (let at = first; at <= last; at = calendar.next(at)) {
    if (all.length === MOST_BUCKETS)
      throw costError(
        'cost-too-large',
        `From the first to the last date there are more than ${MOST_BUCKETS.toLocaleString('en')} buckets.`,
        {
          hint: 'Check the dates, or take a coarser granularity.',
        },
      );
    all.push(at);
  }
  return all;
}

const DAY = 86_400_000;

/** Days in which a bucket may change after its end, where the input does not say: bills of a day arrive late, those of a month are closed. */
export const SETTLE_DAYS: { readonly [granularity in Granularity]: number } = { hour: 0.25, day: 2, week: 2, month: 0 };

/** Index of the first bucket that may still change. */
export function provisionalIndex(
  starts: readonly number[],
  calendar: Calendar,
  {
    granularity,
    asOf,
    recency,
    settleDays = SETTLE_DAYS[granularity],
  }: Pick<TableOptions, 'granularity' | 'asOf' | 'recency' | 'settleDays'>,
): number {
  const last = starts.at(-1);
  if (last === undefined) return 0;
  const through = recency?.length ? completeThrough(recency) : (asOf ?? calendar.next(last)) - settleDays * DAY;
  const index = starts.findIndex((start) => calendar.next(start) > through);
  return index < 0 ? starts.length : index;
}

/** The end of the last complete sector; where none is, nothing is known to be final. */
function completeThrough(recency: readonly Recency[]): number {
  return recency.reduce((latest, { end, complete }) => (complete ? Math.max(latest, end) : latest), Number.NEGATIVE_INFINITY);
}

/** Seven days, one of which may have an hour more. */
const NEAR = 7 * DAY + DAY / 24;

/** A bucket without a row costs nothing where the series has a row in the 14 days around it, or in the week or month beside it; elsewhere it is a gap. */
export function filledGaps(cost: Float64Array, starts: readonly number[]): Float64Array {
  const filled = Float64Array.from(cost);
  const isBeside = (index: number) => !Number.isNaN(cost[index] ?? Number.NaN);
  let before = Number.NEGATIVE_INFINITY;
  for (const [index, start] of starts.entries()) {
    if (!Number.isNaN(cost[index])) before = start;
    else if (start - before <= NEAR || isBeside(index - 1)) filled[index] = 0;
  }
  let after = Number.POSITIVE_INFINITY;
  for (let index = starts.length - 1; index >= 0; index--) {
    const start = starts[index] ?? 0;
    if (!Number.isNaN(cost[index])) after = start;
    else if (after - start <= NEAR || isBeside(index + 1)) filled[index] = 0;
  }
  return filled;
}
