import type { Operation } from '@bylaw/core/operation';
import { withScores } from './open.js';
import { SCORE_QUESTIONS, type ScoreQuestion } from './questions.js';

/** What a thread is asked: where the history is, and a query that has passed the schemas of its question. */
export interface ScoreRequest {
  path: string;
  query: unknown;
}

/** A trend looks at all pairs of runs, which takes a while: the doors of the servers have it done on a thread. */
export const OPERATIONS = {
  history: operation(SCORE_QUESTIONS.history),
  trend: operation(SCORE_QUESTIONS.trend),
} as const;

export type ScoreOperation = keyof typeof OPERATIONS;

/** This file, compiled, also where the sources are run by a test runner. */
export const SCORE_MODULE = new URL('../../dist/scores/operations.js', import.meta.url);

function operation(question: ScoreQuestion): Operation {
  return {
    body: { type: 'object' },
    answer: (body) => {
      const { path, query } = body as ScoreRequest; // the doors ask, no stranger
      return withScores(path, (store) => question.answer(store, query));
    },
  };
}
