import { publicKeyOf, verifySignature } from '../keys/index.js';
import { hasQuorum, type StoredApproval } from './approval.js';
import { type Statement, statementText } from './statement.js';
import { takesPart } from './takes-part.js';

/** Someone who may approve, as the configuration says. */
export interface Approver {
  id: string;
  /** Raw Ed25519 key, base64url. */
  public_key: string;
  groups: readonly string[];
  /** Other names under which the approver submits proposals. */
  principals?: readonly string[];
}

/** What somebody has decided. `signature` is one over the statement; null where it is unsigned. */
export interface ApproverDecision {
  approver: string;
  decision: Statement['decision'];
  reason: string | null;
  at: string;
  signature: string | null;
}

export interface ApprovalRules {
  chainId: string;
  approvers: readonly Approver[];
  allowUnsigned: boolean;
  /** Digest of the bundle that decides now; undefined when none does. */
  bundleDigest: string | undefined;
}

export interface ApprovalRefusal {
  code: 'AG-APR-002' | 'AG-APR-003' | 'AG-APR-004' | 'AG-APR-005' | 'AG-APR-006' | 'AG-APR-007';
  message: string;
}

/** The statement that an approver makes with a decision. */
export function statementOf(
  approval: StoredApproval,
  chainId: string,
  { decision, reason, at }: Omit<ApproverDecision, 'signature'>,
): Statement {
  return {
    chain_id: chainId,
    approval_id: approval.id,
    proposal_id: approval.proposalId,
    input_digest: approval.inputDigest,
    bundle_digest: approval.bundleDigest,
    decision,
    reason,
    at,
  };
}

/** What a decision makes of an approval, and what is recorded of the approver. */
export interface ApprovalRuling {
  expect: 'pending';
  expectDecisions: number;
  next: 'pending' | 'granted' | 'rejected';
  event: 'granted' | 'rejected';
  /** Raw key that the signature verifies under; null where it is unsigned. */
  approverKey: string | null;
  /** Sorted. */
  approverGroups: string[];
  grantExpiresAt?: string;
}

/**
 * Rules on what somebody has decided of an approval. One rejection is enough. A grant is complete when each group that the
 * verdict names has its quorum of different approvers; one person may stand for several groups. Earlier grants count for the
 * groups that were recorded with them.
 * @returns what is to be recorded, or why it is not
 */
export function ruleOnApproval(
  approval: StoredApproval,
  decided: ApproverDecision,
  rules: ApprovalRules,
): ApprovalRuling | ApprovalRefusal {
  const known = rules.approvers.find(({ id }) => id === decided.approver);
  if (!known) return { code: 'AG-APR-004', message: `Unknown approver "${decided.approver}".` };
  const refusal = refusalOf(approval, decided, known, rules);
  if (refusal) return refusal;
  const { approver, signature, at } = decided;
  const groups = [...new Set(known.groups)].sort();
  const ruling = {
    expect: 'pending',
    expectDecisions: approval.decisions.length,
    approverKey: signature === null ? null : known.public_key,
    approverGroups: groups,
  } as const;
  if (decided.decision === 'reject') return { ...ruling, next: 'rejected', event: 'rejected' };
  if (!hasQuorum(approval.need, [...approval.decisions, { approver, decision: 'grant', groups }]))
    return { ...ruling, next: 'pending', event: 'granted' };
  const grantExpiresAt = new Date(Date.parse(at) + approval.need.grant_ttl_seconds * 1000).toISOString();
  return { ...ruling, next: 'granted', event: 'granted', grantExpiresAt };
}

function refusalOf(
  approval: StoredApproval,
  decided: ApproverDecision,
  known: Approver,
  rules: ApprovalRules,
): ApprovalRefusal | undefined {
  const { approver } = decided;
  if (!isVouchedFor(approval, decided, known, rules))
    return { code: 'AG-APR-004', message: `The key does not belong to the approver ${approver}.` };
  if (approval.principal === null)
    return { code: 'AG-APR-002', message: 'The proposal was erased, so the gate can no longer check who may decide on it.' };
  if (takesPart(known, [approval.principal, approval.agent]))
    return {
      code: 'AG-APR-003',
      message: 'Approvers cannot decide on their own proposals: this approver is the principal or the agent of the proposal.',
    };
  if (approval.state !== 'pending') return { code: 'AG-APR-002', message: `The approval is already ${approval.state}.` };
  if (decided.at >= approval.expiresAt) return { code: 'AG-APR-006', message: `The approval expired at ${approval.expiresAt}.` };
  if (approval.bundleDigest !== rules.bundleDigest)
    return {
      code: 'AG-APR-005',
      message: 'The policies have changed since the proposal was evaluated. Submit the action as a new proposal.',
    };
  if (approval.decisions.some((earlier) => earlier.approver === approver))
    return { code: 'AG-APR-002', message: `The approver ${approver} has already decided.` };
  if (decided.decision === 'grant' && !known.groups.some((group) => approval.need.groups.includes(group)))
    return {
      code: 'AG-APR-007',
      message: `The approver ${approver} is not in any of the required groups: ${approval.need.groups.join(', ')}.`,
    };
  const gone = approval.decisions.find((earlier) => !rules.approvers.some(({ id }) => id === earlier.approver));
  if (decided.decision === 'grant' && gone)
    return {
      code: 'AG-APR-005',
      message: `${gone.approver} granted this approval and is not an approver any more. Submit the action as a new proposal.`,
    };
  return undefined;
}

function isVouchedFor(
  approval: StoredApproval,
  decided: ApproverDecision,
  known: Approver,
  { chainId, allowUnsigned }: ApprovalRules,
): boolean {
  if (decided.signature === null) return allowUnsigned;
  return verifySignature(statementText(statementOf(approval, chainId, decided)), decided.signature, publicKeyOf(known.public_key));
}
