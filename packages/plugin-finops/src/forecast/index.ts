/** Forecasts of cost: what it will be, how far off that may be, and what it means for budgets. */
export { type Forecast, type ForecastResult, forecast } from './forecast.js';
export { PERIODS, type Period } from './future.js';
export type { KnownChange, Match } from './known-changes.js';
export { METHODS } from './models/index.js';
export { type Budget, type ForecastParameters, MOST_BUCKETS_AHEAD } from './parameters.js';
