import { nelderMead } from './nelder-mead.js';

/** Exponential smoothing with a damped trend and additive errors. */
export interface DampedHoltFit {
  alpha: number;
  /** Share of an error that goes into the trend. */
  beta: number;
  phi: number;
  /** Level and trend after the last value. */
  level: number;
  trend: number;
  /** Sum of the squared errors one step ahead. */
  sse: number;
}

/**
 * Bounds as in R. J. Hyndman and G. Athanasopoulos, "Forecasting: Principles and Practice" (3rd edition), 8.2: a stronger damping is
 * seldom better, and a weaker one hardly damps.
 */
const LEAST_PHI = 0.8;
const MOST_PHI = 0.98;

/** Evaluations of the search. More change forecasts by less than a thousandth. */
const MOST_EVALUATIONS = 60;

/** The forecast of Holt's method with a damped trend, its parameters and starts those of least squared error one step ahead. */
export function dampedHoltForecast(values: Float64Array, horizon: number): Float64Array {
  const { level, trend, phi } = fitDampedHolt(values);
  let [reach, power] = [0, 1];
  return Float64Array.from({ length: horizon }, () => {
    power *= phi;
    reach += power;
    return level + reach * trend;
  });
}

export function fitDampedHolt(values: Float64Array): DampedHoltFit {
  const cost = (at: Float64Array) => smooth(values, parametersAt(at)).sse;
  const best = nelderMead(cost, Float64Array.of(0, -2, 0.5), 1, MOST_EVALUATIONS);
  return smooth(values, parametersAt(best));
}

/** Any three numbers as parameters within their bounds. */
function parametersAt(at: Float64Array): { alpha: number; beta: number; phi: number } {
  const alpha = logistic(at[0] ?? 0);
  return { alpha, beta: alpha * logistic(at[1] ?? 0), phi: LEAST_PHI + (MOST_PHI - LEAST_PHI) * logistic(at[2] ?? 0) };
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

/** Below this, squared, what is left of the starts no longer shows. */
const FORGOTTEN = 1e-18;

/**
 * Errors are linear in both starts, so the best starts for given parameters come from two normal equations: the recursion is run for the
 * values, for a level of one and for a trend of one at once, the latter two until they are forgotten.
 */
function smooth(values: Float64Array, { alpha, beta, phi }: { alpha: number; beta: number; phi: number }): DampedHoltFit {
  const n = values.length;
  const origin = values[0] ?? 0;
  let level = 0;
  let trend = 0;
  let levelOfLevel = 1;
  let trendOfLevel = 0;
  let levelOfTrend = 0;
  let trendOfTrend = 1;
  let ee = 0;
  let el = 0;
  let et = 0;
  let ll = 0;
  let lt = 0;
  let tt = 0;
  let t = 0;
  for (let left = 1; t < n && left > FORGOTTEN; t++) {
    const ahead = level + phi * trend;
    const aheadOfLevel = levelOfLevel + phi * trendOfLevel;
    const aheadOfTrend = levelOfTrend + phi * trendOfTrend;
    const error = (values[t] ?? 0) - origin - ahead;
    ee += error * error;
    el += error * aheadOfLevel;
    et += error * aheadOfTrend;
    ll += aheadOfLevel * aheadOfLevel;
    lt += aheadOfLevel * aheadOfTrend;
    tt += aheadOfTrend * aheadOfTrend;
    level = ahead + alpha * error;
    trend = phi * trend + beta * error;
    levelOfLevel = (1 - alpha) * aheadOfLevel;
    trendOfLevel = phi * trendOfLevel - beta * aheadOfLevel;
    levelOfTrend = (1 - alpha) * aheadOfTrend;
    trendOfTrend = phi * trendOfTrend - beta * aheadOfTrend;
    left = levelOfLevel * levelOfLevel + trendOfLevel * trendOfLevel + levelOfTrend * levelOfTrend + trendOfTrend * trendOfTrend;
  }
  for (; t < n; t++) {
    const ahead = level + phi * trend;
    const error = (values[t] ?? 0) - origin - ahead;
    ee += error * error;
    level = ahead + alpha * error;
    trend = phi * trend + beta * error;
  }
  const determinant = ll * tt - lt * lt;
  const regular = determinant > 1e-12 * ll * tt;
  const startLevel = regular ? (el * tt - et * lt) / determinant : el / ll;
  const startTrend = regular ? (et * ll - el * lt) / determinant : 0;
  return {
    ...{ alpha, beta, phi },
    level: origin + level + startLevel * levelOfLevel + startTrend * levelOfTrend,
    trend: trend + startLevel * trendOfLevel + startTrend * trendOfTrend,
    sse: Math.max(0, ee - startLevel * el - startTrend * et),
  };
}
