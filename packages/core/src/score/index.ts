/** Counts per rule while a run goes on (`Tally`), and the 0-100 score of them (`scoreOf`, `computeScore`). */
export { computeScore, gradeOf, type Score, type ScoredRule, type ScoreInput, scoreOf } from './score.js';
export {
  addOutcome,
  countOf,
  mergeTally,
  newTally,
  type Outcome,
  type RuleCount,
  record,
  recordResource,
  strongest,
  type Tally,
} from './tally.js';
