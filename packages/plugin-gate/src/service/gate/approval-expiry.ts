import type { StoredApproval } from '../../store/index.js';
import type { Gate } from './gate.js';

/** Records that nobody decided in time. Once: where another has recorded it, or a decision came first, nothing happens. */
export async function expire({ store, clock, dev }: Pick<Gate, 'store' | 'clock' | 'dev'>, approval: StoredApproval): Promise<void> {
  if (store.problems().some(({ blocks }) => blocks !== false)) return;
  await store.settle({
    kind: 'approval',
    approvalId: approval.id,
    expect: 'pending',
    next: 'expired',
    event: 'expired',
    time: clock.now().toISOString(),
    dev,
    reportedBy: 'system',
    approver: null,
    approverSig: null,
    approverKey: null,
    approverGroups: null,
    reason: null,
  });
}

/** Looks for approvals that nobody has asked for since their time was over. */
export async function expireAll(gate: Pick<Gate, 'store' | 'clock' | 'dev'>): Promise<void> {
  const now = gate.clock.now().toISOString();
  for (const approval of await gate.store.approvals('pending', now)) if (approval.expiresAt <= now) await expire(gate, approval);
}
