import { type CostTable, costTables, type PlainSeries } from '@bylaw/core/cost';
import { type Forecast, type ForecastResult, forecast } from './forecast.js';
import type { ForecastParameters } from './parameters.js';

export const DEFAULTS: ForecastParameters = {
  horizon: null,
  until: null,
  levels: [80, 95],
  budgets: [],
  known_changes: [],
  reconcile: false,
  backtest: { origins: 6 },
  include_history: false,
};

export type Series = Partial<PlainSeries> & Pick<PlainSeries, 'values'>;

/** Days from 2026-01-01 on. */
export function tableOf(...series: Series[]): CostTable {
  const plain = series.map((one, at) => ({ id: `s${at}`, granularity: 'day' as const, start: '2026-01-01', ...one }));
  const [table] = costTables({ currency: 'USD', series: plain });
  if (!table) throw new Error('no table');
  return table;
}

export function forecastOf(
  values: readonly (number | null)[],
  parameters: Partial<ForecastParameters> = {},
  series: Partial<PlainSeries> = {},
) {
  return only(forecast(tableOf({ ...series, values }), [], { ...DEFAULTS, ...parameters }));
}

export function only({ forecasts }: ForecastResult): Forecast {
  const [first] = forecasts;
  if (!first || forecasts.length !== 1) throw new Error(`${forecasts.length} forecasts`);
  return first;
}

/** Noise that is the same in every run, -0.5 to 0.5. */
export function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648 - 0.5;
  };
}

/** Day of the month of the t-th day of 2026, and whether it is a weekend. */
export function dayAt(t: number): { day: number; weekend: boolean } {
  const date = new Date(Date.UTC(2026, 0, 1 + t));
  return { day: date.getUTCDate(), weekend: date.getUTCDay() % 6 === 0 };
}

/** Working days more expensive than weekends, with 4 % of noise. */
export function workdays(n: number, seed = 1): number[] {
  const random = noise(seed);
  return Array.from({ length: n }, (_, t) => (dayAt(t).weekend ? 70 : 100) * (1 + 0.04 * random()));
}
