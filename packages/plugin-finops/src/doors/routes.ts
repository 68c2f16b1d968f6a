import { type HttpResponse, problem, type Route } from '@bylaw/core/http';
import { COST_PROBLEMS, costProblem } from '../problem-table.js';
import { ANOMALIES_ANSWER } from './answer-schema.js';
import { FORECAST_ANSWER } from './forecast-schema.js';
import { OPERATIONS, type OperationName } from './operations.js';
import { answerInThread, type ThreadAnswer } from './thread.js';

/** The routes of this plugin. */
export function finopsRoutes(): Route[] {
  return [
    route('anomalies', 'findCostAnomalies', 'Cost anomaly detection.', 'The anomalies, what drives and causes each.', ANOMALIES_ANSWER),
    route(
      'forecast',
      'forecastCost',
      'Cost forecasting.',
      'What cost will be, how far off that may be, and what becomes of budgets.',
      FORECAST_ANSWER,
    ),
  ];
}

function route(
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
    problems: COST_PROBLEMS,
    handler: async ({ body, signal }) => responseOf(await answerInThread({ operation, body }, signal)),
  };
}

function responseOf(answer: ThreadAnswer): HttpResponse {
  if ('body' in answer) return { status: 200, body: answer.body };
  if ('problem' in answer) throw problem(answer.problem.code === 'schema' ? 'schema' : 'invalid-json', answer.problem.options);
  // Message and hint may name columns of the input, which is not sent back.
  const { code, row } = answer.error;
  throw costProblem(code, row === undefined ? {} : { detail: `Row ${row} of the input.` }) ?? new Error(`a request failed with ${code}`);
}
