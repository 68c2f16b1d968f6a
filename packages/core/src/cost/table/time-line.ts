import { costError } from '../cost-error.js';
import type { Calendar } from './buckets.js';
import type { Granularity } from './cost-table.js';

/** Whether the data of a span of time is complete (FOCUS 1.3, time sectors). Milliseconds of UTC, the end not included. */
export interface Recency {
  start: number;
  end: number;
  complete: boolean;
}

/** What says from which bucket on data may still change. */
export interface Settling {
  granularity: Granularity;
  /** End of what is known, in milliseconds; absent: the end of the last bucket with a row. */
  asOf?: number;
  /** How long a bucket may change after its end, in days; absent: as is usual, see `SETTLE_DAYS`. */
  settleDays?: number;
  recency?: readonly Recency[];
}

/** More buckets than this come from dates that are wrong: twenty years of hours are fewer. */
const MOST_BUCKETS = 200_000;

/** Labels of days have four digits for the year, also those of what is forecast from here. */
const LATEST = Date.UTC(3000, 0);

/** All buckets from the first to the last, without holes. @throws {BylawError} `cost-too-large`, `instant-invalid` */
export function bucketsBetween(starts: Iterable<number>, calendar: Calendar): number[] {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const start of starts) {
    if (start < first) first = start;
    if (start > last) last = start;
  }
  if (last >= LATEST) throw costError('instant-invalid', 'A date is after the year 2999.', { hint: 'Check the dates for a typing error.' });
  const all: number[] = [];
  for (let at = first; at <= last; at = calendar.next(at)) {
    if (all.length === MOST_BUCKETS)
      throw costError(
        'cost-too-large',
        `The input spans more than ${MOST_BUCKETS.toLocaleString('en')} buckets from the first date to the last.`,
        {
          hint: 'Check the dates, or use a coarser granularity.',
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
  { granularity, asOf, recency, settleDays = SETTLE_DAYS[granularity] }: Settling,
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
