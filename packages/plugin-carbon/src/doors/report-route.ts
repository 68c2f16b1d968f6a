import { type HttpProblem, type HttpResponse, preferredType, type Route } from '@bylaw/core/http';
import { type OperationError, type OperationThreads, operationResponse, type ThreadAnswer } from '@bylaw/core/operation';
import type { RenderedReport } from '../report/index.js';
import { MODULE, OPERATIONS, type OperationName } from './operations.js';
import { RENDERED_ANSWER, REPORT_ANSWER } from './report-answer.js';

/** The operations that answer media types but JSON; the report then comes bare. */
const BARE = {
  'application/json': undefined,
  'text/html': 'report-html',
  'text/csv': 'report-csv',
  'application/yaml': 'report-impact-framework',
} as const satisfies { readonly [mediaType: string]: OperationName | undefined };

const TEXT = { type: 'string' } as const;

/** `POST /api/v1/carbon/report`: as JSON, or, where the client would rather have it, bare in another format. */
export function reportRoute(
  threads: OperationThreads,
  problems: NonNullable<Route['problems']>,
  problemOf: (error: OperationError) => HttpProblem | undefined,
): Route {
  return {
    method: 'POST',
    path: '/api/v1/carbon/report',
    auth: 'api-key',
    id: 'reportCarbon',
    tag: 'carbon',
    summary: 'Carbon report.',
    description:
      'Totals with ranges, GHG Protocol lines, tables by group, the change since a baseline and its causes, a target, and possible reductions. Formats other than JSON are returned as text within JSON, or directly to clients that accept `text/html`, `text/csv` or `application/yaml` (an Impact Framework manifest).',
    body: OPERATIONS.report.body,
    responses: {
      200: {
        description: 'The report.',
        schema: { oneOf: [REPORT_ANSWER, RENDERED_ANSWER] },
        others: { 'text/html': TEXT, 'text/csv': TEXT, 'application/yaml': TEXT },
      },
    },
    problems,
    handler: async ({ body, client, headers: { accept }, signal }) => {
      const operation = BARE[preferredType(accept, ['application/json', 'text/html', 'text/csv', 'application/yaml'])];
      const answer = await threads.answer(MODULE, { operation: operation ?? 'report', body }, { signal, client });
      return operation === undefined ? operationResponse(answer, problemOf) : bareResponse(answer, problemOf);
    },
  };
}

function bareResponse(answer: ThreadAnswer, problemOf: (error: OperationError) => HttpProblem | undefined): HttpResponse {
  if (!('body' in answer)) return operationResponse(answer, problemOf);
  const { content_type: mediaType, content } = JSON.parse(new TextDecoder().decode(answer.body)) as RenderedReport; // made there
  return { status: 200, mediaType, body: content };
}
