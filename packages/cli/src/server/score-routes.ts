import { type HttpProblem, problem, type Route } from '@bylaw/core/http';
import { type OperationError, operationResponse } from '@bylaw/core/operation';
import type { Services } from '@bylaw/core/plugin';
import { SCORE_MODULE, SCORE_QUESTIONS, type ScoreOperation, type ScoreRequest, scoresPath } from '../scores/index.js';

/** The routes of the history of scores. Each request opens the file: it may be made, or replaced, while the server runs. */
export function scoreRoutes({ config, paths, threads }: Services): Route[] {
  const path = scoresPath(config, paths.data);
  const route = (operation: ScoreOperation, about: { id: string; summary: string; found: string }): Route => ({
    ...{ method: 'GET', auth: 'api-key', tag: 'scores', requiredQuery: ['project'] },
    path: `/api/v1/scores/${operation}`,
    id: about.id,
    summary: about.summary,
    description:
      'Answers 404 for a project that the history does not contain. If nothing has been recorded yet, the answer is empty and has the warning `nothing-recorded`.',
    query: SCORE_QUESTIONS[operation].query,
    responses: { 200: { description: about.found, schema: SCORE_QUESTIONS[operation].schema } },
    problems: ['project-unknown', 'scores-unavailable', 'overloaded', 'evaluation-memory', 'evaluation-timeout'],
    handler: async ({ query, client, signal }) => {
      const body = new TextEncoder().encode(JSON.stringify({ path, query } satisfies ScoreRequest));
      return operationResponse(await threads.answer(SCORE_MODULE, { operation, body }, { signal, client }), problemOf);
    },
  });
  return [
    route('history', { id: 'getScoreHistory', summary: 'Score trending over time.', found: 'The points of the history.' }),
    route('trend', { id: 'getScoreTrend', summary: 'Score trend analysis.', found: 'How the scores changed.' }),
  ];
}

function problemOf({ code, hint }: OperationError): HttpProblem | undefined {
  const detail = hint === undefined ? {} : { detail: hint };
  if (code === 'project-unknown') return problem('project-unknown', detail);
  if (code === 'usage') return problem('bad-query', detail);
  if (code === 'scores-unusable') return problem('scores-unavailable', { detail: 'Contact the operator of the server.' });
  return undefined;
}
