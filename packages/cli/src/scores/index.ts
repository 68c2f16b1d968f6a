/** The history of scores: recording runs, and what the doors answer about them. */
export { type ScoreHistory, scoreHistory } from './history.js';
export { withScores } from './open.js';
export { scoresPath } from './path.js';
export { HISTORY_QUERY_SCHEMA, type ScoreHistoryQuery, type ScoreTrendQuery, TREND_QUERY_SCHEMA } from './query.js';
export { SCORE_HISTORY, SCORE_TREND } from './schemas.js';
export { type ScoreTrendAnswer, scoreTrend } from './trend.js';
