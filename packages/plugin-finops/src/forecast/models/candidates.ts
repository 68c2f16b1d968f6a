import { median } from '@bylaw/core/number';
import { hasSeason } from './autocorrelation.js';
import { seasonalIndices, withoutSeason, withSeason } from './classical.js';
import { crostonForecast } from './croston.js';
import { dampedHoltForecast } from './damped-holt.js';
import { mstl } from './mstl.js';
import { fitSes } from './ses.js';
import { thetaForecast } from './theta.js';
import { yearlySeason } from './yearly.js';

export const METHODS = ['ses', 'theta', 'damped', 'mstl_theta', 'mstl_damped', 'snaive', 'croston'] as const;
export type Method = (typeof METHODS)[number];

/** What is known of a series in addition to its values. */
export interface SeriesKind {
  /** Lengths of the cycles that it may have, ascending. */
  periods: readonly number[];
  /** Buckets are days: the year is looked at, too. */
  daily: boolean;
  /** More than 40 % of the values are zero. */
  intermittent: boolean;
}

export interface Candidates {
  /** Lengths of the cycles that it has. */
  seasons: readonly number[];
  forecasts: ReadonlyMap<Method, Float64Array>;
  /** The forecast to beat: the last value, with the season of the classical decomposition. */
  naive2: Float64Array;
}

/** The smallest value, as a share of the median, from which on logarithms are taken: below, they would blow up what is small. */
const LEAST_FOR_LOGARITHMS = 0.05;

/** The largest forecast of logarithms, in times of what was the largest so far: the trend of a jump at the end is a power there, and soon without bounds. */
const MOST_GROWTH = 3;

/** What is smaller is taken for nothing: no amount is, and its square would be. */
const LEAST_AMOUNT = 1e-100;

/** The forecasts of all methods that suit the series. @param history without gaps */
export function candidates(history: Float64Array, kind: SeriesKind, horizon: number): Candidates {
  const values = history.map((value) => (Math.abs(value) < LEAST_AMOUNT ? 0 : value));
  const seasons = kind.periods.filter((period) => hasSeason(values, period));
  const season = seasonalIndices(values, seasons.at(-1) ?? 1);
  const plain = withoutSeason(values, season);
  const n = values.length;
  const { level } = fitSes(plain);
  const naive2 = withSeason(new Float64Array(horizon).fill(plain.at(-1) ?? 0), season, n);
  const forecasts = new Map<Method, Float64Array>([
    ['ses', withSeason(new Float64Array(horizon).fill(level), season, n)],
    ['snaive', lastSeason(values, seasons.at(-1) ?? 1, horizon)],
  ]);
  if (kind.intermittent) forecasts.set('croston', crostonForecast(values, horizon));
  else {
    forecasts.set('theta', withSeason(thetaForecast(plain, horizon), season, n));
    forecasts.set('damped', withSeason(dampedHoltForecast(plain, horizon), season, n));
    addDecomposed(forecasts, values, seasons, kind.daily, horizon);
  }
  if (values.every((value) => value >= 0)) for (const forecast of forecasts.values()) clip(forecast);
  return { seasons, forecasts, naive2 };
}

function lastSeason(values: Float64Array, period: number, horizon: number): Float64Array {
  const start = values.length - period;
  return Float64Array.from({ length: horizon }, (_, j) => values[start + (j % period)] ?? 0);
}

/** Theta and damped trend on what MSTL leaves when it has taken the seasons away. */
function addDecomposed(
  forecasts: Map<Method, Float64Array>,
  values: Float64Array,
  seasons: readonly number[],
  daily: boolean,
  horizon: number,
): void {
  const smallest = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const most = MOST_GROWTH * values.reduce((largest, value) => Math.max(largest, value), 0);
  const ahead =
    smallest > 0 && smallest > LEAST_FOR_LOGARITHMS * median(values) ? decomposed(values.map(Math.log), seasons, daily, horizon) : [];
  const grown = ahead.map((forecast) => forecast.map(Math.exp));
  const isSane = grown.length > 0 && grown.every((forecast) => forecast.every((value) => value <= most));
  const [theta, damped] = isSane ? grown : decomposed(values, seasons, daily, horizon);
  if (theta && damped) forecasts.set('mstl_theta', theta).set('mstl_damped', damped);
}

/** By theta, and by a damped trend. */
function decomposed(values: Float64Array, seasons: readonly number[], daily: boolean, horizon: number): Float64Array[] {
  const n = values.length;
  const parts = mstl(values, seasons);
  const rest = values.map((value, t) => parts.reduce((left, part) => left - (part[t] ?? 0), value));
  const yearly = daily ? yearlySeason(rest) : undefined;
  const plain = yearly ? rest.map((value, t) => value - yearly(t)) : rest;
  const lasts = parts.map((part, at) => lastSeason(part, seasons[at] ?? 1, horizon));
  const seasonal = (ahead: Float64Array) =>
    ahead.map((value, j) => lasts.reduce((total, last) => total + (last[j] ?? 0), value) + (yearly?.(n + j) ?? 0));
  return [seasonal(thetaForecast(plain, horizon)), seasonal(dampedHoltForecast(plain, horizon))];
}

/** What never was negative is not forecast to be. */
function clip(forecast: Float64Array): void {
  for (let j = 0; j < forecast.length; j++) forecast[j] = Math.max(0, forecast[j] ?? 0);
}
