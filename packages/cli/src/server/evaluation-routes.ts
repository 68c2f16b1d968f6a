import { SELECTION_ERRORS } from '@bylaw/core/errors';
import { type HttpRequest, type HttpResponse, type JsonSchema, type ProblemCode, problem, type Route } from '@bylaw/core/http';
import type { Services } from '@bylaw/core/plugin';
import { EVALUATION_REPORT } from '@bylaw/core/schemas';
import { EVALUATE_BODY_SCHEMA, type Operation, type RequestPool, VALIDATE_BODY_SCHEMA } from '@bylaw/core/service';
import { evaluationProblem } from './evaluation-problem.js';

/**
 * The routes that judge configurations. Bodies go to the worker threads as they came, and answers come back as bytes.
 * @param comparison the schema of a comparison, with what plugins add
 */
export function evaluationRoutes({ clock }: Services, pool: RequestPool, comparison: JsonSchema): Route[] {
  const judge = (operation: Operation) => (request: HttpRequest) =>
    answer(operation, request, clock.now().toISOString().slice(0, 10), pool);
  return [
    {
      method: 'POST',
      path: '/api/v1/evaluate',
      auth: 'api-key',
      id: 'evaluate',
      tag: 'evaluation',
      summary: 'Evaluate manifests against governance rules.',
      description: 'A document that cannot be read becomes an entry in `errors`; the others are still evaluated.',
      body: EVALUATE_REQUEST,
      responses: { 200: { description: 'Findings, errors, notes, score and summary.', schema: EVALUATION_REPORT } },
      problems: PROBLEMS,
      handler: judge('evaluate'),
    },
    {
      method: 'POST',
      path: '/api/v1/validate',
      auth: 'api-key',
      id: 'validate',
      tag: 'evaluation',
      summary: 'Compare current versus proposed configuration.',
      body: VALIDATE_REQUEST,
      responses: { 200: { description: 'How the change affects the findings.', schema: comparison } },
      problems: PROBLEMS,
      handler: judge('validate'),
    },
  ];
}

const PROBLEMS: readonly ProblemCode[] = [...SELECTION_ERRORS, 'evaluation-memory', 'evaluation-timeout'];

const EVALUATE_REQUEST: JsonSchema = { title: 'EvaluateRequest', ...EVALUATE_BODY_SCHEMA };
const VALIDATE_REQUEST: JsonSchema = { title: 'ValidateRequest', ...VALIDATE_BODY_SCHEMA };

async function answer(
  operation: Operation,
  { body, client, signal }: HttpRequest,
  today: string,
  pool: RequestPool,
): Promise<HttpResponse> {
  const answered = await pool.request(operation, body, today, { client, signal }).catch((error: unknown) => {
    throw evaluationProblem(error);
  });
  if ('body' in answered) return { status: 200, body: answered.body };
  const { code, ...options } = answered.problem;
  throw problem(code, options);
}
