/** Scores of earlier runs: what is kept of a run, and the points of a history. */
export { BUCKETS, type Bucket, lastOfBuckets } from './buckets.js';
export { type HistoryPoint, type HistoryQuery, historyOf } from './history.js';
export { commonRules, scoreOfRun } from './like-for-like.js';
export { isIncomplete, type RecordedRun, type ScopeSketch } from './recorded-run.js';
export { scopeSketch, shareLeft } from './scope.js';
