import { BylawError } from '@bylaw/core/errors';
import { json, problem, type QueryValue, type Route } from '@bylaw/core/http';
import type { Services } from '@bylaw/core/plugin';
import type { ScoreStore } from '@bylaw/core/store';
import {
  HISTORY_QUERY_SCHEMA,
  SCORE_HISTORY,
  SCORE_TREND,
  type ScoreHistoryQuery,
  type ScoreTrendQuery,
  scoreHistory,
  scoresPath,
  scoreTrend,
  TREND_QUERY_SCHEMA,
  withScores,
} from '../scores/index.js';

/** The routes of the history of scores. Each request opens the file: it may be made, or replaced, while the server runs. */
export function scoreRoutes({ config, paths }: Services): Route[] {
  const path = scoresPath(config, paths.data);
  const shared = { method: 'GET', auth: 'api-key', tag: 'scores', requiredQuery: ['project'] } as const;
  const problems = ['project-unknown', 'scores-unavailable'] as const;
  return [
    {
      ...shared,
      path: '/api/v1/scores/history',
      id: 'getScoreHistory',
      summary: 'Score trending over time.',
      query: HISTORY_QUERY_SCHEMA,
      responses: { 200: { description: 'The points of the history.', schema: SCORE_HISTORY } },
      problems,
      handler: ({ query }) =>
        json(
          200,
          asked(path, (store) => scoreHistory(store, queryOf<ScoreHistoryQuery>(query))),
        ),
    },
    {
      ...shared,
      path: '/api/v1/scores/trend',
      id: 'getScoreTrend',
      summary: 'Score trend analysis.',
      query: TREND_QUERY_SCHEMA,
      responses: { 200: { description: 'How the scores moved.', schema: SCORE_TREND } },
      problems,
      handler: ({ query }) =>
        json(
          200,
          asked(path, (store) => scoreTrend(store, queryOf<ScoreTrendQuery>(query))),
        ),
    },
  ];
}

/** The schemas of the route have said which members there are, and what form each has. */
function queryOf<T extends ScoreHistoryQuery | ScoreTrendQuery>(query: { readonly [name: string]: QueryValue }): T {
  return query as unknown as T;
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
