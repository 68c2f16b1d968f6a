import type { Tool } from '@bylaw/core/plugin';
import { SCORE_QUESTIONS, type ScoreQuestion, scoresPath, withScores } from '../scores/index.js';

export const scoreHistoryTool = toolOf(
  'score_history',
  'Answers the scores of a project over time, as `bylaw scores record` recorded them: overall and by category, newest runs last.',
  SCORE_QUESTIONS.history,
);

export const scoreTrendTool = toolOf(
  'score_trend',
  'Tells whether the scores of a project improve or worsen: slope per 30 days with its interval, significance, the most likely jump, and the rules behind the change.',
  SCORE_QUESTIONS.trend,
);

function toolOf(name: string, description: string, { query, schema, answer }: ScoreQuestion): Tool {
  return {
    name,
    description,
    inputSchema: { type: 'object', additionalProperties: false, required: ['project'], properties: query },
    outputSchema: { ...schema, type: 'object' },
    handler: async (args, { config, paths }) => withScores(scoresPath(config, paths.data), (store) => answer(store, args)),
  };
}
