import { exactSum } from '@bylaw/core/number';
import { type Candidates, candidates, type Method, type SeriesKind } from './models/index.js';

/** A forecast of what is known already, made from what lay before it. */
export interface Origin {
  /** How many values the forecast was made from. */
  end: number;
  candidates: Candidates;
  /** What came then. */
  actual: Float64Array;
}

export interface Backtest {
  /** Buckets that each origin was forecast ahead. */
  horizon: number;
  /** Newest first. */
  origins: readonly Origin[];
  /** More than 40 % of the values are zero. */
  intermittent: boolean;
}

/**
 * Forecasts from up to `count` earlier places of the series, half a horizon apart. Where the series is too short for that, the horizon is made
 * shorter, down to a third of what lies behind the least history of a model.
 * @param values without gaps and anomalies: those are found by other means, and one of them would be in nearly every sum and make all of them wide
 */
export function backtest(values: Float64Array, kind: SeriesKind, horizon: number, count: number): Backtest {
  const n = values.length;
  const least = leastHistory(n, kind.periods);
  const own = backtestHorizon(n, least, horizon);
  const step = Math.max(1, Math.ceil(own / 2));
  const origins: Origin[] = [];
  for (let end = n - own; end >= least && origins.length < count && own > 0; end -= step)
    origins.push({
      end,
      candidates: candidates(values.subarray(0, end), kind, own),
      actual: values.subarray(end, end + own),
    });
  return { horizon: own, origins, intermittent: kind.intermittent };
}

/** Two cycles and two values, of the longest cycle that the series can show at all. */
function leastHistory(n: number, periods: readonly number[]): number {
  return 2 * (periods.filter((period) => n >= 2 * period + 1).at(-1) ?? 1) + 2;
}

/** Origins that weights are taken from. */
const WEIGHING = 3;

/** The longest horizon, up to the wanted one, at which there are three origins; if need be fewer. */
function backtestHorizon(n: number, least: number, wanted: number): number {
  const room = n - least;
  for (let own = Math.min(wanted, room); own > Math.max(1, Math.floor(room / 3)); own--)
    if (own + (WEIGHING - 1) * Math.ceil(own / 2) <= room) return own;
  return Math.max(0, Math.min(wanted, Math.floor(room / 3)));
}

/** Mean absolute errors below this share of the values are as good as none: a weight must stay finite. */
const NEXT_TO_NOTHING = 1e-9;

/**
 * Weights of the methods, 1 / (mean error)² over the last three origins, their sum 1. With fewer origins all methods weigh the same, and the seasonal
 * naive one nothing. Source of combining by inverse squared error: J. M. Bates and C. W. J. Granger, "The Combination of Forecasts" (1969).
 */
export function weightsOf({ origins, intermittent }: Backtest, methods: readonly Method[]): Map<Method, number> {
  const last = origins.slice(0, WEIGHING);
  if (last.length < WEIGHING) {
    const models = methods.length > 1 ? methods.filter((method) => method !== 'snaive') : methods;
    return new Map(methods.map((method) => [method, models.includes(method) ? 1 / models.length : 0]));
  }
  const sizes = last.flatMap(({ actual }) => Array.from(actual, Math.abs));
  const size = exactSum(sizes) / sizes.length;
  const least = Math.max(size * NEXT_TO_NOTHING, Number.MIN_VALUE);
  // Of what is mostly zero, zero is the forecast of the least absolute error, and the worst of a sum.
  const errorOf = intermittent ? errorOfMean : meanAbsolute;
  const raw = methods.map((method) => {
    const mean = last.reduce((sum, { candidates: made, actual }) => sum + errorOf(made.forecasts.get(method), actual), 0) / last.length;
    // Relative to the size of the values, so that squares neither overflow nor vanish.
    return (size > 0 ? size / Math.max(mean, least) : 1) ** 2;
  });
  const sum = raw.reduce((total, weight) => total + weight, 0);
  return new Map(methods.map((method, at) => [method, (raw[at] ?? 0) / sum]));
}

function meanAbsolute(forecast: Float64Array | undefined, actual: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < actual.length; j++) sum += Math.abs((actual[j] ?? 0) - (forecast?.[j] ?? 0));
  return sum / actual.length;
}

function errorOfMean(forecast: Float64Array | undefined, actual: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < actual.length; j++) sum += (actual[j] ?? 0) - (forecast?.[j] ?? 0);
  return Math.abs(sum) / actual.length;
}

/** The weighted mean of the forecasts. */
export function combined({ forecasts }: Candidates, weights: ReadonlyMap<Method, number>, horizon: number): Float64Array {
  const mean = new Float64Array(horizon);
  for (const [method, weight] of weights) {
    const forecast = forecasts.get(method);
    for (let j = 0; j < horizon; j++) mean[j] = (mean[j] ?? 0) + weight * (forecast?.[j] ?? 0);
  }
  return mean;
}
