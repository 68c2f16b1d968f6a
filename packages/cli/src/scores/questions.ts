import type { ScoreStore } from '@bylaw/core/store';
import { scoreHistory } from './history.js';
import { HISTORY_QUERY_SCHEMA, type ScoreHistoryQuery, type ScoreTrendQuery, TREND_QUERY_SCHEMA } from './query.js';
import { SCORE_HISTORY, SCORE_TREND } from './schemas.js';
import { scoreTrend } from './trend.js';

/** What a caller can ask about the history, through any door: the form of the question, the form of the answer, and the answer. */
export interface ScoreQuestion {
  /** JSON Schemas of the members; `project` is required. */
  query: { readonly [member: string]: { readonly [keyword: string]: unknown } };
  schema: { readonly [keyword: string]: unknown };
  /**
   * @param store absent where nothing was recorded yet
   * @param query has passed the schemas
   * @throws {BylawError} `project-unknown`, `usage`; what the store throws
   */
  answer(store: ScoreStore | undefined, query: unknown): object;
}

export const SCORE_QUESTIONS = {
  history: {
    query: HISTORY_QUERY_SCHEMA,
    schema: SCORE_HISTORY,
    answer: (store, query) => scoreHistory(store, query as ScoreHistoryQuery), // its schemas say so
  },
  trend: {
    query: TREND_QUERY_SCHEMA,
    schema: SCORE_TREND,
    answer: (store, query) => scoreTrend(store, query as ScoreTrendQuery), // its schemas say so
  },
} as const satisfies { readonly [name: string]: ScoreQuestion };
