import type { Decision } from '../verdict/index.js';
import type { ApprovalState, StoredApproval } from './approval.js';

/** The state of an approval at an instant. `lapsed`: it was granted, and may no longer be used. */
export type ApprovalStanding = ApprovalState | 'lapsed';

/** What a grant depends on, apart from its own times. */
export interface Circumstances {
  /** RFC 3339 of the server's clock. */
  now: string;
  /** Digest of the bundle that decides now; undefined when none does. */
  bundleDigest: string | undefined;
  /** Whether the adapter that submitted is still registered. */
  adapterRegistered: boolean;
  /** Ids of those who may approve now. */
  approvers: readonly string[] | 'anybody';
  /** When the mandate of the proposal ends, if it had one. */
  mandateExpiresAt: string | undefined;
}

/**
 * How an approval stands now. What is stored may lag behind: nobody may have recorded the expiry yet, and nothing at all is
 * recorded when a grant lapses. A grant is for the circumstances that it was given in: when its time is over, the policies
 * have changed, the adapter or an approver is gone, or the mandate has ended, it is worth nothing.
 */
export function approvalStanding(
  approval: Pick<StoredApproval, 'state' | 'expiresAt' | 'grantExpiresAt' | 'bundleDigest' | 'decisions'>,
  circumstances: Circumstances,
): ApprovalStanding {
  const { now } = circumstances;
  if (approval.state === 'pending') return isOver(approval.expiresAt, now) ? 'expired' : 'pending';
  if (approval.state !== 'granted') return approval.state;
  const holds =
    !isOver(approval.grantExpiresAt ?? undefined, now) &&
    approval.bundleDigest === circumstances.bundleDigest &&
    circumstances.adapterRegistered &&
    // An erased decision no longer says whose it was.
    approval.decisions.every(({ approver }) => approver === null || mayApprove(approver, circumstances)) &&
    !isOver(circumstances.mandateExpiresAt, now);
  return holds ? 'granted' : 'lapsed';
}

/**
 * What an adapter may do at this moment: the effective decision as it was answered, except that an enforced REQUIRE_APPROVAL
 * follows its approval.
 */
export function effectiveDecisionNow(
  answered: { enforced: boolean; effective_decision: Decision },
  standing: ApprovalStanding | undefined,
): Decision {
  if (!answered.enforced || answered.effective_decision !== 'REQUIRE_APPROVAL') return answered.effective_decision;
  if (standing === 'pending') return 'REQUIRE_APPROVAL';
  return standing === 'granted' ? 'ALLOW' : 'DENY';
}

function mayApprove(approver: string, { approvers }: Circumstances): boolean {
  return approvers === 'anybody' || approvers.includes(approver);
}

/** Who may approve now. In dev mode, that is anybody until approvers are configured, so that the first approval needs no setup. */
export function approversNow(approvers: readonly { id: string }[], dev: boolean): Circumstances['approvers'] {
  return dev && approvers.length === 0 ? 'anybody' : approvers.map(({ id }) => id);
}

/** Times are RFC 3339 in one form, so their order is that of their texts. */
function isOver(end: string | undefined, now: string): boolean {
  return end !== undefined && now >= end;
}
