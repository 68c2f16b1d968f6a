/** The one decision path: `check`, and what stands around it. */
export { check } from './check.js';
export type { Checked, CheckInput, ManifestJudge } from './check-input.js';
export { type Coverage, coverageOf } from './coverage.js';
export { explain, type PolicyTrace } from './explain.js';
export { inspectMandate, type MandateCheck } from './inspect-mandate.js';
export { loadBundle } from './load-bundle.js';
export { lifetimeOf, mandateText } from './mandate.js';
export { catalogueDigest, manifestJudge } from './manifest-judge.js';
export { REASONS, type ReasonCode } from './reasons.js';
export { runTest, type TestResult } from './run-tests.js';
export { type ApprovalNeed, type Decision, type Effect, type Governance, type Reason, type Verdict, verdictText } from './verdict.js';
export { VERDICT_SCHEMA } from './verdict.schema.js';
