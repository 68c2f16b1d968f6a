import { normalQuantile } from '@bylaw/core/number';
import { type Accuracy, accuracyOf, errorsOf } from './accuracy.js';
import { backtest, combined, weightsOf } from './backtest.js';
import { spreadOf } from './conformal.js';
import { grownErrors } from './growth.js';
import { candidates, type Method, type SeriesKind } from './models/index.js';
import type { Uncertainty } from './uncertainty.js';

/** A series to be forecast, without gaps. */
export interface History {
  /** What models are fitted to: anomalies and fees taken out. */
  values: Float64Array;
  /** Lengths of the cycles that it may have, ascending. */
  periods: readonly number[];
  daily: boolean;
  /** Smallest unit of the currency. */
  minorUnit: number;
}

export type Reliability = 'high' | 'medium' | 'low' | 'none';

/** What is forecast of plain numbers. */
export interface ValueForecast {
  method: 'combination' | 'last-value' | 'constant' | 'zero';
  mean: Float64Array;
  uncertainty: Uncertainty;
  weights: ReadonlyMap<Method, number>;
  seasons: readonly number[];
  /** Undefined where the history is too short for any. */
  accuracy?: Accuracy;
  reliability: Reliability;
}

/** Fewer values than these say nothing about a trend. */
const LEAST_FOR_MODELS = 8;

/** Share of zeros above which a series counts as intermittent. */
const INTERMITTENT = 0.4;

/**
 * Forecasts a series by a weighted combination of methods, and how far off it will be by how far off it would have been.
 * @param history at least two values
 * @param origins backtests at most
 */
export function forecastValues(history: History, horizon: number, origins: number): ValueForecast {
  const { values } = history;
  const [low, high] = rangeOf(values);
  if (low === 0 && high === 0) return simple('zero', 0, 0, horizon);
  if (values.length < LEAST_FOR_MODELS) return simple('last-value', values.at(-1) ?? 0, (2 * (high - low)) / Z_95, horizon);
  if (low === high) return simple('constant', low, history.minorUnit / Z_95, horizon);
  return combination(history, horizon, origins);
}

const Z_95 = normalQuantile(0.975);

function rangeOf(values: Float64Array): [number, number] {
  return [values.reduce((least, value) => Math.min(least, value)), values.reduce((most, value) => Math.max(most, value))];
}

function simple(method: Exclude<ValueForecast['method'], 'combination'>, value: number, sd: number, horizon: number): ValueForecast {
  return {
    method,
    mean: new Float64Array(horizon).fill(value),
    uncertainty: { kind: 'normal', sd, growth: 'none' },
    weights: new Map(),
    seasons: [],
    reliability: method === 'constant' ? 'medium' : 'none',
  };
}

function combination(history: History, horizon: number, most: number): ValueForecast {
  const { values, periods, daily } = history;
  const kind: SeriesKind = { periods, daily, intermittent: isIntermittent(values) };
  const made = candidates(values, kind, horizon);
  const test = backtest(values, kind, horizon, most);
  const weights = weightsOf(test, [...made.forecasts.keys()]);
  const accuracy = test.origins.length > 0 ? accuracyOf(test, weights, values) : undefined;
  const conformal = test.origins.length > 1;
  const mean = combined(made, weights, horizon);
  const period = made.seasons.at(-1) ?? 1;
  return {
    method: 'combination',
    mean,
    uncertainty: conformal
      ? { kind: 'conformal', spread: spreadOf(grownErrors(errorsOf(test, weights), test, values, mean, period)) }
      : { kind: 'normal', sd: deviationOfSteps(values, period), growth: 'random-walk' },
    weights,
    seasons: made.seasons,
    ...(accuracy && { accuracy }),
    reliability: conformal && accuracy ? reliabilityOf(accuracy, horizon) : 'low',
  };
}

export function isIntermittent(values: Float64Array): boolean {
  const zeros = values.reduce((count, value) => count + (value === 0 ? 1 : 0), 0);
  return zeros > INTERMITTENT * values.length;
}

/** Standard deviation of the error of the naive forecast one step ahead, with the season where there is one. */
function deviationOfSteps(values: Float64Array, period: number): number {
  let sum = 0;
  for (let t = period; t < values.length; t++) sum += ((values[t] ?? 0) - (values[t - period] ?? 0)) ** 2;
  return Math.sqrt(sum / Math.max(1, values.length - period));
}

/** Bounds of the design: clearly better than the naive forecast, and intervals that hold what they promise. */
const HIGH_OWA = 0.9;
const MOST_COVERAGE_ERROR = 0.05;

function reliabilityOf({ owa, coverage_95, horizon: tested }: Accuracy, horizon: number): Reliability {
  if (owa === null || owa >= 1) return 'low';
  // What was tested over a shorter horizon only is not known to be good.
  return tested === horizon && owa < HIGH_OWA && coverage_95 !== null && Math.abs(coverage_95 - 0.95) <= MOST_COVERAGE_ERROR + 1e-9
    ? 'high'
    : 'medium';
}
