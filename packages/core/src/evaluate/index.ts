/** Judging resources: from inputs and a catalogue to findings, counts and a score. */
export { type AcceptedExceptions, sourceKey } from './accepted-exceptions.js';
export { belongsInBaseline, readBaseline, writeBaseline } from './baseline.js';
export { type AnyInput, items, type ObjectInput, type ValueInput } from './batches.js';
export {
  additionOf,
  type ComparedInput,
  type Comparison,
  type ComparisonRequest,
  compareConfigurations,
  type ResourceChange,
} from './compare.js';
export {
  CORE_MEMBERS,
  type ComparedSides,
  type Comparer,
  type ComparisonAdditions,
  type NamedComparer,
  type NotKnown,
  type Unavailable,
} from './comparer.js';
export { contentKeys } from './content-keys.js';
export { type EditedJudgement, type EditJudge, editJudge } from './edit-judge.js';
export { createEngine, type Engine, type EvaluationRequest } from './engine.js';
export type { EvaluationEvent, EvaluationReport, ExceptionCounts, ExceptionSummary, FindingBatch, Score, Summary } from './evaluation.js';
export { type ExampleResult, readExample, runExamples } from './examples.js';
export { exceptionKeysOf } from './exception-keys.js';
export { type ConfiguredException, IGNORE_ANNOTATION } from './exceptions.js';
export { EXCEPTIONS_FROM, type ExceptionsFrom, stricter } from './exceptions-from.js';
export type { Finding, FindingStatus, Suppression, WouldBeSuppressed } from './finding.js';
export { findingBatch } from './finding-batch.js';
export { findingKey } from './finding-key.js';
export { matchesGlob } from './glob.js';
export { readItem } from './judge-items.js';
export { type JudgePlan, planOf } from './judge-plan.js';
export { limitComparison, limitEvents, type Truncated, type Truncation } from './limit-lists.js';
export { type JudgedObject, type ObjectJudge, type ObjectJudging, objectJudge } from './object-judge.js';
export type { ProposedEdit } from './proposed-edit.js';
export { readProjections } from './read-projections.js';
export { type ProjectionPlan, type Projections, project, projectionPlan } from './resource-index.js';
export { type Selection, select } from './select.js';
export { categoriesNotInstalled, categoriesText, packagesOf, type RunRules, selectForRun } from './select-for-run.js';
export type { UnchangedObjects } from './unchanged.js';
export { UNDECIDED_HANDLING, type UndecidedCheck, type UndecidedHandling, type UndecidedSummary } from './undecided-check.js';
