import type { Granularity } from '@bylaw/core/cost';
import { median } from '@bylaw/core/number';
import { judgeSeries, neededHistory } from '../anomalies/judge-series.js';
import { CalendarExcess } from '../series/calendar-excess.js';
import { timeAxis } from '../series/time-axis.js';
import { daysInMonth, periodsOf } from './future.js';

/** A series made ready for models. */
export interface CleanHistory {
  /** Index of its first bucket in the table. */
  start: number;
  /** Anomalies and fees taken out; months by their days. No gaps. */
  values: Float64Array;
  /** Buckets that had no value. */
  gaps: number;
  /** What a forecast of `values` is multiplied by, and what is added then, at each bucket to come. */
  factors: Float64Array;
  fees: Float64Array;
  /** What was done to the values, in words. */
  notes: string[];
}

/** Threshold of alarms: that of anomalies of normal sensitivity. */
const THRESHOLD = 4.5;

/** Far below what answers show; quotients of such values are noise, or no numbers at all. */
const NEGLIGIBLE = 1e-9;

/** A longer hole is no gap: the history starts after it. */
const LONGEST_GAP = 7;

/**
 * Cuts, fills and cleans a series.
 * @param values of the buckets that are final; NaN is a gap
 * @param buckets their labels
 * @param ahead labels of the buckets to come
 * @returns undefined where there is no value
 */
export function cleanHistory(
  values: Float64Array,
  buckets: readonly string[],
  granularity: Granularity,
  ahead: readonly string[],
  minorUnit: number,
): CleanHistory | undefined {
  const start = startOf(values);
  if (start === undefined) return undefined;
  const raw = values.slice(start).map((value) => (Math.abs(value) < NEGLIGIBLE ? 0 : value));
  const notes: string[] = [];
  const gaps = raw.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0);
  const filled = withoutGaps(raw, periodsOf(granularity).at(-1) ?? 1);
  const history = { start, values: filled, gaps, notes };
  const plain = { ...history, factors: new Float64Array(ahead.length).fill(1), fees: new Float64Array(ahead.length) };
  if (granularity === 'week') return plain;
  if (granularity === 'month') return byDays(plain, buckets.slice(start), ahead);
  return withoutAnomalies(plain, [...buckets.slice(start), ...ahead], granularity, minorUnit);
}

/** The first value after the last long hole. */
function startOf(values: Float64Array): number | undefined {
  let start: number | undefined;
  let missing = 0;
  for (const [t, value] of values.entries()) {
    if (Number.isNaN(value)) missing += 1;
    else {
      if (start === undefined || missing > LONGEST_GAP) start = t;
      missing = 0;
    }
  }
  return start;
}

/** A gap takes the mean of the values one cycle before and after it; else what lies on the line between its neighbours. */
function withoutGaps(values: Float64Array, period: number): Float64Array {
  const known = (t: number) => {
    const value = values[t];
    return value === undefined || Number.isNaN(value) ? undefined : value;
  };
  return values.map((value, t) => {
    if (!Number.isNaN(value)) return value;
    const [before, after] = [known(t - period), known(t + period)];
    if (before !== undefined && after !== undefined) return (before + after) / 2;
    let [left, right] = [t - 1, t + 1];
    while (left >= 0 && known(left) === undefined) left -= 1;
    while (right < values.length && known(right) === undefined) right += 1;
    const [first, last] = [known(left), known(right)];
    if (first === undefined || last === undefined) return first ?? last ?? 0;
    return first + ((last - first) * (t - left)) / (right - left);
  });
}

/** Months have 28 to 31 days. Where cost follows them, it is smoother by the day; monthly fees are not, and stay as they are. */
function byDays(history: CleanHistory, own: readonly string[], ahead: readonly string[]): CleanHistory {
  const share = (label: string) => daysInMonth(label) / DAYS_OF_MONTH;
  const values = history.values.map((value, t) => value / share(own[t] ?? ''));
  if (!(roughness(values) < roughness(history.values))) return history;
  return { ...history, values, factors: Float64Array.from(ahead, share), notes: ['months are compared by their days'] };
}

/** Of the Gregorian calendar, on average. */
const DAYS_OF_MONTH = 365.2425 / 12;

function roughness(values: Float64Array): number {
  return values.reduce((sum, value, t) => (t === 0 ? 0 : sum + (value - (values[t - 1] ?? 0)) ** 2), 0);
}

/** A spike must not be forecast again, and a monthly fee not be smeared over the month. */
function withoutAnomalies(history: CleanHistory, labels: readonly string[], granularity: Granularity, minorUnit: number): CleanHistory {
  const raw = history.values;
  const n = raw.length;
  const axis = timeAxis(labels, granularity);
  const judged = judgeSeries({ ...axis, slots: axis.slots.subarray(0, n), values: raw, provisionalFrom: n, minorUnit }, THRESHOLD);
  const values = raw.slice();
  let replaced = 0;
  const fees = new Fees(axis, raw, judged.clean);
  for (let t = 0; t < n; t++) {
    const fee = fees.next(t);
    const [value, clean] = [raw[t] ?? 0, judged.clean[t] ?? 0];
    const alarm = t >= SETTLED[granularity === 'hour' ? 'hour' : 'day'] && judged.alarm[t] !== 0 && clean !== value;
    values[t] = alarm ? clean : value - fee;
    // What is explained by a fee is no anomaly.
    if (alarm && fee === 0) replaced += 1;
  }
  // The first fees come before anything is known of them; in hindsight they are fees, too.
  for (let t = 0; t < Math.min(n, neededHistory(axis.period).first); t++) {
    const fee = fees.inHindsight(t);
    values[t] = (values[t] ?? 0) - fee;
  }
  const coming = history.fees.map((_, j) => fees.expected(n + j));
  const notes: string[] = [];
  if (replaced > 0) notes.push(`${replaced} unusual ${replaced === 1 ? 'bucket was' : 'buckets were'} replaced by what was expected`);
  for (const [j, fee] of coming.entries())
    if (fee !== 0 && notes.length < MOST_NOTES) notes.push(`${fee.toFixed(2)} on ${labels[n + j]}, as in the months before`);
  return { ...history, values, fees: coming, notes };
}

const MOST_NOTES = 12;

/** Index from which on alarms are trusted. The week of hours is learnt from three weeks, and two more show the usual residuals. */
const SETTLED = { day: 0, hour: 5 * 168 } as const;

/** How many times the usual distance from the neighbours a fee must at least be. */
const FEE_DISTANCE = 4;

/** What comes on certain days of the month beside the usual cost of the weekday. */
class Fees {
  readonly #calendar: CalendarExcess | undefined;
  readonly #excess: Float64Array;
  readonly #level: number;

  constructor({ dayOfMonth, daysToEnd, period }: ReturnType<typeof timeAxis>, raw: Float64Array, clean: Float64Array) {
    this.#calendar = dayOfMonth && daysToEnd ? new CalendarExcess(dayOfMonth, daysToEnd) : undefined;
    // The same weekday before and after has no fee: months are no whole weeks apart from February, whose 28 days do not matter here.
    const usual = clean.map((value, t) => {
      const around = [clean[t - period], clean[t + period]].filter((other) => other !== undefined);
      return around.length === 0 ? value : around.reduce((sum, other) => sum + other, 0) / around.length;
    });
    const excess = raw.map((value, t) => value - (usual[t] ?? 0));
    const least = FEE_DISTANCE * median(excess.map(Math.abs));
    this.#excess = excess.map((value) => (Math.abs(value) > least ? value : 0));
    this.#level = median(clean.subarray(-LEVEL_DAYS));
  }

  /** The fee that the months before let expect at the next index; then learns from what it had. */
  next(t: number): number {
    const expected = this.expected(t);
    const excess = this.#excess[t] ?? 0;
    this.#calendar?.learn(t, excess);
    return excess === 0 ? 0 : expected;
  }

  /** What an index had beside the usual, where such a fee is known by now and none was known then. */
  inHindsight(t: number): number {
    const [excess, known] = [this.#excess[t] ?? 0, this.expected(t)];
    return Math.sign(excess) === Math.sign(known) ? excess : 0;
  }

  expected(t: number): number {
    return this.#calendar?.expected(t, this.#level) ?? 0;
  }
}

const LEVEL_DAYS = 28;
