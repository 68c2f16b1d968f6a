import type { ApprovalNeed } from '../policy/index.js';

export type ApprovalState = 'pending' | 'granted' | 'rejected' | 'expired' | 'cancelled' | 'consumed';

/** An approval as its records say, and nothing else: see `deriveApproval`. */
export interface StoredApproval {
  id: string;
  proposalId: string;
  state: ApprovalState;
  need: ApprovalNeed;
  shadow: boolean;
  inputDigest: string;
  bundleDigest: string;
  adapter: string;
  /** Null once the proposal is erased: who may approve it cannot be told any more. */
  principal: string | null;
  agent: string | null;
  requestedAt: string;
  expiresAt: string;
  grantExpiresAt: string | null;
  /** In the order of their records. */
  decisions: ApprovalDecision[];
}

export interface ApprovalDecision {
  /** Null once the record is erased. */
  approver: string | null;
  decision: 'grant' | 'reject';
  at: string;
  signed: boolean;
  reason: string | null;
  /** Groups that the decision counts for: as recorded; of a record of format 1, as configured now. */
  groups: readonly string[];
}

/** Whether each group that the verdict names has its quorum of different approvers; one person may stand for several groups. */
export function hasQuorum(
  { groups, quorum }: Pick<ApprovalNeed, 'groups' | 'quorum'>,
  decisions: readonly Pick<ApprovalDecision, 'approver' | 'decision' | 'groups'>[],
): boolean {
  const grants = decisions.filter(({ decision }) => decision === 'grant');
  return groups.every((group) => new Set(grants.flatMap((grant) => (grant.groups.includes(group) ? grant.approver : []))).size >= quorum);
}
