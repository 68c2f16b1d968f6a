import { SortedWindow } from './sorted-window.js';

/** How a series repeats: by factors on its level, or, where it touches zero, by amounts beside it. */
export interface Seasonality {
  mode: 'factors' | 'offsets';
  /** One per slot of the week: 7 for days, 168 for hours, 1 without seasons. */
  slots: Float64Array;
}

/** Weeks that are looked back on, and the least number of values of a slot. */
const WEEKS = 10;
const LEAST_VALUES = 3;

/** An hour that the clock shows twice is more than one value of a week. */
const MOST_VALUES = WEEKS + 2;

/** A factor below this would blow up what is divided by it. */
const LEAST_FACTOR = 0.02;

/**
 * The seasons of a series up to an index, from what lies before it only.
 * @param clean cleaned values; NaN is a gap
 * @param slotOf slot of an index
 * @param before the seasons known so far, by which the values are smoothed
 * @param since per slot, the index from which on its values are like those to come
 */
export function seasonsBefore(
  clean: Float64Array,
  end: number,
  slotOf: (index: number) => number,
  before: Seasonality,
  since: Uint32Array,
): Seasonality {
  const period = before.slots.length;
  if (period === 1) return before;
  const start = Math.max(0, end - WEEKS * period);
  const mode = modeOf(clean, start, end);
  const known = before.mode === mode ? before : flat(mode, period);
  const level = centredMedians(clean, start, end, slotOf, known);
  const counts = new Uint16Array(period);
  const values = new Float64Array(period * MOST_VALUES);
  for (let index = start; index < end; index++) {
    const middle = level[index - start] ?? Number.NaN;
    const value = mode === 'factors' ? (clean[index] ?? Number.NaN) / middle : (clean[index] ?? Number.NaN) - middle;
    const slot = slotOf(index);
    const count = counts[slot] ?? 0;
    if (!Number.isFinite(value) || index < (since[slot] ?? 0) || count === MOST_VALUES) continue;
    values[slot * MOST_VALUES + count] = value;
    counts[slot] = count + 1;
  }
  const neutral = mode === 'factors' ? 1 : 0;
  const slots = new Float64Array(period);
  for (let slot = 0; slot < period; slot++) {
    const [count, first] = [counts[slot] ?? 0, slot * MOST_VALUES];
    slots[slot] = count < LEAST_VALUES ? neutral : medianOf(values, first, first + count);
  }
  const middle = medianOf(slots, 0, period);
  for (let slot = 0; slot < period; slot++) {
    const value = slots[slot] ?? neutral;
    slots[slot] = mode === 'offsets' ? value - middle : Math.max(LEAST_FACTOR, middle > 0 ? value / middle : value);
  }
  return { mode, slots };
}

export function flat(mode: Seasonality['mode'], period: number): Seasonality {
  return { mode, slots: new Float64Array(period).fill(mode === 'factors' ? 1 : 0) };
}

/** A value without its season. */
export function deseasoned(value: number, slot: number, { mode, slots }: Seasonality): number {
  const season = slots[slot] ?? 0;
  return mode === 'factors' ? value / season : value - season;
}

/** A level with its season. */
export function seasoned(level: number, slot: number, { mode, slots }: Seasonality): number {
  const season = slots[slot] ?? 0;
  return mode === 'factors' ? level * season : level + season;
}

const MOST_ZEROS = 0.2;

function modeOf(clean: Float64Array, start: number, end: number): Seasonality['mode'] {
  let zeros = 0;
  let count = 0;
  for (let index = start; index < end; index++) {
    const value = clean[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    if (value < 0) return 'offsets';
    count += 1;
    if (value === 0) zeros += 1;
  }
  return zeros > 0 && zeros >= count * MOST_ZEROS ? 'offsets' : 'factors';
}

/** Medians of a week around each value, without the seasons known so far. */
function centredMedians(
  clean: Float64Array,
  start: number,
  end: number,
  slotOf: (index: number) => number,
  known: Seasonality,
): Float64Array {
  const half = Math.floor(known.slots.length / 2);
  const plain = new Float64Array(end - start);
  for (let index = start; index < end; index++) plain[index - start] = deseasoned(clean[index] ?? Number.NaN, slotOf(index), known);
  // Weeks of hours are long: their median is taken at every sixth hour.
  const step = half > 24 ? 6 : 1;
  const medians = new Float64Array(end - start).fill(Number.NaN);
  const window = new SortedWindow(2 * half + 2);
  for (let at = -half; at < plain.length; at++) {
    if (at + half < plain.length) window.add(plain[at + half] ?? Number.NaN);
    if (at > half) window.remove(plain[at - half - 1] ?? Number.NaN);
    if (at >= 0 && at % step === 0) medians.fill(window.median(), at, Math.min(plain.length, at + step));
  }
  return medians;
}

const buffer = new Float64Array(512);

/** Median of the values of a span that are known; NaN where none is. */
export function medianOf(values: Float64Array, start: number, end: number): number {
  let count = 0;
  for (let index = Math.max(0, start); index < end; index++) {
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    // Insertion keeps the few values of a window sorted.
    let at = count++;
    while (at > 0 && (buffer[at - 1] ?? 0) > value) {
      buffer[at] = buffer[at - 1] ?? 0;
      at -= 1;
    }
    buffer[at] = value;
  }
  if (count === 0) return Number.NaN;
  const middle = count >> 1;
  return count % 2 === 1 ? (buffer[middle] ?? 0) : ((buffer[middle - 1] ?? 0) + (buffer[middle] ?? 0)) / 2;
}
