/** Counts per rule while a run goes on (`Tally`), and the 0-100 score of them (`scoreOf`, `computeScore`). */

export * from './history/index.js';
export {
  computeScore,
  demeritsOf,
  gradeOf,
  SCORE_CAPS,
  type Score,
  type ScoredRule,
  type ScoreInput,
  scoredRules,
  scoreOf,
} from './score.js';
export {
  addOutcome,
  countOf,
  mergeTally,
  newTally,
  type Outcome,
  type RuleCount,
  record,
  recordResource,
  recordUnchecked,
  strongest,
  type Tally,
  uncheckedOf,
} from './tally.js';
export * from './trend/index.js';
