import { operationTool } from '@bylaw/core/operation';
import type { Tool } from '@bylaw/core/plugin';
import { SCORE_MODULE, SCORE_QUESTIONS, type ScoreOperation, scoresPath } from '../scores/index.js';

export const scoreHistoryTool = toolOf(
  'score_history',
  'Returns the scores of a project over time, as recorded by `bylaw scores record`: overall and by category, newest runs last.',
  'history',
);

export const scoreTrendTool = toolOf(
  'score_trend',
  'Reports whether the scores of a project improve or worsen: slope per 30 days with its interval, significance, the most likely jump, and the rules behind the change.',
  'trend',
);

function toolOf(name: string, description: string, operation: ScoreOperation): Tool {
  const { query } = SCORE_QUESTIONS[operation];
  return {
    name,
    description,
    inputSchema: { type: 'object', additionalProperties: false, required: ['project'], properties: query },
    handler: (args, { config, paths, threads }, signal) =>
      operationTool(threads, SCORE_MODULE, operation, { path: scoresPath(config, paths.data), query: args }, signal),
  };
}
