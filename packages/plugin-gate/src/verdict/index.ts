/** The one decision path: `check`, and what it needs. */
export type { Check, Checked, CheckInput, ManifestJudge } from './check-input.js';
export type { ApprovalNeed, Decision, Effect, Governance, Reason, Verdict } from './verdict.js';
