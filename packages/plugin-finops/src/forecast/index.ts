/** Forecasts of cost. */
export { forecastValues, type History, type ValueForecast } from './forecast-values.js';
export { widths } from './uncertainty.js';
