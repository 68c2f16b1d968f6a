import { scaleLinear } from 'd3-scale';
import { tickTexts } from './format-number.js';

/** Where values are on an axis. */
export interface ValueScale {
  /** Always within the ends of the axis. */
  at(value: number): number;
  ticks: readonly { at: number; value: number; text: string }[];
}

/** Larger numbers would overflow when distances are computed; such a chart shows no more than that they are large. */
const FURTHEST = 1e300;

/** Smaller differences are noise of the representation, and steps between ticks that small are not numbers any more. */
const FLAT = 1e-9;
const NEAREST = 1e-290;

/**
 * An axis from `from` to `to` that holds all values, with round ends.
 * @param zero whether zero is on the axis: always, or where it makes the axis no more than twice as long
 */
export function valueScale(
  values: readonly number[],
  ends: { from: number; to: number },
  { zero, ticks }: { zero: 'always' | 'near'; ticks: number },
): ValueScale {
  const [low, high] = extent(values.filter(Number.isFinite).map(bounded), zero);
  const scale = scaleLinear().domain([low, high]).nice(ticks).range([ends.from, ends.to]).clamp(true);
  const marks = scale.ticks(ticks);
  const texts = tickTexts(marks);
  return {
    at: (value) => scale(bounded(value)),
    ticks: marks.map((value, i) => ({ at: scale(value), value, text: texts[i] ?? '' })),
  };
}

function extent(values: readonly number[], zero: 'always' | 'near'): [number, number] {
  if (values.length === 0) return [0, 1];
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (zero === 'always' || (low > 0 && low <= high - low)) low = Math.min(0, low);
  if (zero === 'always' || (high < 0 && -high <= high - low)) high = Math.max(0, high);
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low > size * FLAT) return [low, high];
  if (size === 0) return [0, 1];
  return low >= 0 ? [low * 0.9, high * 1.1] : [low * 1.1, high * 0.9];
}

function bounded(value: number): number {
  if (Math.abs(value) < NEAREST) return 0;
  return Math.max(-FURTHEST, Math.min(FURTHEST, value));
}
