/** Scores of earlier runs: what is kept of a run, and the points of a history. */
export { BUCKETS, type Bucket, lastOfBuckets } from './buckets.js';
export { commonRules, type HistoryPoint, type HistoryQuery, historyOf, scoreOfRun } from './history.js';
export { isIncomplete, type RecordedRun, type ScopeSketch } from './recorded-run.js';
export { scopeSketch, shareLeft } from './scope.js';
