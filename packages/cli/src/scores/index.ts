/** The history of scores: recording runs, and what the doors answer about them. */
export { type ScoreHistory, scoreHistory } from './history.js';
export { withScores } from './open.js';
export { SCORE_MODULE, type ScoreOperation, type ScoreRequest } from './operations.js';
export { scoresPath } from './path.js';
export type { ScoreHistoryQuery, ScoreTrendQuery } from './query.js';
export { SCORE_QUESTIONS, type ScoreQuestion } from './questions.js';
export { type ScoreTrendAnswer, scoreTrend } from './trend.js';
