/** The one decision path: `check`, and what stands around it. */

export { type Coverage, coverageOf } from './bundle/coverage.js';
export { loadBundle } from './bundle/load-bundle.js';
export { runTest, type TestResult } from './bundle/run-tests.js';
export { check } from './check.js';
export type { Checked, CheckInput, ManifestEvaluator } from './check-input.js';
export { explain, type PolicyTrace } from './explain.js';
export { inspectMandate, type MandateCheck } from './mandate/inspect-mandate.js';
export { lifetimeOf, mandateText } from './mandate/mandate.js';
export { catalogueDigest, manifestEvaluator } from './manifest-evaluator.js';
export { REASONS, type ReasonCode } from './reasons.js';
export { type ApprovalNeed, type Decision, type Effect, type Governance, type Reason, type Verdict, verdictText } from './verdict.js';
export { VERDICT_SCHEMA } from './verdict.schema.js';
