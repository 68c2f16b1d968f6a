import { quantile } from '@bylaw/core/number';
import { CalendarExcess } from '../series/calendar-excess.js';
import { RecentSizes } from '../series/recent-sizes.js';
import { deseasoned, flat, medianOf, type Seasonality, seasoned, seasonsBefore } from '../series/seasons.js';
import { SortedWindow } from '../series/sorted-window.js';

/** A series to be judged. Where buckets differ in length, its values are those of a bucket of the usual length. */
export interface JudgedSeries {
  /** Cost of each bucket; NaN is a gap. */
  values: Float64Array;
  /** Slots of a week: 7 for days, 168 for hours; 1 for weeks and months. */
  period: number;
  /** Slot of each bucket, from 0. */
  slots: Uint16Array;
  /** Day of the month from 1, and days to its end, of each bucket; absent where buckets are longer than a day. */
  dayOfMonth?: Uint8Array;
  daysToEnd?: Uint8Array;
  /** Buckets from here on are not final: they are judged, but nothing is learnt from them. */
  provisionalFrom: number;
  /** Smallest unit of the currency. */
  minorUnit: number;
}

/** What is said about each bucket. Everything is computed from earlier buckets only, so that it never changes when later ones arrive. */
export interface Judgement {
  /** NaN where a bucket is not judged. */
  expected: Float64Array;
  /** Scale of the residual: of a logarithm of ratios in `factors` mode, else of a difference relative to the level. */
  scale: Float64Array;
  z: Float64Array;
  lower: Float64Array;
  upper: Float64Array;
  /** 1 above, -1 below the threshold, 0 neither. */
  alarm: Int8Array;
  /** Values with alarms and calendar excess taken out, by which later ones are judged. */
  clean: Float64Array;
  /** Index at which a new level was accepted: the alarms before it are part of a shift, not a burst. */
  accepted: readonly number[];
  /** Levels that were accepted, and left again for the one before: first and last index. */
  returned: readonly { start: number; end: number }[];
}

/**
 * How much of its own history a series needs, in buckets from its first cost on: until it is judged, and until it is judged by the plain threshold.
 * The week is learnt from three of its kind; two months of days show what the calendar does.
 */
export function neededHistory(period: number): { first: number; full: number } {
  const week = Math.max(period, 7);
  return { first: 3 * week, full: 8 * week };
}

const SHORT_HISTORY_FACTOR = 1.5;

/** Alarms of one sign in a row after which the new level is accepted. */
const ACCEPT_AFTER = 4;

/** A level that was accepted, and the one before it. */
interface Shift {
  /** First bucket at the new level, and the bucket of its acceptance. */
  start: number;
  at: number;
  /** Level before, without season, and the seasons then. */
  level: number;
  seasons: Seasonality;
  sign: number;
  /** By how much the first days at the new level are above the old one. */
  by: number;
  /** Whether the new level has proved to be the old one and a constant amount, not a multiple of it. */
  isAdded: boolean;
}

/** Weeks for which the level before a shift is remembered. */
const REMEMBERED = 4;

/** In its first week the level may be that of a single odd day: nothing is learnt from distances to it. */
const WARM = 7;

/** Buckets after which an accepted level is as good as any. */
const YOUNG = 14;

/** Residuals that the scale is taken from, and the least number of them. */
const RESIDUALS = 60;
const LEAST_RESIDUALS = 10;
const DEFAULT_SCALE = 0.15;
const LEAST_SCALE = 0.02;

/** Judges every bucket from those before it: level, seasons of the week, what repeats by the calendar, and the usual residual. */
export function judgeSeries(series: JudgedSeries, threshold: number): Judgement {
  const { values, period, slots, provisionalFrom } = series;
  const n = values.length;
  const week = Math.max(period, 7);
  const needed = neededHistory(period);
  // What was before the first cost says nothing of what cost is usual.
  const begin = Math.max(
    0,
    values.findIndex((value) => value !== 0 && !Number.isNaN(value)),
  );
  const clean = Float64Array.from(values).fill(Number.NaN, 0, begin);
  const judged: Judgement = {
    expected: new Float64Array(n).fill(Number.NaN),
    scale: new Float64Array(n).fill(Number.NaN),
    z: new Float64Array(n).fill(Number.NaN),
    lower: new Float64Array(n).fill(Number.NaN),
    upper: new Float64Array(n).fill(Number.NaN),
    alarm: new Int8Array(n),
    clean,
    accepted: [],
    returned: [],
  };
  const accepted: number[] = [];
  const gone: { start: number; end: number }[] = [];
  const residuals = new RecentSizes(RESIDUALS);
  const slotOf = (index: number) => slots[index] ?? 0;
  const calendar = series.dayOfMonth && series.daysToEnd ? new CalendarExcess(series.dayOfMonth, series.daysToEnd) : undefined;
  let seasons: Seasonality = flat('factors', period);
  const since = new Uint32Array(period);
  let shift: Shift | undefined;
  const sizes = new SortedWindow(FLOOR_DAYS + 1);
  let floor = series.minorUnit;
  let levelSince = 0;
  let row = 0;
  // What has to be added to earlier values to compare them with those at the present level.
  const added = new Float64Array(n);
  const seasonsUntil = (end: number) =>
    seasonsBefore(added.some((by) => by !== 0) ? sumsOf(clean, added) : clean, end, slotOf, seasons, since);
  for (let t = begin; t < n; t++) {
    const age = t - begin;
    if (age % FLOOR_EVERY === 0) floor = Math.max(series.minorUnit, (sizes.median() || 0) * FLOOR_SHARE);
    sizes.add(Math.abs(values[t] ?? Number.NaN));
    if (age >= FLOOR_DAYS) sizes.remove(Math.abs(values[t - FLOOR_DAYS] ?? Number.NaN));
    if (age >= 2 * Math.min(period, 7) && t % week === 0) seasons = seasonsUntil(t);
    const value = values[t] ?? Number.NaN;
    const plain = levelBefore(clean, t, slotOf, seasons, levelSince);
    if (Number.isNaN(plain) || Number.isNaN(value)) continue;
    const excess = calendar?.expected(t, plain) ?? 0;
    let base = seasoned(plain, slotOf(t), seasons);
    // Amounts are noisy by the level, on quiet weekends too: by what little is expected there every weekend would be an alarm.
    const unit = seasons.mode === 'offsets' ? Math.max(floor, Math.abs(plain)) : floor;
    let residual = residualOf(value, base + excess, unit, seasons.mode);
    const s = scaleOf(residuals);
    // A young level rests on few days: it is trusted as little as a short history.
    const young = age < needed.full || (levelSince > 0 && t - levelSince < YOUNG);
    const limit = young ? threshold * SHORT_HISTORY_FACTOR : threshold;
    const isNear = (other: number) => Math.abs(residualOf(value, other, unit, seasons.mode)) < s * limit;
    const earlier = shift?.isAdded ? shift.seasons : seasons;
    const before = shift ? seasoned(shift.level, slotOf(t), earlier) + excess : Number.NaN;
    if (
      shift &&
      !shift.isAdded &&
      seasons.mode === 'factors' &&
      Math.abs(residual) >= s * limit &&
      isNear(before + shift.by) &&
      isSum(values.subarray(shift.start, t + 1), shift, slotOf)
    ) {
      // What came on top has no weekends: the week of the sum is flatter than it was.
      shift.isAdded = true;
      for (let back = begin; back < shift.start; back++) added[back] = (added[back] ?? 0) + shift.by;
      seasons = seasonsUntil(t);
      base = seasoned(levelBefore(clean, t, slotOf, seasons, levelSince), slotOf(t), seasons);
      residual = residualOf(value, base + excess, unit, seasons.mode);
    }
    const expected = base + excess;
    const z = residual / s;
    const returned = shift && t - shift.at <= REMEMBERED * week && isNear(before);
    // Only what would be an alarm: noise of an earlier month comes again by chance.
    const known = Math.abs(z) >= limit && (calendar?.isRepeated(t, value - base) ?? false);
    if (age >= needed.first) {
      judged.expected[t] = known ? value : expected;
      judged.scale[t] = s;
      judged.z[t] = known ? 0 : z;
      [judged.lower[t], judged.upper[t]] = bounds(known ? value : expected, s * limit, unit, seasons.mode);
      judged.alarm[t] = Math.abs(z) < limit || known ? 0 : Math.sign(z);
    }
    if (shift && returned && judged.alarm[t] === -shift.sign) {
      // Back where it was: that is the end of the event before, and no event of its own.
      judged.expected[t] = before;
      judged.z[t] = residualOf(value, before, unit, seasons.mode) / s;
      [judged.lower[t], judged.upper[t]] = bounds(before, s * limit, unit, seasons.mode);
      judged.alarm[t] = 0;
      if (t < provisionalFrom) {
        for (let back = shift.start; back < t; back++)
          if (!Number.isNaN(clean[back])) clean[back] = seasoned(shift.level, slotOf(back), earlier);
        if (shift.isAdded) for (let back = begin; back < shift.start; back++) added[back] = (added[back] ?? 0) - shift.by;
        seasons = earlier;
        gone.push({ start: shift.start, end: t - 1 });
        levelSince = 0;
        shift = undefined;
      }
    }
    const sign = judged.alarm[t] ?? 0;
    if (t >= provisionalFrom) {
      clean[t] = Number.NaN;
      continue;
    }
    if (age >= WARM) calendar?.learn(t, value - base);
    // A series may begin with the first of its fees.
    else if (age === 1 && value < (values[begin] ?? 0) / 2) calendar?.learn(begin, (values[begin] ?? 0) - value);
    row = sign !== 0 && sign === Math.sign(row) ? row + sign : sign;
    clean[t] = sign === 0 && !known ? value - excess : base;
    if (age >= WARM && sign === 0 && !known && Math.abs(z) < limit) residuals.add(residual);
    if (Math.abs(row) === ACCEPT_AFTER) {
      const start = t - ACCEPT_AFTER + 1;
      if (shift && !shift.isAdded) shift.by = Number.NaN;
      shift ??= shiftOf(values.subarray(start, t + 1), start, levelBefore(clean, start, slotOf, seasons, levelSince), slotOf, seasons);
      levelSince = start;
      // Amounts of the week at one level say nothing about another, and factors nothing about zero.
      if (seasons.mode === 'offsets' || isNothing(shift.level, levelBefore(values, t + 1, slotOf, seasons, start))) since.fill(start);
      for (let back = start; back <= t; back++) clean[back] = values[back] ?? Number.NaN;
      accepted.push(t);
      row = 0;
    } else if (sign !== 0 && isHabit(judged.alarm, t, period)) {
      // The same day of three weeks: the week has changed, not the level.
      for (let back = t; back > t - 3 * period; back -= period) clean[back] = values[back] ?? Number.NaN;
      since[slotOf(t)] = t - 2 * period;
      seasons = seasonsUntil(t + 1);
    }
    if (shift && t - shift.at > REMEMBERED * week) shift = undefined;
  }
  clean.set(values.subarray(0, begin));
  return { ...judged, accepted, returned: gone };
}

/** @param values of the first buckets at the new level @param level the one before */
function shiftOf(values: Float64Array, start: number, level: number, slotOf: (index: number) => number, seasons: Seasonality): Shift {
  const above = values.map((value, offset) => value - seasoned(level, slotOf(start + offset), seasons));
  const by = medianOf(above, 0, above.length);
  return { start, at: start + values.length - 1, level, seasons, sign: Math.sign(by), by, isAdded: false };
}

/** Whether values are an old level and a constant amount rather than a multiple of it: by less than half of the errors. */
function isSum(values: Float64Array, { start, level, seasons, by }: Shift, slotOf: (index: number) => number): boolean {
  const old = values.map((_, offset) => seasoned(level, slotOf(start + offset), seasons));
  const ratios = values.map((value, at) => value / (old[at] ?? 1));
  const ratio = medianOf(ratios, 0, ratios.length);
  let [ofSum, ofMultiple] = [0, 0];
  for (const [at, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    ofSum += Math.abs(value - (old[at] ?? 0) - by);
    ofMultiple += Math.abs(value - (old[at] ?? 0) * ratio);
  }
  return 2 * ofSum < ofMultiple;
}

function sumsOf(some: Float64Array, others: Float64Array): Float64Array {
  return some.map((value, at) => value + (others[at] ?? 0));
}

/** Whether next to nothing is left of a level, or it has come from next to nothing: factors of the week cannot be carried over. */
function isNothing(level: number, other: number): boolean {
  return level <= other * FLOOR_SHARE || other <= level * FLOOR_SHARE;
}

/** Alarms of one sign in the same slot of three weeks. */
function isHabit(alarm: Int8Array, at: number, period: number): boolean {
  return period > 1 && alarm[at - period] === alarm[at] && alarm[at - 2 * period] === alarm[at];
}

/** The level of the last days, the newest weighing more. Days before `since` are of another level. */
function levelBefore(clean: Float64Array, end: number, slotOf: (index: number) => number, seasons: Seasonality, since: number): number {
  let found = 0;
  for (let index = end - 1; index >= since && index >= end - 20 && found < LEVEL_VALUES; index--) {
    const value = clean[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    latest[found++] = deseasoned(value, slotOf(index), seasons);
  }
  if (found === 0) return Number.NaN;
  return 0.4 * medianOf(latest, 0, found) + 0.6 * medianOf(latest, 0, Math.min(found, 4));
}

const LEVEL_VALUES = 10;

/** Used anew for every bucket: making one for each would be half of the work. */
const latest = new Float64Array(LEVEL_VALUES);

/** What counts as next to nothing moves slowly, and is looked up once a week: a part of the median size of the last months. */
const FLOOR_EVERY = 7;
const FLOOR_DAYS = 90;
const FLOOR_SHARE = 0.01;

function residualOf(value: number, expected: number, floor: number, mode: Seasonality['mode']): number {
  if (mode === 'factors' && expected > 0) return Math.log(Math.max(value, floor) / Math.max(expected, floor));
  return (value - expected) / Math.max(Math.abs(expected), floor);
}

function bounds(expected: number, width: number, floor: number, mode: Seasonality['mode']): [number, number] {
  if (mode === 'factors' && expected > 0) return [expected * Math.exp(-width), expected * Math.exp(width)];
  const size = Math.max(Math.abs(expected), floor) * width;
  return [expected - size, expected + size];
}

/** The usual size of residuals: by their median, and by their ninetieth percentile, whichever is larger. */
function scaleOf(residuals: RecentSizes): number {
  const sizes = residuals.ascending;
  if (sizes.length < LEAST_RESIDUALS) return DEFAULT_SCALE;
  return Math.max(1.4826 * quantile(sizes, 0.5), quantile(sizes, 0.9) / 1.645, LEAST_SCALE);
}
