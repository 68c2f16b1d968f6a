import { medianOf, type Seasonality, seasoned } from '../../series/seasons.js';
import { NEGLIGIBLE_SHARE } from './negligible-cost.js';

/** A level that was accepted, and the one before it. */
export interface LevelShift {
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

/** @param values of the first buckets at the new level @param level the one before */
export function shiftOf(
  values: Float64Array,
  start: number,
  level: number,
  slotOf: (index: number) => number,
  seasons: Seasonality,
): LevelShift {
  const above = values.map((value, offset) => value - seasoned(level, slotOf(start + offset), seasons));
  const by = medianOf(above, 0, above.length);
  return { start, at: start + values.length - 1, level, seasons, sign: Math.sign(by), by, isAdded: false };
}

/** Whether values since a shift are the old level and a constant amount rather than a multiple of it: by less than half of the errors. */
export function isSum(values: Float64Array, { start, level, seasons, by }: LevelShift, slotOf: (index: number) => number): boolean {
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

/** Whether next to nothing is left of a level, or it has come from next to nothing: factors of the week cannot be carried over. */
export function isFromOrToNothing(level: number, other: number): boolean {
  return level <= other * NEGLIGIBLE_SHARE || other <= level * NEGLIGIBLE_SHARE;
}
