/** Evaluating resources: from inputs and a catalogue to findings, counts and a score. */

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
export { createEngine, type Engine, type EvaluationRequest } from './engine.js';
export { type ExampleResult, readExample, runExamples } from './examples.js';
export { type AcceptedExceptions, sourceKey } from './exceptions/accepted-exceptions.js';
export { belongsInBaseline, readBaseline, writeBaseline } from './exceptions/baseline.js';
export { exceptionKeysOf } from './exceptions/exception-keys.js';
export { type ConfiguredException, IGNORE_ANNOTATION } from './exceptions/exceptions.js';
export { EXCEPTIONS_FROM, type ExceptionsFrom, stricter } from './exceptions/exceptions-from.js';
export { matchesGlob } from './exceptions/glob.js';
export type {
  EvaluationEvent,
  EvaluationReport,
  ExceptionCounts,
  ExceptionSummary,
  FindingBatch,
  Score,
  Summary,
  Truncated,
  Truncation,
} from './findings/evaluation.js';
export type { Finding, FindingStatus, Suppression, WouldBeSuppressed } from './findings/finding.js';
export { findingBatch } from './findings/finding-json.js';
export { findingKey } from './findings/finding-key.js';
export { UNDECIDED_HANDLING, type UndecidedCheck, type UndecidedHandling, type UndecidedSummary } from './findings/undecided-check.js';
export { accessObject } from './items/access-index.js';
export { type AnyInput, items, type ObjectInput, type ValueInput } from './items/batches.js';
export { POD_SPEC, type ProjectionPlan, type Projections, partsRead, project, projectionPlan } from './items/projections.js';
export { readItem } from './items/read-item.js';
export { readProjections } from './items/read-projections.js';
export { SkippedFiles } from './items/skipped-notes.js';
export { contentKeys, type UnchangedObjects } from './items/unchanged.js';
export { limitComparison, limitEvents } from './limit-lists.js';
export { type EvaluatedObject, type ObjectEvaluationOptions, type ObjectEvaluator, objectEvaluator } from './object-evaluator.js';
export { type EvaluateWithEdits, evaluateWithEdits, type FindingsWithEdits } from './run/evaluate-with-edits.js';
export type { ProposedEdit } from './run/proposed-edit.js';
export { planOf, type RunPlan } from './run/run-plan.js';
export { type Selection, select } from './select.js';
export { categoriesNotInstalled, categoriesText, packagesOf, type RunRules, selectForRun } from './select-for-run.js';
