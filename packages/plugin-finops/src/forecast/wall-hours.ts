/**
 * The hours that a clock shows, in place of those of UTC: the hour that it shows twice becomes one, and the one that it skips is a gap, so that every
 * day has 24 and every cycle its length.
 */
export interface WallHours {
  /** Hour of the week of each place, from 0 at midnight to Monday: of the history, and of all that is forecast. */
  slots: Uint16Array;
  /** Places of the history. */
  length: number;
  /** Place of each bucket, history and forecast. */
  places: Int32Array;
}

const HOURS_OF_WEEK = 168;

/**
 * @param hours of the week, that the clock shows at each bucket
 * @param known how many of the buckets are of the history
 */
export function wallHours(hours: Uint16Array, known: number): WallHours {
  const places = new Int32Array(hours.length);
  for (let t = 1; t < hours.length; t++) {
    const step = ((hours[t] ?? 0) - (hours[t - 1] ?? 0) + HOURS_OF_WEEK) % HOURS_OF_WEEK;
    places[t] = (places[t - 1] ?? 0) + step;
  }
  const first = hours[0] ?? 0;
  return {
    slots: Uint16Array.from({ length: (places.at(-1) ?? -1) + 1 }, (_, place) => (first + place) % HOURS_OF_WEEK),
    length: known === 0 ? 0 : (places[known - 1] ?? 0) + 1,
    places,
  };
}

/** Values of buckets at the hours of the clock: the mean of what has one hour, NaN where none has. */
export function atWallHours(values: Float64Array, { length, places }: WallHours): Float64Array {
  const sums = new Float64Array(length);
  const counts = new Uint8Array(length);
  for (const [t, value] of values.entries()) {
    const place = places[t] ?? 0;
    if (Number.isNaN(value)) continue;
    sums[place] = (sums[place] ?? 0) + value;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return sums.map((sum, place) => sum / (counts[place] || Number.NaN));
}

/** Lead, from 0, of the place of each bucket to come. */
export function leadsOf({ length, places }: WallHours, known: number): Int32Array {
  return places.slice(known).map((place) => Math.max(0, place - length));
}
