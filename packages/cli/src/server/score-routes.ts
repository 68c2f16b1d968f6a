import { BylawError } from '@bylaw/core/errors';
import { json, problem, type Route } from '@bylaw/core/http';
import type { Services } from '@bylaw/core/plugin';
import type { ScoreStore } from '@bylaw/core/store';
import { SCORE_QUESTIONS, type ScoreQuestion, scoresPath, withScores } from '../scores/index.js';

/** The routes of the history of scores. Each request opens the file: it may be made, or replaced, while the server runs. */
export function scoreRoutes({ config, paths }: Services): Route[] {
  const path = scoresPath(config, paths.data);
  const route = ({ query, schema, answer }: ScoreQuestion, about: { path: string; id: string; summary: string; found: string }): Route => ({
    ...{ method: 'GET', auth: 'api-key', tag: 'scores', requiredQuery: ['project'] },
    path: about.path,
    id: about.id,
    summary: about.summary,
    query,
    responses: { 200: { description: about.found, schema } },
    problems: ['project-unknown', 'scores-unavailable'],
    handler: (request) =>
      json(
        200,
        asked(path, (store) => answer(store, request.query)),
      ),
  });
  return [
    route(SCORE_QUESTIONS.history, {
      path: '/api/v1/scores/history',
      id: 'getScoreHistory',
      summary: 'Score trending over time.',
      found: 'The points of the history.',
    }),
    route(SCORE_QUESTIONS.trend, {
      path: '/api/v1/scores/trend',
      id: 'getScoreTrend',
      summary: 'Score trend analysis.',
      found: 'How the scores moved.',
    }),
  ];
}

function asked<T>(path: string, ask: (store: ScoreStore) => T): T {
  try {
    return withScores(path, ask);
  } catch (error) {
    if (!(error instanceof BylawError)) throw error;
    const detail = error.hint === undefined ? {} : { detail: error.hint };
    if (error.code === 'project-unknown') throw problem('project-unknown', detail);
    if (error.code === 'usage') throw problem('bad-query', detail);
    if (error.exitCode === 4) throw problem('scores-unavailable', { detail: 'Record a run, or ask the operator of the server.' });
    throw error;
  }
}
