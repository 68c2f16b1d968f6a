import type { Granularity } from '@bylaw/core/cost';
import { median } from '@bylaw/core/number';
import { plural } from '@bylaw/core/plural';
import { evaluateSeries } from '../anomalies/evaluation/evaluate-series.js';
import { CalendarExcess } from '../series/calendar-excess.js';
import type { TimeAxis } from '../series/time-axis.js';
import { isIntermittent } from './forecast-values.js';
import { daysInMonth, periodsOf } from './future.js';
import { atWallHours, leadsOf, wallHours } from './wall-hours.js';

/** A series made ready for models. */
export interface CleanHistory {
  /** Index of its first bucket in the table. */
  start: number;
  /** Anomalies and fees taken out; days and months of the usual length, hours of the clock. No gaps. */
  values: Float64Array;
  /** Buckets that had no value. */
  gaps: number;
  /** For each bucket to come: which value after `values` it is, from 0, what that is multiplied by, and what is added then. */
  leads: Int32Array;
  factors: Float64Array;
  fees: Float64Array;
  /** What was done to the values, in words. */
  notes: string[];
}

/** Threshold of alarms: that of anomalies of normal sensitivity. */
const THRESHOLD = 4.5;

/** Far below what answers show; quotients of such values are noise, or no numbers at all. */
const NEGLIGIBLE = 1e-9;

/** A longer hole is not a gap: the history starts after it. */
const LONGEST_GAP = 7;

/** Where the values of a series are in time. */
export interface Frame {
  granularity: Granularity;
  /** Labels of the values, and of the buckets to come. */
  buckets: readonly string[];
  ahead: readonly string[];
  /** Of both. */
  axis: TimeAxis;
  /** Smallest unit of the currency. */
  minorUnit: number;
}

/**
 * Cuts, fills and cleans a series.
 * @param values of the buckets that are final; NaN is a gap
 * @returns undefined where there is no value
 */
export function cleanHistory(values: Float64Array, frame: Frame): CleanHistory | undefined {
  const start = startOf(values);
  if (start === undefined) return undefined;
  const { granularity, ahead, minorUnit } = frame;
  const axis = from(start, frame.axis);
  const raw = values.slice(start).map((value) => (Math.abs(value) < NEGLIGIBLE ? 0 : value));
  const history: CleanHistory = {
    start,
    values: raw,
    gaps: raw.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0),
    leads: Int32Array.from(ahead, (_, j) => j),
    factors: new Float64Array(ahead.length).fill(1),
    fees: new Float64Array(ahead.length),
    notes: [],
  };
  switch (granularity) {
    case 'hour':
      return withoutAnomalies(...byTheClock(history, axis), [], minorUnit);
    case 'day':
      return withoutAnomalies(byHours(history, axis), axis, ahead, minorUnit);
    case 'week':
    case 'month': {
      // The detector knows no season of the year: of weeks and months it would take every December for an anomaly.
      const filled = { ...history, values: withoutGaps(raw, longestPeriod(granularity)) };
      return granularity === 'week' ? filled : byDays(filled, frame.buckets.slice(start), ahead);
    }
  }
}

/** The axis of what begins later. */
function from(start: number, { period, slots, dayOfMonth, daysToEnd, lengths }: TimeAxis): TimeAxis {
  return {
    period,
    slots: slots.subarray(start),
    ...(dayOfMonth && { dayOfMonth: dayOfMonth.subarray(start) }),
    ...(daysToEnd && { daysToEnd: daysToEnd.subarray(start) }),
    ...(lengths && { lengths: lengths.subarray(start) }),
  };
}

function longestPeriod(granularity: Granularity): number {
  return periodsOf(granularity).at(-1) ?? 1;
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

/** Hours repeat by the clock, which is changed twice a year where the zone does so. */
function byTheClock(history: CleanHistory, axis: TimeAxis): [CleanHistory, TimeAxis] {
  const known = history.values.length;
  const wall = wallHours(axis.slots, known);
  const values = withoutGaps(atWallHours(history.values, wall), longestPeriod('hour'));
  return [
    { ...history, values, leads: leadsOf(wall, known) },
    { ...axis, slots: wall.slots },
  ];
}

/** A day has 23 or 25 hours where the clock is changed: its cost is taken to 24 hours, and a forecast to the hours that its day has. */
function byHours(history: CleanHistory, { lengths }: TimeAxis): CleanHistory {
  const n = history.values.length;
  const values = lengths ? history.values.map((value, t) => value / (lengths[t] ?? 1)) : history.values;
  return { ...history, values: withoutGaps(values, longestPeriod('day')), ...(lengths && { factors: lengths.slice(n) }) };
}

/** Months have 28 to 31 days. Where cost follows them, it is smoother by the day; monthly fees are not, and stay as they are. */
function byDays(history: CleanHistory, own: readonly string[], ahead: readonly string[]): CleanHistory {
  const share = (label: string) => daysInMonth(label) / DAYS_OF_MONTH;
  const values = history.values.map((value, t) => value / share(own[t] ?? ''));
  if (!(roughness(values) < roughness(history.values))) return history;
  return { ...history, values, factors: Float64Array.from(ahead, share), notes: ['months are compared by cost per day'] };
}

/** Of the Gregorian calendar, on average. */
const DAYS_OF_MONTH = 365.2425 / 12;

function roughness(values: Float64Array): number {
  return values.reduce((sum, value, t) => (t === 0 ? 0 : sum + (value - (values[t - 1] ?? 0)) ** 2), 0);
}

/**
 * A spike must not be forecast again, and a monthly fee not be smeared over the month.
 * @param axis of the values and of those to come
 * @param ahead labels of those to come, where there are fees
 */
function withoutAnomalies(history: CleanHistory, axis: TimeAxis, ahead: readonly string[], minorUnit: number): CleanHistory {
  const raw = history.values;
  const n = raw.length;
  const evaluated = evaluateSeries({ ...axis, slots: axis.slots.subarray(0, n), values: raw, provisionalFrom: n, minorUnit }, THRESHOLD);
  const settled = axis.period === 7 ? 0 : SETTLED_HOURS;
  const open = openSince(evaluated.alarm);
  const values = raw.slice();
  let replaced = 0;
  const fees = new Fees(axis, raw, evaluated.clean);
  for (let t = 0; t < n; t++) {
    const fee = fees.next(t);
    const [value, clean] = [raw[t] ?? 0, evaluated.clean[t] ?? 0];
    const alarm = t >= settled && t < open && evaluated.alarm[t] !== 0 && clean !== value;
    values[t] = alarm ? clean : value - fee;
    // What is explained by a fee is not an anomaly.
    if (alarm && fee === 0) replaced += 1;
  }
  // What comes now and then is neither unusual nor a fee, unless the calendar says when.
  if (isIntermittent(raw) && fees.explained() < MOSTLY) return history;
  // The first two fees come before anything is known of them; in hindsight they are fees, too.
  for (let t = 0; t < Math.min(n, FORETOLD); t++) if (values[t] === raw[t]) values[t] = (raw[t] ?? 0) - fees.inHindsight(t);
  const coming = history.fees.map((_, j) => fees.expected(n + j));
  const notes: string[] = [];
  if (replaced > 0)
    notes.push(
      `${plural(replaced, 'unusual bucket was replaced by its expected value', 'unusual buckets were replaced by their expected values')}`,
    );
  if (open < n) notes.push('the last buckets are unusual, and it is too early to tell whether the change lasts');
  for (const [j, fee] of coming.entries())
    if (fee !== 0 && notes.length < MOST_NOTES) notes.push(`recurring fee of ${fee.toFixed(2)} on ${ahead[j]}, as in previous months`);
  return { ...history, values, fees: coming, notes };
}

/** Alarms so near to each other are of one event, as in the anomalies. */
const NEAR = 3;

/** Index of the first alarm of an event that lasts to the end: it may be a new level. Their number where there is none. */
function openSince(alarm: Int8Array): number {
  const sign = alarm.at(-1) ?? 0;
  let since = alarm.length;
  if (sign !== 0) for (let t = alarm.length - 1; t >= 0 && since - t <= NEAR; t--) if (alarm[t] === sign) since = t;
  return since;
}

/** Index from which on a monthly fee has been seen twice. */
const FORETOLD = 62;

const MOST_NOTES = 12;
const MOSTLY = 0.8;

/** Index from which on alarms of hours are trusted. The week of hours is learnt from three weeks, and two more show the usual residuals. */
const SETTLED_HOURS = 5 * 168;

/** How many times the usual distance from the neighbours a fee must at least be. */
const FEE_DISTANCE = 4;

/** What comes on certain days of the month beside the usual cost of the weekday. */
class Fees {
  readonly #calendar: CalendarExcess | undefined;
  readonly #excess: Float64Array;
  readonly #level: number;

  constructor({ dayOfMonth, daysToEnd, period }: TimeAxis, raw: Float64Array, clean: Float64Array) {
    this.#calendar = dayOfMonth && daysToEnd ? new CalendarExcess(dayOfMonth, daysToEnd) : undefined;
    // The same weekday before and after has no fee: months are not whole weeks apart from February, whose 28 days do not matter here.
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

  /** Share of what is beside the usual that the calendar explains in hindsight. */
  explained(): number {
    let [all, known] = [0, 0];
    for (const [t, excess] of this.#excess.entries()) {
      if (excess === 0) continue;
      all += 1;
      if (this.inHindsight(t) !== 0) known += 1;
    }
    return all === 0 ? 0 : known / all;
  }

  expected(t: number): number {
    return this.#calendar?.expected(t, this.#level) ?? 0;
  }
}

const LEVEL_DAYS = 28;
