import { normalQuantile, sorted } from '@bylaw/core/number';
import { errorsOfSum, halfWidthOfSum, halfWidths, type Spread } from './conformal.js';

/** What is known about errors to come: learnt from backtests, or, where there are too few, taken from a normal distribution. */
export type Uncertainty =
  | { kind: 'conformal'; spread: Spread }
  /** `growth`: errors stay as they are, or add up as those of a random walk do. */
  | { kind: 'normal'; sd: number; growth: 'none' | 'random-walk' };

/** Half the width of the interval of each lead. @param level 0 to 1 */
export function widths(uncertainty: Uncertainty, level: number, horizon: number): Float64Array {
  if (uncertainty.kind === 'conformal') return halfWidths(uncertainty.spread, level, horizon);
  const { sd, growth } = uncertainty;
  const z = normalQuantile((1 + level) / 2);
  return Float64Array.from({ length: horizon }, (_, j) => z * sd * (growth === 'none' ? 1 : Math.sqrt(j + 1)));
}

/** Errors to expect of the sum over leads from `first` (from 0), ascending, all equally likely. */
export function sumErrors(uncertainty: Uncertainty, first: number, length: number): Float64Array {
  if (uncertainty.kind === 'conformal') return errorsOfSum(uncertainty.spread, first, length);
  const { sd, growth } = uncertainty;
  const scale = sd * (growth === 'none' ? length : Math.sqrt(varianceOfWalk(first, length)));
  return sorted(Array.from({ length: NORMAL_POINTS }, (_, at) => scale * normalQuantile((at + 0.5) / NORMAL_POINTS)));
}

/** Half the width of the interval of a sum. */
export function sumWidth(uncertainty: Uncertainty, errors: Float64Array, level: number): number {
  if (uncertainty.kind === 'conformal') return halfWidthOfSum(errors, level);
  // The outermost of the points stands for its quantile.
  return ((errors.at(-1) ?? 0) / normalQuantile(1 - 0.5 / NORMAL_POINTS)) * normalQuantile((1 + level) / 2);
}

const NORMAL_POINTS = 200;

/** Of the sum of a random walk with steps of variance 1 over the leads: each step counts as often as it is still in the sum. */
function varianceOfWalk(first: number, length: number): number {
  let variance = (first + 1) * length ** 2;
  for (let left = length - 1; left > 0; left--) variance += left ** 2;
  return variance;
}
