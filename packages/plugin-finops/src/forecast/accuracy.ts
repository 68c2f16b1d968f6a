import { type Backtest, combined } from './backtest.js';
import { type Errors, halfWidths, spreadOf } from './conformal.js';
import type { Method } from './models/index.js';

/** How good the forecast was at the origins of the backtest: of cost without anomalies. */
export interface Accuracy {
  origins: number;
  /** Buckets ahead. */
  horizon: number;
  /** Mean absolute error, in units of cost. */
  mae: number;
  /** Sum of absolute errors divided by the sum of the actual values; null where that is zero. */
  wape: number | null;
  /** Mean absolute error divided by that of the seasonal naive forecast within the history. */
  mase: number | null;
  /** Symmetric mean absolute percentage error, 0 to 200. */
  smape: number;
  naive2_mase: number | null;
  /** Overall weighted average of the M4 competition, relative to Naive 2: below 1 is better than it. */
  owa: number | null;
  /** Share of the actual values within the intervals, which come from the other origins. */
  coverage_80: number | null;
  coverage_95: number | null;
}

/**
 * Measures of the combined forecast over all origins.
 * Source of MASE, sMAPE and OWA: S. Makridakis, E. Spiliotis and V. Assimakopoulos, "The M4 Competition" (2020), International Journal of Forecasting 36, 54–74.
 * @param values from whose beginning each origin was forecast
 */
export function accuracyOf({ origins, horizon }: Backtest, weights: ReadonlyMap<Method, number>, values: Float64Array): Accuracy {
  const mine = { absolute: 0, percentage: 0, scaled: 0 };
  const naive = { absolute: 0, percentage: 0, scaled: 0 };
  let [sum, count] = [0, 0];
  let scaled = true;
  for (const { candidates, actual, end } of origins) {
    const forecast = combined(candidates, weights, horizon);
    const scale = naiveError(values.subarray(0, end), candidates.seasons.at(-1) ?? 1);
    if (!(scale > 0)) scaled = false;
    for (let j = 0; j < horizon; j++) {
      const value = actual[j] ?? 0;
      add(mine, value, forecast[j] ?? 0, scale);
      add(naive, value, candidates.naive2[j] ?? 0, scale);
      sum += Math.abs(value);
      count += 1;
    }
  }
  const comparable = scaled && naive.scaled > 0 && naive.percentage > 0;
  return {
    origins: origins.length,
    horizon,
    mae: mine.absolute / count,
    wape: sum > 0 ? mine.absolute / sum : null,
    mase: scaled ? mine.scaled / count : null,
    smape: mine.percentage / count,
    naive2_mase: scaled ? naive.scaled / count : null,
    owa: comparable ? (mine.scaled / naive.scaled + mine.percentage / naive.percentage) / 2 : null,
    coverage_80: coverage(errorsOf({ origins, horizon }, weights), 0.8),
    coverage_95: coverage(errorsOf({ origins, horizon }, weights), 0.95),
  };
}

/** What came less the forecast, at each lead of each origin. */
export function errorsOf({ origins, horizon }: Pick<Backtest, 'origins' | 'horizon'>, weights: ReadonlyMap<Method, number>): Errors {
  return origins.map((origin) => {
    const forecast = combined(origin.candidates, weights, horizon);
    return origin.actual.map((value, j) => value - (forecast[j] ?? 0));
  });
}

function add(sums: { absolute: number; percentage: number; scaled: number }, actual: number, forecast: number, scale: number): void {
  const error = Math.abs(actual - forecast);
  const size = Math.abs(actual) + Math.abs(forecast);
  sums.absolute += error;
  sums.percentage += size > 0 ? (200 * error) / size : 0;
  sums.scaled += error / scale;
}

/** Mean absolute difference from the value one cycle before. */
export function naiveError(values: Float64Array, period: number): number {
  let sum = 0;
  for (let t = period; t < values.length; t++) sum += Math.abs((values[t] ?? 0) - (values[t - period] ?? 0));
  return sum / Math.max(1, values.length - period);
}

/** Share of errors within the interval that the other origins give. */
function coverage(errors: Errors, level: number): number | null {
  if (errors.length < 3) return null;
  let [within, count] = [0, 0];
  for (const [at, own] of errors.entries()) {
    const bounds = halfWidths(spreadOf(errors.filter((_, other) => other !== at)), level, own.length);
    for (let j = 0; j < own.length; j++) if (Math.abs(own[j] ?? 0) <= (bounds[j] ?? 0)) within += 1;
    count += own.length;
  }
  return within / count;
}
