/** Approvals: how they stand, and what that makes of a decision. */
export { type ApprovalStanding, approvalStanding, type Circumstances, effectiveDecisionNow } from './effective-decision.js';
