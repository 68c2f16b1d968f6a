import { fitSes } from './ses.js';

/**
 * The theta method with two lines: the mean of the regression line, and of simple exponential smoothing of what has twice the distance from it.
 * Source: V. Assimakopoulos and K. Nikolopoulos, "The theta model" (2000), International Journal of Forecasting 16, 521–530.
 */
export function thetaForecast(values: Float64Array, horizon: number): Float64Array {
  const { intercept, slope } = regression(values);
  const doubled = values.map((value, t) => 2 * value - (intercept + slope * t));
  const { level } = fitSes(doubled);
  return Float64Array.from({ length: horizon }, (_, j) => (intercept + slope * (values.length + j) + level) / 2);
}

/** Least squares over time, from 0. */
export function regression(values: Float64Array): { intercept: number; slope: number } {
  const n = values.length;
  const middle = (n - 1) / 2;
  const origin = values[0] ?? 0;
  let [sum, product] = [0, 0];
  for (let t = 0; t < n; t++) {
    const value = (values[t] ?? 0) - origin;
    sum += value;
    product += (t - middle) * value;
  }
  const slope = n > 1 ? product / ((n * (n * n - 1)) / 12) : 0;
  return { intercept: origin + sum / n - slope * middle, slope };
}
