/** Approvals: how they stand, who may decide on them, and what that makes of a decision. */
export { type ApprovalStanding, approvalStanding, approversNow, type Circumstances, effectiveDecisionNow } from './effective-decision.js';
export {
  type ApprovalRefusal,
  type ApprovalRules,
  type Approver,
  type ApproverDecision,
  ruleOnApproval,
  statementOf,
} from './rule-on-approval.js';
export { type Statement, statementText } from './statement.js';
