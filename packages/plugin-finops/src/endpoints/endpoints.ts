import { costProblems } from '@bylaw/core/cost';
import { compiledModule, defineEndpoint } from '@bylaw/core/endpoint';
import { type AnomaliesAnswer, anomaliesAnswer } from './anomalies.js';
import { ANOMALIES_BODY_SCHEMA, type AnomaliesBody } from './anomalies-request.js';
import { ANOMALIES_ANSWER } from './answer-schema.js';
import { FORECAST_BODY_SCHEMA, type ForecastAnswer, type ForecastBody, forecastAnswer } from './forecast.js';
import { FORECAST_ANSWER } from './forecast-schema.js';

const THREAD = { module: compiledModule(import.meta.url) };

/** Four weeks of a database, of which one day cost three times as much. */
const DAYS = [40, 41, 39, 42, 40, 25, 24, 41, 40, 42, 39, 41, 26, 25, 40, 42, 41, 40, 39, 24, 26, 41, 40, 125, 42, 41, 25, 24];

const DATABASE = { id: 'database', dimensions: { service: 'RDS' }, granularity: 'day', start: '2026-01-05', values: DAYS } as const;

export const findCostAnomalies = defineEndpoint<AnomaliesBody, AnomaliesAnswer>({
  id: 'findCostAnomalies',
  method: 'POST',
  path: '/api/v1/finops/anomalies',
  tag: 'finops',
  summary: 'Cost anomaly detection.',
  input: ANOMALIES_BODY_SCHEMA,
  examples: [{ summary: 'Daily cost of one service', input: { series: [DATABASE], currency: 'USD' } }],
  output: {
    description: 'Anomalies, with the drivers and causes of each.',
    schema: ANOMALIES_ANSWER,
    form: 'finops.anomalies/v1',
  },
  problems: costProblems(),
  run: anomaliesAnswer,
  thread: THREAD,
  tool: {
    name: 'detect_cost_anomalies',
    description:
      'Finds unexpected changes in cloud cost, with the drivers, causes and cost impact of each. Pass exactly one of `series`, `focus_rows` (rows of a FOCUS bill, or of an AWS, Google Cloud or Azure export) and `focus_csv`.',
  },
});

export const forecastCost = defineEndpoint<ForecastBody, ForecastAnswer>({
  id: 'forecastCost',
  method: 'POST',
  path: '/api/v1/finops/forecast',
  tag: 'finops',
  summary: 'Cost forecasting.',
  input: FORECAST_BODY_SCHEMA,
  examples: [{ summary: 'The next month of one service', input: { series: [DATABASE], currency: 'USD', horizon: 31 } }],
  output: {
    description: 'Forecasts with prediction intervals and budget outlooks.',
    schema: FORECAST_ANSWER,
    form: 'finops.forecast/v1',
  },
  problems: costProblems(),
  run: forecastAnswer,
  thread: THREAD,
  tool: {
    name: 'forecast_cost',
    description:
      'Forecasts cloud cost with prediction intervals, monthly totals, the chance of exceeding a budget, and a backtest on past data. Pass exactly one of `series`, `focus_rows` and `focus_csv`, as for detect_cost_anomalies.',
  },
});
