import { normalQuantile, sorted } from '@bylaw/core/number';

/** Errors of backtested forecasts: for each origin, actual less forecast at every lead. */
export type Errors = readonly Float64Array[];

/** How errors spread: a scale for each lead, and the sizes of errors in units of it. */
export interface Spread {
  /** The scale of the error `j` buckets ahead, from 1, is `j` to this power. */
  exponent: number;
  errors: Errors;
}

/** Bounds of the exponent, and where it is drawn to: errors of a random walk grow with 0.5, of a level with 0. */
const LEAST_EXPONENT = 0.1;
const MOST_EXPONENT = 0.9;
const USUAL_EXPONENT = 0.4;

/** What backtests do not show: parameters and weights were chosen on the same origins. */
const INFLATION = 1.2;

/** How much more of it few errors need, divided by their number: their largest is far from the largest of many. Chosen on the even half of M1's series (bench/forecast.ts). */
const FEW_ERRORS = 4;

/** Learns how errors grow with the lead: the slope of their logarithms, half of it drawn to the usual one. */
export function spreadOf(errors: Errors): Spread {
  const leads = errors[0]?.length ?? 0;
  const points: { x: number; y: number }[] = [];
  for (let j = 0; j < leads; j++) {
    const mean = errors.reduce((sum, of) => sum + Math.abs(of[j] ?? 0), 0) / errors.length;
    if (mean > 0) points.push({ x: Math.log(j + 1), y: Math.log(mean) });
  }
  const slope = points.length < 3 ? USUAL_EXPONENT : Math.min(MOST_EXPONENT, Math.max(LEAST_EXPONENT, slopeOf(points)));
  return { exponent: (slope + USUAL_EXPONENT) / 2, errors };
}

function slopeOf(points: readonly { x: number; y: number }[]): number {
  const [mx, my] = [points.reduce((sum, { x }) => sum + x, 0) / points.length, points.reduce((sum, { y }) => sum + y, 0) / points.length];
  const [xx, xy] = [points.reduce((sum, { x }) => sum + (x - mx) ** 2, 0), points.reduce((sum, { x, y }) => sum + (x - mx) * (y - my), 0)];
  return xx > 0 ? xy / xx : USUAL_EXPONENT;
}

/** Half the width of the interval of a level (0 to 1) at each lead, which holds the actual value in that share of cases. */
export function halfWidths(spread: Spread, level: number, horizon: number): Float64Array {
  const inflation = inflationOf(spread);
  const q = conformalQuantile(sorted(scaledErrors(spread, 1).map(Math.abs)), level);
  return Float64Array.from({ length: horizon }, (_, j) => inflation * q * scaleOf(spread, j, 1));
}

/**
 * Errors to expect of the sum over the leads `first` to `first + length - 1` (from 0), ascending: those of sums over as many leads in the backtests,
 * wherever they began, scaled to the leads. A sum longer than the backtests is held against their longest.
 */
export function errorsOfSum(spread: Spread, first: number, length: number): Float64Array {
  const scale = inflationOf(spread) * scaleOf(spread, first, length);
  return sorted(scaledErrors(spread, length).map((error) => error * scale));
}

/** Half the width of the interval of a sum. @param errors of `errorsOfSum` */
export function halfWidthOfSum(errors: Float64Array, level: number): number {
  return conformalQuantile(sorted(errors.map(Math.abs)), level);
}

function inflationOf({ errors }: Spread): number {
  const count = errors.reduce((sum, { length }) => sum + length, 0);
  return INFLATION * (1 + FEW_ERRORS / Math.max(1, count));
}

/** Errors of sums over `length` leads in units of their scale. */
function scaledErrors(spread: Spread, length: number): Float64Array {
  const leads = spread.errors[0]?.length ?? 0;
  const own = Math.min(length, leads);
  const scaled: number[] = [];
  for (const errors of spread.errors) {
    for (let first = 0; first + own <= leads; first++) {
      let sum = 0;
      for (let j = first; j < first + own; j++) sum += errors[j] ?? 0;
      scaled.push(sum / scaleOf(spread, first, own));
    }
  }
  return Float64Array.from(scaled);
}

function scaleOf({ exponent }: Spread, first: number, length: number): number {
  let sum = 0;
  for (let j = first; j < first + length; j++) sum += (j + 1) ** exponent;
  return sum;
}

/**
 * The size of error that a new one does not exceed with the chance `level`: the ⌈(m + 1) level⌉-th of the sorted sizes. Where there are too few, the
 * largest is stretched as the normal distribution would.
 * Source: V. Vovk, A. Gammerman and G. Shafer, "Algorithmic Learning in a Random World" (2005), chapter 4; J. Lei et al. (2018), split conformal.
 */
function conformalQuantile(ascending: Float64Array, level: number): number {
  const m = ascending.length;
  if (m === 0) return Number.NaN;
  const rank = Math.ceil((m + 1) * level);
  if (rank <= m) return ascending[rank - 1] ?? 0;
  return (
    ((ascending.at(-1) ?? 0) * normalQuantile((1 + level) / 2)) /
    Math.min(normalQuantile((1 + m / (m + 1)) / 2), normalQuantile((1 + level) / 2))
  );
}
