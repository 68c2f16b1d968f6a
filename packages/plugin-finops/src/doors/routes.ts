import { COST_ERRORS, costProblemKind, costProblemPlace } from '@bylaw/core/cost';
import { HttpProblem, type ProblemKind, type Route } from '@bylaw/core/http';
import { type OperationError, operationResponse } from '@bylaw/core/operation';
import type { Services } from '@bylaw/core/plugin';
import { ANOMALIES_ANSWER } from './answer-schema.js';
import { FORECAST_ANSWER } from './forecast-schema.js';
import { MODULE, OPERATIONS, type OperationName } from './operations.js';

/** Every kind of problem that cost input can give. */
const COST_PROBLEMS: readonly ProblemKind[] = Object.keys(COST_ERRORS).flatMap((code) => costProblemKind(code) ?? []);

/** The routes of this plugin. */
export function finopsRoutes({ threads }: Pick<Services, 'threads'>): Route[] {
  return [
    route(
      threads,
      'anomalies',
      'findCostAnomalies',
      'Cost anomaly detection.',
      'Anomalies, with the drivers and causes of each.',
      ANOMALIES_ANSWER,
    ),
    route(
      threads,
      'forecast',
      'forecastCost',
      'Cost forecasting.',
      'Forecasts with prediction intervals and budget outlooks.',
      FORECAST_ANSWER,
    ),
  ];
}

function route(
  threads: Services['threads'],
  operation: OperationName,
  id: string,
  summary: string,
  description: string,
  schema: Route['responses'][number]['schema'],
): Route {
  return {
    method: 'POST',
    path: `/api/v1/finops/${operation}`,
    auth: 'api-key',
    id,
    tag: 'finops',
    summary,
    body: OPERATIONS[operation].body,
    responses: { 200: { description, schema } },
    problems: [...COST_PROBLEMS, 'evaluation-memory', 'evaluation-timeout'],
    handler: async ({ body, client, signal }) =>
      operationResponse(await threads.answer(MODULE, { operation, body }, { signal, client }), problemOf),
  };
}

function problemOf(error: OperationError): HttpProblem | undefined {
  const kind = costProblemKind(error.code);
  return kind && new HttpProblem(kind, costProblemPlace(kind.slug, error));
}
