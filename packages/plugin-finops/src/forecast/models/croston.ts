/** Share by which size and interval follow each demand. Source: J. D. Croston, "Forecasting and Stock Control for Intermittent Demands" (1972), who takes 0.1 to 0.2. */
const ALPHA = 0.1;

/**
 * The level of a series with many zeros: smoothed size of what is not zero, divided by its smoothed interval, without Croston's bias.
 * Source: A. A. Syntetos and J. E. Boylan, "The accuracy of intermittent demand estimates" (2005), International Journal of Forecasting 21, 303–314.
 */
export function crostonForecast(values: Float64Array, horizon: number): Float64Array {
  let [size, interval, since] = [Number.NaN, 1, 0];
  for (const value of values) {
    since += 1;
    if (value === 0) continue;
    if (Number.isNaN(size)) [size, interval] = [value, since];
    else {
      size += ALPHA * (value - size);
      interval += ALPHA * (since - interval);
    }
    since = 0;
  }
  return new Float64Array(horizon).fill(Number.isNaN(size) ? 0 : ((1 - ALPHA / 2) * size) / interval);
}
