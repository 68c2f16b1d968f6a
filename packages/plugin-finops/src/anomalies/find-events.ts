import type { CostTable } from '@bylaw/core/cost';
import { bucketsIn } from '../series/time-axis.js';
import type { SeriesEvaluation } from './evaluation/series-evaluation.js';
import type { AnomalyParameters } from './parameters.js';

export const KINDS = ['spike', 'burst', 'level-shift', 'ramp', 'drop', 'new-series', 'ended-series'] as const;
export type AnomalyKind = (typeof KINDS)[number];

/** A stretch of buckets that is not as expected. */
export interface FoundEvent {
  kind: AnomalyKind;
  /** Indexes, both included. */
  start: number;
  end: number;
  sign: 1 | -1;
  /** Index of the first alarm. */
  detected: number;
  /** Expected cost of each bucket from `start` on. */
  expected: Float64Array;
  /** What all of its buckets together might have cost without an alarm. */
  lower: number;
  upper: number;
  /** The furthest distance of a bucket, in usual residuals; null where a series begins or ends. */
  z: number | null;
}

/** Alarms of one sign so near to each other are one event. */
const NEAR = 3;

/** The events of an evaluated series, in the order of time. */
export function findEvents(
  values: Float64Array,
  evaluated: SeriesEvaluation,
  { granularity, provisionalFrom }: Pick<CostTable, 'granularity' | 'provisionalFrom'>,
  parameters: AnomalyParameters,
): FoundEvent[] {
  const { direction, min_impact } = parameters;
  const days = (count: number) => bucketsIn(count, granularity);
  const certain = withoutUncertain(evaluated, provisionalFrom);
  const events = [
    ...alarmEvents(values, certain),
    ...rampEvents(values, certain, days(RAMP_DAYS)),
    ...newSeries(values, min_impact.amount, days(KNOWN_DAYS)),
    ...endedSeries(values.subarray(0, provisionalFrom), min_impact.amount, days(ENDED_DAYS), Math.max(LEAST_STEADY, days(STEADY_DAYS))),
  ];
  return withoutOverlaps(events.filter((event) => (direction === 'both' || event.sign > 0) && worthIt(event, values, parameters))).sort(
    (a, b) => a.start - b.start || a.end - b.end,
  );
}

/** A partial bucket that is too dear already is certain; one that is too cheap may still fill up, and says nothing. */
function withoutUncertain(evaluated: SeriesEvaluation, provisionalFrom: number): SeriesEvaluation {
  const isLow = (at: number) => at >= provisionalFrom && (evaluated.z[at] ?? 0) < 0;
  return {
    ...evaluated,
    alarm: evaluated.alarm.map((alarm, at) => (isLow(at) ? 0 : alarm)),
    z: evaluated.z.map((z, at) => (isLow(at) ? Number.NaN : z)),
  };
}

/** What the event costs beyond the expected, over all of its buckets. */
export function impactOf({ start, expected }: FoundEvent, values: Float64Array): { actual: number; expected: number } {
  let [actual, sum] = [0, 0];
  for (const [at, value] of expected.entries()) {
    actual += values[start + at] || 0;
    sum += value;
  }
  return { actual, expected: sum };
}

function worthIt(event: FoundEvent, values: Float64Array, { min_impact }: AnomalyParameters): boolean {
  const { actual, expected } = impactOf(event, values);
  const impact = Math.abs(actual - expected);
  return impact >= min_impact.amount && impact >= (Math.abs(expected) * min_impact.percent) / 100;
}

function alarmEvents(values: Float64Array, evaluated: SeriesEvaluation): FoundEvent[] {
  const events: { start: number; end: number; sign: 1 | -1 }[] = [];
  for (const [at, alarm] of evaluated.alarm.entries()) {
    if (alarm === 0) continue;
    const last = events.at(-1);
    const sign = alarm > 0 ? 1 : -1;
    if (last && last.sign === sign && at - last.end <= NEAR && !evaluated.accepted.includes(last.end)) last.end = at;
    else events.push({ start: at, end: at, sign });
  }
  return joinedByReturn(events, evaluated).map(({ start, end, sign }) => {
    const gone = evaluated.returned.find((one) => one.start <= end && one.end >= start);
    // A new level that was left again was none: what was over it lasted until then.
    if (gone && gone.end >= end) return lasting(start, gone.end, sign, values, evaluated);
    const expected = known(evaluated.expected, start, end, values);
    return eventOf({ kind: kindOf(start, end, sign, evaluated), start, end, sign, detected: start, expected }, evaluated);
  });
}

/** Alarms at a level that was left again belong to the event that began it. */
function joinedByReturn<E extends { start: number; end: number; sign: number }>(events: readonly E[], { returned }: SeriesEvaluation): E[] {
  return events.filter((event) => {
    const gone = returned.find((one) => event.start > one.start && event.start <= one.end);
    return (
      !gone || !events.some((other) => other !== event && other.sign === event.sign && other.start <= gone.start && other.end >= gone.start)
    );
  });
}

function lasting(start: number, end: number, sign: 1 | -1, values: Float64Array, evaluated: SeriesEvaluation): FoundEvent {
  const kind = sign > 0 ? 'burst' : 'drop';
  return eventOf({ kind, start, end, sign, detected: start, expected: known(evaluated.clean, start, end, values) }, evaluated);
}

/** Adds how far the event is from what is usual: bounds are as far around what it is compared with as around what was expected. */
function eventOf(event: Omit<FoundEvent, 'lower' | 'upper' | 'z'>, evaluated: SeriesEvaluation): FoundEvent {
  let [lower, upper] = [0, 0];
  for (const [offset, expected] of event.expected.entries()) {
    const at = event.start + offset;
    const [middle, low, high] = [evaluated.expected[at] ?? Number.NaN, evaluated.lower[at] ?? 0, evaluated.upper[at] ?? 0];
    const isFactor = middle > 0 && expected > 0;
    lower += Number.isNaN(middle) ? expected : isFactor ? (expected * low) / middle : expected - middle + low;
    upper += Number.isNaN(middle) ? expected : isFactor ? (expected * high) / middle : expected - middle + high;
  }
  return { ...event, lower, upper, z: furthest(evaluated.z, event.start, event.end) };
}

function known(expected: Float64Array, start: number, end: number, values: Float64Array): Float64Array {
  return expected.slice(start, end + 1).map((value, at) => (Number.isNaN(value) ? values[start + at] || 0 : value));
}

function kindOf(start: number, end: number, sign: 1 | -1, evaluated: SeriesEvaluation): AnomalyKind {
  if (evaluated.accepted.includes(end)) return 'level-shift';
  if (sign < 0) return 'drop';
  return start === end ? 'spike' : 'burst';
}

function furthest(z: Float64Array, start: number, end: number): number {
  let most = 0;
  for (let at = start; at <= end; at++) if (Math.abs(z[at] || 0) > Math.abs(most)) most = z[at] ?? 0;
  return most;
}

/** A slow leak never is far from yesterday: small distances of one sign add up. CUSUM with reference 0.5 and limit 5, on half the distance. */
const RAMP_DAYS = 21;
const REFERENCE = 0.5;
const LIMIT = 5;

function rampEvents(values: Float64Array, evaluated: SeriesEvaluation, longest: number): FoundEvent[] {
  const { z, alarm, clean, expected } = evaluated;
  const events: FoundEvent[] = [];
  for (const sign of [1, -1] as const) {
    let sum = 0;
    let start = -1;
    for (const [at, distance] of z.entries()) {
      if (Number.isNaN(distance) || alarm[at] !== 0) {
        if (alarm[at] !== 0) sum = 0;
        continue;
      }
      if (sum === 0) start = at;
      sum = Math.max(0, sum + (sign * distance) / 2 - REFERENCE);
      if (sum > LIMIT && at - start < longest) {
        const before = beforeRamp(values, clean, expected, start, at);
        const ramp = eventOf({ kind: 'ramp', start, end: at, sign, detected: at, expected: before }, evaluated);
        // After a jump, what settles below what is expected by then is above the week before it, and creeps nowhere.
        const cost = impactOf(ramp, values);
        if (Math.sign(cost.actual - cost.expected) === sign) events.push(ramp);
        sum = 0;
      } else if (at - start >= longest) sum = 0;
    }
  }
  return events;
}

/** What the week before the ramp cost, again and again. */
function beforeRamp(values: Float64Array, clean: Float64Array, expected: Float64Array, start: number, end: number): Float64Array {
  const week = Math.min(7, start);
  return Float64Array.from({ length: end - start + 1 }, (_, at) => {
    const before = week === 0 ? Number.NaN : (clean[start - week + (at % week)] ?? Number.NaN);
    return Number.isNaN(before) ? expected[start + at] || values[start + at] || 0 : before;
  });
}

/** A series counts as new where others were known for so long. */
const KNOWN_DAYS = 14;

function newSeries(values: Float64Array, least: number, known: number): FoundEvent[] {
  const first = values.findIndex((value) => value > 0);
  if (first < known || (values[first] ?? 0) < least) return [];
  const nothing = { expected: new Float64Array(1), lower: 0, upper: 0, z: null };
  return [{ kind: 'new-series', start: first, end: first, sign: 1, detected: first, ...nothing }];
}

/** Days without cost after which a series has ended, and days of cost that it must have had; of weeks and months some: what costs once a quarter never is steady. */
const ENDED_DAYS = 7;
const STEADY_DAYS = 14;
const LEAST_STEADY = 6;

/** Every time that a steady series falls silent, also where it began again later: results for the past stay. */
function endedSeries(values: Float64Array, least: number, silent: number, steady: number): FoundEvent[] {
  const events: FoundEvent[] = [];
  let last = -1;
  let zeros = 0;
  for (const [at, value] of values.entries()) {
    if (value > 0) {
      last = at;
      zeros = 0;
    } else if (value === 0 && ++zeros === silent && last >= steady - 1) {
      const before = values.slice(last - steady + 1, last + 1).sort();
      const [low = 0, usual = 0, high = 0] = [before[0], before[steady >> 1], before.at(-1)];
      // A gap is not a number, and sorts last.
      if (low > 0 && high > 0 && usual * silent >= least) {
        const expected = new Float64Array(at - last).fill(usual, 0, silent);
        const usualAround = { lower: low * silent, upper: high * silent, z: null };
        events.push({ kind: 'ended-series', start: last + 1, end: at, sign: -1, detected: at, expected, ...usualAround });
      }
    }
  }
  return events;
}

/** Of events that overlap and say the same, the one that says more: the beginning or end of a series before an alarm, an alarm before a ramp. */
function withoutOverlaps(events: readonly FoundEvent[]): FoundEvent[] {
  const rank = ({ kind }: FoundEvent) => (kind === 'new-series' || kind === 'ended-series' ? 0 : kind === 'ramp' ? 2 : 1);
  const kept: FoundEvent[] = [];
  for (const event of events.toSorted((a, b) => rank(a) - rank(b) || a.start - b.start)) {
    const same = kept.some((one) => one.sign === event.sign && one.start <= event.end + 1 && event.start <= one.end + 1);
    if (!same) kept.push(event);
  }
  return kept;
}
