import { deseasoned, medianOf, type Seasonality } from '../../series/seasons.js';

/** Values that a level is taken from, and how many buckets back they may be. */
const LEVEL_VALUES = 10;
const LEVEL_BUCKETS = 20;

/** Used anew for every bucket: making one for each would be half of the work. */
const latest = new Float64Array(LEVEL_VALUES);

/**
 * The level just before `end`, without season; NaN without a value. The newest values weigh more.
 * @param since first bucket of this level: buckets before it are of another one
 */
export function levelBefore(
  clean: Float64Array,
  end: number,
  slotOf: (index: number) => number,
  seasons: Seasonality,
  since: number,
): number {
  let found = 0;
  for (let index = end - 1; index >= since && index >= end - LEVEL_BUCKETS && found < LEVEL_VALUES; index--) {
    const value = clean[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    latest[found++] = deseasoned(value, slotOf(index), seasons);
  }
  if (found === 0) return Number.NaN;
  return 0.4 * medianOf(latest, 0, found) + 0.6 * medianOf(latest, 0, Math.min(found, 4));
}
