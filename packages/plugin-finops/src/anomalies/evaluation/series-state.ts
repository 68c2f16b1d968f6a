import { CalendarExcess } from '../../series/calendar-excess.js';
import { RecentSizes } from '../../series/recent-sizes.js';
import { flat, type Seasonality, seasoned, seasonsBefore } from '../../series/seasons.js';
import { isFromOrToNothing, isSum, type LevelShift, shiftOf } from './level-shift.js';
import { NegligibleCost } from './negligible-cost.js';
import { levelBefore } from './recent-level.js';
import { boundsAround, RESIDUALS, residualOf, scaleOf } from './residual.js';
import type { WatchedSeries } from './series-evaluation.js';

/** What is expected in a bucket, computed from earlier buckets only, and how far its value is from that. */
export interface Expectation {
  value: number;
  /** Level with its season. */
  base: number;
  /** What the calendar adds, such as a fee on the first of the month. */
  excess: number;
  /** Amounts below it count as this much. */
  unit: number;
  residual: number;
  /** The usual size of residuals. */
  scale: number;
  /** From how many times the usual size on a residual is an alarm. */
  threshold: number;
  /** What would be expected at the level before the last shift, and its seasons; absent without a shift. */
  before?: { expected: number; seasons: Seasonality } | undefined;
}

/** Whether a bucket is an anomaly. */
export interface Alarm {
  /** 1 above, -1 below the threshold, 0 neither. */
  sign: number;
  /** What the value is compared with, in the end. */
  expected: number;
  z: number;
  lower: number;
  upper: number;
  /** Beyond the threshold, but the same amount came on this day of an earlier month. */
  isKnown: boolean;
  /** The cost is back at the level before the last shift: that is the end of an event, and no event of its own. */
  isBack: boolean;
}

const SHORT_HISTORY_FACTOR = 1.5;

/** Alarms of one sign in a row after which the new level is accepted. */
const ACCEPT_AFTER = 4;

/** Weeks for which the level before a shift is remembered. */
const REMEMBERED = 4;

/** In its first week the level may be that of a single odd day: nothing is learnt from distances to it. */
const WARM = 7;

/** Buckets after which an accepted level is as good as any. */
const YOUNG = 14;

/**
 * What is known of a series at one of its buckets. For each bucket in order, call `expect`, `alarm`, `learn` and `shift`, the last two
 * only if the bucket is final. Where `expect` gives nothing, there is nothing to call.
 */
export class SeriesState {
  /** First bucket with cost: what was before says nothing about what cost is usual. */
  readonly begin: number;
  /** Values with alarms and calendar excess taken out, by which later ones are compared. Before the first cost: gaps. */
  readonly clean: Float64Array;
  /** Buckets at which a new level was accepted. */
  readonly accepted: number[] = [];
  /** Levels that were accepted, and left again for the one before. */
  readonly returned: { start: number; end: number }[] = [];
  readonly #series: WatchedSeries;
  readonly #threshold: number;
  /** Buckets from the first cost on until there are alarms, and until the plain threshold applies. */
  readonly #needed: { first: number; full: number };
  readonly #week: number;
  readonly #slotOf: (index: number) => number;
  readonly #calendar: CalendarExcess | undefined;
  readonly #negligible: NegligibleCost;
  readonly #residuals = new RecentSizes(RESIDUALS);
  readonly #signs: Int8Array;
  /** Per slot of the week, the first bucket whose value is like those to come. */
  readonly #since: Uint32Array;
  /** What has to be added to earlier values to compare them with those at the present level. */
  readonly #added: Float64Array;
  #seasons: Seasonality;
  #levelSince = 0;
  /** Alarms of one sign in a row, with that sign. */
  #row = 0;
  #lastShift: LevelShift | undefined;

  constructor(series: WatchedSeries, threshold: number, needed: { first: number; full: number }) {
    const { values, period, slots, dayOfMonth, daysToEnd, minorUnit } = series;
    this.#series = series;
    this.#threshold = threshold;
    this.#needed = needed;
    this.#week = Math.max(period, 7);
    this.#slotOf = (index) => slots[index] ?? 0;
    this.#calendar = dayOfMonth && daysToEnd ? new CalendarExcess(dayOfMonth, daysToEnd) : undefined;
    this.#negligible = new NegligibleCost(minorUnit);
    this.#signs = new Int8Array(values.length);
    this.#since = new Uint32Array(period);
    this.#added = new Float64Array(values.length);
    this.#seasons = flat('factors', period);
    this.begin = Math.max(
      0,
      values.findIndex((value) => value !== 0 && !Number.isNaN(value)),
    );
    this.clean = Float64Array.from(values).fill(Number.NaN, 0, this.begin);
  }

  /** Whether enough of the series is known before a bucket for an alarm. */
  isEvaluated(t: number): boolean {
    return t - this.begin >= this.#needed.first;
  }

  /** Undefined for a gap, and where no level is known. */
  expect(t: number): Expectation | undefined {
    const { values, period } = this.#series;
    const age = t - this.begin;
    const negligible = this.#negligible.before(values, t, age);
    if (age >= 2 * Math.min(period, 7) && t % this.#week === 0) this.#learnSeasons(t);
    const value = values[t] ?? Number.NaN;
    const level = this.#levelBefore(t);
    if (Number.isNaN(level) || Number.isNaN(value)) return undefined;
    const { mode } = this.#seasons;
    const excess = this.#calendar?.expected(t, level) ?? 0;
    const base = seasoned(level, this.#slotOf(t), this.#seasons);
    // Amounts are noisy by the level, on quiet weekends too: by what little is expected there every weekend would be an alarm.
    const unit = mode === 'offsets' ? Math.max(negligible, Math.abs(level)) : negligible;
    const scale = scaleOf(this.#residuals);
    // A young level rests on few days: it is trusted as little as a short history.
    const isYoung = age < this.#needed.full || (this.#levelSince > 0 && t - this.#levelSince < YOUNG);
    const threshold = isYoung ? this.#threshold * SHORT_HISTORY_FACTOR : this.#threshold;
    const before = this.#beforeShift(t, excess);
    const expectation = { value, base, excess, unit, residual: residualOf(value, base + excess, unit, mode), scale, threshold, before };
    return this.#provesAdded(t, expectation) ? this.#expectSum(t, expectation) : expectation;
  }

  /** Compares the value of a bucket with what is expected. Changes nothing. */
  alarm(t: number, expectation: Expectation): Alarm {
    const { value, base, excess, unit, residual, scale, threshold } = expectation;
    const { mode } = this.#seasons;
    const z = residual / scale;
    const isFar = Math.abs(z) >= threshold;
    // Only what would be an alarm: noise of an earlier month comes again by chance.
    const isKnown = isFar && (this.#calendar?.isRepeated(t, value - base) ?? false);
    const sign = this.isEvaluated(t) && isFar && !isKnown ? Math.sign(z) : 0;
    const before = this.#levelAgain(t, expectation, sign);
    const expected = before ?? (isKnown ? value : base + excess);
    const [lower, upper] = boundsAround(expected, scale * threshold, unit, mode);
    if (before !== undefined)
      return { sign: 0, expected, z: residualOf(value, before, unit, mode) / scale, lower, upper, isKnown, isBack: true };
    return { sign, expected, z: isKnown ? 0 : z, lower, upper, isKnown, isBack: false };
  }

  /** Learns from a final bucket: what the calendar adds, the usual size of residuals, and the value without what was odd. */
  learn(t: number, { value, base, excess, residual, scale, threshold }: Expectation, { sign, isKnown }: Alarm): void {
    const { values } = this.#series;
    const age = t - this.begin;
    const first = values[this.begin] ?? 0;
    if (age >= WARM) this.#calendar?.learn(t, value - base);
    // A series may begin with the first of its fees.
    else if (age === 1 && value < first / 2) this.#calendar?.learn(this.begin, first - value);
    this.clean[t] = sign === 0 && !isKnown ? value - excess : base;
    if (age >= WARM && Math.abs(residual / scale) < threshold) this.#residuals.add(residual);
    this.#signs[t] = sign;
    this.#row = sign !== 0 && sign === Math.sign(this.#row) ? this.#row + sign : sign;
  }

  /** Leaves a bucket that is not final out of everything. */
  skip(t: number): void {
    this.clean[t] = Number.NaN;
  }

  /** After `learn`: returns to the level before, accepts a new level, or a new week. */
  shift(t: number, { before }: Expectation, { sign, isBack }: Alarm): void {
    if (isBack && before) this.#returnToLevel(t, before.seasons);
    else if (Math.abs(this.#row) === ACCEPT_AFTER) this.#acceptLevel(t);
    else if (sign !== 0 && isHabit(this.#signs, t, this.#series.period)) this.#acceptWeek(t);
    if (this.#lastShift && t - this.#lastShift.at > REMEMBERED * this.#week) this.#lastShift = undefined;
  }

  #levelBefore(end: number): number {
    return levelBefore(this.clean, end, this.#slotOf, this.#seasons, this.#levelSince);
  }

  #learnSeasons(end: number): void {
    const added = this.#added;
    const values = added.some((by) => by !== 0) ? this.clean.map((value, at) => value + (added[at] ?? 0)) : this.clean;
    this.#seasons = seasonsBefore(values, end, this.#slotOf, this.#seasons, this.#since);
  }

  #beforeShift(t: number, excess: number): Expectation['before'] {
    const shift = this.#lastShift;
    if (!shift) return undefined;
    const seasons = shift.isAdded ? shift.seasons : this.#seasons;
    return { expected: seasoned(shift.level, this.#slotOf(t), seasons) + excess, seasons };
  }

  /** What was expected at the level before the last shift, if an alarm shows that the cost is back there. */
  #levelAgain(t: number, { value, unit, scale, threshold, before }: Expectation, sign: number): number | undefined {
    const shift = this.#lastShift;
    if (!shift || !before || sign !== -shift.sign || t - shift.at > REMEMBERED * this.#week) return undefined;
    const isNear = Math.abs(residualOf(value, before.expected, unit, this.#seasons.mode)) < scale * threshold;
    return isNear ? before.expected : undefined;
  }

  /** Whether this bucket shows that the new level is the old one and a constant amount. */
  #provesAdded(t: number, { value, residual, unit, scale, threshold, before }: Expectation): boolean {
    const shift = this.#lastShift;
    const { mode } = this.#seasons;
    return (
      shift !== undefined &&
      before !== undefined &&
      !shift.isAdded &&
      mode === 'factors' &&
      Math.abs(residual) >= scale * threshold &&
      Math.abs(residualOf(value, before.expected + shift.by, unit, mode)) < scale * threshold &&
      isSum(this.#series.values.subarray(shift.start, t + 1), shift, this.#slotOf)
    );
  }

  /** What came on top has no weekends: the week of the sum is flatter than it was. */
  #expectSum(t: number, expectation: Expectation): Expectation {
    const shift = this.#lastShift;
    if (shift) {
      shift.isAdded = true;
      this.#add(shift, shift.by);
    }
    this.#learnSeasons(t);
    const { value, excess, unit } = expectation;
    const base = seasoned(this.#levelBefore(t), this.#slotOf(t), this.#seasons);
    return { ...expectation, base, residual: residualOf(value, base + excess, unit, this.#seasons.mode) };
  }

  #add({ start }: LevelShift, by: number): void {
    for (let index = this.begin; index < start; index++) this.#added[index] = (this.#added[index] ?? 0) + by;
  }

  #returnToLevel(t: number, seasons: Seasonality): void {
    const shift = this.#lastShift;
    if (!shift) return;
    for (let index = shift.start; index < t; index++)
      if (!Number.isNaN(this.clean[index])) this.clean[index] = seasoned(shift.level, this.#slotOf(index), seasons);
    if (shift.isAdded) this.#add(shift, -shift.by);
    this.#seasons = seasons;
    this.returned.push({ start: shift.start, end: t - 1 });
    this.#levelSince = 0;
    this.#lastShift = undefined;
  }

  #acceptLevel(t: number): void {
    const { values } = this.#series;
    const start = t - ACCEPT_AFTER + 1;
    if (this.#lastShift && !this.#lastShift.isAdded) this.#lastShift.by = Number.NaN;
    this.#lastShift ??= shiftOf(values.subarray(start, t + 1), start, this.#levelBefore(start), this.#slotOf, this.#seasons);
    this.#levelSince = start;
    // Amounts of the week at one level say nothing about another, and factors nothing about zero.
    if (
      this.#seasons.mode === 'offsets' ||
      isFromOrToNothing(this.#lastShift.level, levelBefore(values, t + 1, this.#slotOf, this.#seasons, start))
    )
      this.#since.fill(start);
    for (let index = start; index <= t; index++) this.clean[index] = values[index] ?? Number.NaN;
    this.accepted.push(t);
    this.#row = 0;
  }

  /** The same day of three weeks: the week has changed, not the level. */
  #acceptWeek(t: number): void {
    const { values, period } = this.#series;
    for (let index = t; index > t - 3 * period; index -= period) this.clean[index] = values[index] ?? Number.NaN;
    this.#since[this.#slotOf(t)] = t - 2 * period;
    this.#learnSeasons(t + 1);
  }
}

/** Alarms of one sign in the same slot of three weeks. */
function isHabit(signs: Int8Array, at: number, period: number): boolean {
  return period > 1 && signs[at - period] === signs[at] && signs[at - 2 * period] === signs[at];
}
