/** What outlives a process, in SQLite. */
export { type NewRun, openScoreStore, type Retention, type RunQuery, readScoreStore, type ScoreStore } from './score-store.js';
