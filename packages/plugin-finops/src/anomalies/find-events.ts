import type { Judgement } from './judge-series.js';
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
  /** The furthest distance of a bucket, in usual residuals. */
  z: number;
}

/** Alarms of one sign so near to each other are one event. */
const NEAR = 3;

/** The events of a judged series, in the order of time. */
export function findEvents(values: Float64Array, judged: Judgement, parameters: AnomalyParameters): FoundEvent[] {
  const { direction } = parameters;
  const events = [
    ...alarmEvents(values, judged),
    ...rampEvents(values, judged),
    ...newSeries(values, parameters.min_impact.amount),
    ...endedSeries(values, parameters.min_impact.amount),
  ];
  return withoutOverlaps(events.filter((event) => (direction === 'both' || event.sign > 0) && worthIt(event, values, parameters))).sort(
    (a, b) => a.start - b.start || a.end - b.end,
  );
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

function alarmEvents(values: Float64Array, judged: Judgement): FoundEvent[] {
  const events: { start: number; end: number; sign: 1 | -1 }[] = [];
  for (const [at, alarm] of judged.alarm.entries()) {
    if (alarm === 0) continue;
    const last = events.at(-1);
    const sign = alarm > 0 ? 1 : -1;
    if (last && last.sign === sign && at - last.end <= NEAR && !judged.accepted.includes(last.end)) last.end = at;
    else events.push({ start: at, end: at, sign });
  }
  return joinedByReturn(events, judged).map(({ start, end, sign }) => {
    const gone = judged.returned.find((one) => one.start <= end && one.end >= start);
    // A new level that was left again was none: what was over it lasted until then.
    if (gone && gone.end >= end) return lasting(start, gone.end, sign, values, judged);
    return {
      kind: kindOf(start, end, sign, judged),
      start,
      end,
      sign,
      detected: start,
      expected: known(judged.expected, start, end, values),
      z: furthest(judged.z, start, end),
    };
  });
}

/** Alarms at a level that was left again belong to the event that began it. */
function joinedByReturn<E extends { start: number; end: number; sign: number }>(events: readonly E[], { returned }: Judgement): E[] {
  return events.filter((event) => {
    const gone = returned.find((one) => event.start > one.start && event.start <= one.end);
    return (
      !gone || !events.some((other) => other !== event && other.sign === event.sign && other.start <= gone.start && other.end >= gone.start)
    );
  });
}

function lasting(start: number, end: number, sign: 1 | -1, values: Float64Array, judged: Judgement): FoundEvent {
  const kind = sign > 0 ? 'burst' : 'drop';
  return { kind, start, end, sign, detected: start, expected: known(judged.clean, start, end, values), z: furthest(judged.z, start, end) };
}

function known(expected: Float64Array, start: number, end: number, values: Float64Array): Float64Array {
  return expected.slice(start, end + 1).map((value, at) => (Number.isNaN(value) ? values[start + at] || 0 : value));
}

function kindOf(start: number, end: number, sign: 1 | -1, judged: Judgement): AnomalyKind {
  if (judged.accepted.includes(end)) return 'level-shift';
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

function rampEvents(values: Float64Array, { z, alarm, clean, expected }: Judgement): FoundEvent[] {
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
      if (sum > LIMIT && at - start < RAMP_DAYS) {
        events.push({
          kind: 'ramp',
          start,
          end: at,
          sign,
          detected: at,
          expected: beforeRamp(values, clean, expected, start, at),
          z: furthest(z, start, at),
        });
        sum = 0;
      } else if (at - start >= RAMP_DAYS) sum = 0;
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
const KNOWN_BEFORE = 14;

function newSeries(values: Float64Array, least: number): FoundEvent[] {
  const first = values.findIndex((value) => value > 0);
  if (first < KNOWN_BEFORE) return [];
  return (values[first] ?? 0) < least
    ? []
    : [{ kind: 'new-series', start: first, end: first, sign: 1, detected: first, expected: new Float64Array(1), z: 0 }];
}

/** Days without cost after which a series has ended, and days of cost that it must have had. */
const ENDED_AFTER = 7;
const STEADY = 14;

function endedSeries(values: Float64Array, least: number): FoundEvent[] {
  const last = values.findLastIndex((value) => value > 0);
  if (last < STEADY || values.length - 1 - last < ENDED_AFTER) return [];
  const before = [...values.slice(last - STEADY + 1, last + 1)];
  const usual = before.toSorted((a, b) => a - b)[STEADY >> 1] ?? 0;
  if (!before.every((value) => value > 0) || usual * ENDED_AFTER < least) return [];
  const [start, end] = [last + 1, last + ENDED_AFTER];
  return [{ kind: 'ended-series', start, end, sign: -1, detected: end, expected: new Float64Array(ENDED_AFTER).fill(usual), z: 0 }];
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
