/** Approvals: how their records make their state, how they stand, who may decide on them, and what that makes of a decision. */
export { type ApprovalDecision, type ApprovalState, hasQuorum, type StoredApproval } from './approval.js';
export { type DerivedApproval, deriveApproval, type HistoryEntry } from './derive-approval.js';
export { type ApprovalStanding, approvalStanding, approversNow, type Circumstances, effectiveDecisionNow } from './effective-decision.js';
export {
  type ApprovalEntry,
  type Contradiction,
  type FollowedApproval,
  type FollowRules,
  followApproval,
  followResult,
  isFormat2,
  isSignedDecision,
  requestApproval,
} from './follow-approval.js';
export {
  type ApprovalRefusal,
  type ApprovalRules,
  type ApprovalRuling,
  type Approver,
  type ApproverDecision,
  ruleOnApproval,
  statementOf,
} from './rule-on-approval.js';
export { type Statement, statementText } from './statement.js';
export { takesPart } from './takes-part.js';
