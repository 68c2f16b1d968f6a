import { compiledModule, defineEndpoint, type EndpointProblem, type SetupSource, sayHint } from '@bylaw/core/endpoint';
import { type ScoreHistory, scoreHistory } from './history.js';
import { withScores } from './open.js';
import { scoresPath } from './path.js';
import { HISTORY_QUERY_SCHEMA, type ScoreHistoryQuery, type ScoreTrendQuery, TREND_QUERY_SCHEMA } from './query.js';
import { SCORE_HISTORY, SCORE_TREND } from './schemas.js';
import { type ScoreTrendAnswer, scoreTrend } from './trend.js';

/** What both questions have in common. */
const SHARED = {
  method: 'GET',
  tag: 'scores',
  description:
    'Answers 404 for a project that the history does not contain. If nothing has been recorded yet, the answer is empty and has the warning `nothing-recorded`.',
  problems: [
    { error: 'project-unknown', problem: 'project-unknown', say: sayHint },
    { error: 'usage', problem: 'bad-query', say: sayHint },
    { error: 'scores-unusable', problem: 'scores-unavailable', say: () => ({ detail: 'Contact the operator of the server.' }) },
  ] as readonly EndpointProblem[],
  // Each request opens the file: it may be made, or replaced, while the server runs.
  setup: ({ config, paths }: SetupSource) => scoresPath(config, paths.data),
  // A trend looks at all pairs of runs.
  thread: { module: compiledModule(import.meta.url) },
} as const;

export const getScoreHistory = defineEndpoint<ScoreHistoryQuery, ScoreHistory, string>({
  ...SHARED,
  id: 'getScoreHistory',
  path: '/api/v1/scores/history',
  summary: 'Score trending over time.',
  input: { type: 'object', additionalProperties: false, required: ['project'], properties: HISTORY_QUERY_SCHEMA },
  examples: [{ summary: 'One point a day', input: { project: 'shop', bucket: 'day' } }],
  output: { description: 'The points of the history.', schema: SCORE_HISTORY, form: 'scores.history/v1' },
  run: (query, path) => withScores(path, (store) => scoreHistory(store, query)),
  tool: {
    name: 'score_history',
    description:
      'Returns the scores of a project over time, as recorded by `bylaw scores record`: overall and by category, newest runs last.',
  },
});

export const getScoreTrend = defineEndpoint<ScoreTrendQuery, ScoreTrendAnswer, string>({
  ...SHARED,
  id: 'getScoreTrend',
  path: '/api/v1/scores/trend',
  summary: 'Score trend analysis.',
  input: { type: 'object', additionalProperties: false, required: ['project'], properties: TREND_QUERY_SCHEMA },
  examples: [{ summary: 'Half a year of one branch', input: { project: 'shop', ref: 'main', window_days: 180 } }],
  output: { description: 'How the scores changed.', schema: SCORE_TREND, form: 'scores.trend/v1' },
  run: (query, path) => withScores(path, (store) => scoreTrend(store, query)),
  tool: {
    name: 'score_trend',
    description:
      'Reports whether the scores of a project improve or worsen: slope per 30 days with its interval, significance, the most likely jump, and the rules behind the change.',
  },
});

/** In the order of their description. */
export const SCORE_ENDPOINTS = [getScoreHistory, getScoreTrend];
