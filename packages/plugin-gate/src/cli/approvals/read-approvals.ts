import { type ApprovalStanding, approvalStanding, approversNow } from '../../approval/index.js';
import type { EvidenceStore, StoredApproval } from '../../store/index.js';
import { loadBundle } from '../../verdict/index.js';
import { bundlePath } from '../open/open-bundle.js';
import type { GateInstallation } from '../open/open-gate.js';
import { withStoreToRead } from '../open/read-store.js';

/** How an approval stands now: later than what is stored when its time is over. */
export type StandingNow = (approval: StoredApproval) => Promise<ApprovalStanding>;

/** Reads approvals beside a server. */
export function readApprovals<Result>(
  installation: GateInstallation,
  read: (store: EvidenceStore, standing: StandingNow) => Promise<Result>,
): Promise<Result> {
  return withStoreToRead(installation, async (store, config) => {
    const named = config.policy.bundle !== undefined;
    const bundleDigest = named ? (await loadBundle(bundlePath(installation, undefined))).bundle?.digest : undefined;
    return read(store, async (approval) => {
      const stored = await store.proposal(approval.proposalId);
      const expires = stored?.proposal?.mandate?.expires_at;
      return approvalStanding(approval, {
        now: installation.clock.now().toISOString(),
        bundleDigest,
        adapterRegistered: stored?.dev === true || config.adapters.some(({ adapter_id }) => adapter_id === approval.adapter),
        approvers: approversNow(config.approvers, installation.dev ?? false),
        mandateExpiresAt: typeof expires === 'string' ? expires : undefined,
      });
    });
  });
}
