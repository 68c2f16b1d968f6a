import { publicKeyOf, verifySignature } from '../keys/index.js';
import type { ApprovalUnit, StoredApproval } from '../store/store.js';
import { type Statement, statementText } from './statement.js';

/** Someone who may approve, as the configuration says. */
export interface Approver {
  id: string;
  /** Raw Ed25519 key, base64url. */
  public_key: string;
  groups: readonly string[];
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
  code: 'AG-APR-002' | 'AG-APR-003' | 'AG-APR-004' | 'AG-APR-005' | 'AG-APR-006';
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

/**
 * Rules on what somebody has decided of an approval. One rejection is enough. A grant is complete when each group that the
 * verdict names has its quorum of different approvers; one person may stand for several groups.
 * @returns what is to be recorded, or why it is not
 */
export function ruleOnApproval(
  approval: StoredApproval,
  decided: ApproverDecision,
  rules: ApprovalRules,
): Pick<ApprovalUnit, 'expect' | 'expectDecisions' | 'next' | 'event' | 'grantExpiresAt'> | ApprovalRefusal {
  const refusal = refusalOf(approval, decided, rules);
  if (refusal) return refusal;
  const expected = { expect: 'pending', expectDecisions: approval.decisions.length } as const;
  if (decided.decision === 'reject') return { ...expected, next: 'rejected', event: 'rejected' };
  const granting = [...approval.decisions.map(({ approver }) => approver), decided.approver];
  if (!isComplete(approval, granting, rules.approvers)) return { ...expected, next: 'pending', event: 'granted' };
  const grantExpiresAt = new Date(Date.parse(decided.at) + approval.need.grant_ttl_seconds * 1000).toISOString();
  return { ...expected, next: 'granted', event: 'granted', grantExpiresAt };
}

function refusalOf(approval: StoredApproval, decided: ApproverDecision, rules: ApprovalRules): ApprovalRefusal | undefined {
  const { approver } = decided;
  const known = rules.approvers.find(({ id }) => id === approver);
  if (!known) return { code: 'AG-APR-004', message: `Unknown approver "${approver}".` };
  if (!isVouchedFor(approval, decided, known, rules))
    return { code: 'AG-APR-004', message: `The key does not belong to the approver ${approver}.` };
  if (approval.principal === null)
    return { code: 'AG-APR-002', message: 'The proposal was erased, so the gate can no longer check who may decide on it.' };
  if (approver === approval.principal || approver === approval.agent)
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
      code: 'AG-APR-004',
      message: `The approver ${approver} is not in any of the required groups: ${approval.need.groups.join(', ')}.`,
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

function isComplete({ need }: StoredApproval, granting: readonly (string | null)[], approvers: readonly Approver[]): boolean {
  return need.groups.every((group) => {
    const members = approvers.filter(({ id, groups }) => groups.includes(group) && granting.includes(id));
    return members.length >= need.quorum;
  });
}
