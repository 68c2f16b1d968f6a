import type { Tool } from '@bylaw/core/plugin';
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

const shared = { type: 'object', additionalProperties: false, required: ['project'] } as const;

export const scoreHistoryTool: Tool = {
  name: 'score_history',
  description:
    'Answers the scores of a project over time, as `bylaw scores record` recorded them: overall and by category, newest runs last.',
  inputSchema: { ...shared, properties: HISTORY_QUERY_SCHEMA },
  outputSchema: { ...SCORE_HISTORY, type: 'object' },
  handler: async (args, { config, paths }) =>
    withScores(scoresPath(config, paths.data), (store) => scoreHistory(store, args as unknown as ScoreHistoryQuery)), // they have passed the schema
};

export const scoreTrendTool: Tool = {
  name: 'score_trend',
  description:
    'Tells whether the scores of a project improve or worsen: slope per 30 days with its interval, significance, the most likely jump, and the rules behind the change.',
  inputSchema: { ...shared, properties: TREND_QUERY_SCHEMA },
  outputSchema: { ...SCORE_TREND, type: 'object' },
  handler: async (args, { config, paths }) =>
    withScores(scoresPath(config, paths.data), (store) => scoreTrend(store, args as unknown as ScoreTrendQuery)), // they have passed the schema
};
