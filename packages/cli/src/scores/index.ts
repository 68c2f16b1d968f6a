/** The history of scores: recording runs, and what can be asked about them. */
export { SCORE_ENDPOINTS } from './endpoints.js';
export { type ScoreHistory, scoreHistory } from './history.js';
export { scoresPath, withScores } from './open.js';
export type { ScoreHistoryQuery, ScoreTrendQuery } from './query.js';
export { type ScoreTrendAnswer, scoreTrend } from './trend.js';
