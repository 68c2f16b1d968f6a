import { quantile } from '@bylaw/core/number';
import type { RecentSizes } from '../../series/recent-sizes.js';
import type { Seasonality } from '../../series/seasons.js';

/**
 * How far a value is from the expected one: a logarithm of their ratio in `factors` mode, else a difference relative to the expected value.
 * @param unit amounts below it count as this much
 */
export function residualOf(value: number, expected: number, unit: number, mode: Seasonality['mode']): number {
  if (mode === 'factors' && expected > 0) return Math.log(Math.max(value, unit) / Math.max(expected, unit));
  return (value - expected) / Math.max(Math.abs(expected), unit);
}

/** The values whose residual has the size `width`, the lower one first. */
export function boundsAround(expected: number, width: number, unit: number, mode: Seasonality['mode']): [lower: number, upper: number] {
  if (mode === 'factors' && expected > 0) return [expected * Math.exp(-width), expected * Math.exp(width)];
  const size = Math.max(Math.abs(expected), unit) * width;
  return [expected - size, expected + size];
}

/** Residuals that the scale is taken from, and the least number of them. */
export const RESIDUALS = 60;
const LEAST_RESIDUALS = 10;
const DEFAULT_SCALE = 0.15;
const LEAST_SCALE = 0.02;

/** The usual size of residuals: by their median or by their ninetieth percentile, whichever is larger. */
export function scaleOf(residuals: RecentSizes): number {
  const sizes = residuals.ascending;
  if (sizes.length < LEAST_RESIDUALS) return DEFAULT_SCALE;
  return Math.max(1.4826 * quantile(sizes, 0.5), quantile(sizes, 0.9) / 1.645, LEAST_SCALE);
}
