import type { GateServer } from './gate-server.test-support.js';

/**
 * Records what the commands `approvals grant` and `approvals reject` record of the approver olga in the group sre.
 * @returns the number of the record; 0 if the approval was settled before
 */
export async function settle(server: GateServer, approvalId: string, next: 'granted' | 'rejected'): Promise<number> {
  const now = server.now().getTime();
  const recorded = await server.gate.store.settle({
    kind: 'approval',
    approvalId,
    expect: 'pending',
    next,
    event: next,
    time: new Date(now).toISOString(),
    dev: false,
    reportedBy: 'operator:olga',
    approver: 'olga',
    approverSig: null,
    approverKey: null,
    approverGroups: ['sre'],
    reason: null,
    ...(next === 'granted' && { grantExpiresAt: new Date(now + 30_000).toISOString() }),
  });
  return recorded?.seq[0] ?? 0;
}
