import type { AdminUnit, ApprovalUnit, DecisionUnit, ResultUnit } from '../../store.js';

/** Units as the service makes them, with what a test says of them. */
const TIME = '2026-01-02T03:04:05.678Z';

export function aDecision(
  id: string,
  said: Partial<DecisionUnit> & { decision?: 'ALLOW' | 'DENY' | 'REQUIRE_APPROVAL' } = {},
): DecisionUnit {
  const { decision = 'ALLOW', ...rest } = said;
  const waits = decision === 'REQUIRE_APPROVAL';
  const need = { groups: ['sre'], quorum: 1, ttl_seconds: 3600, grant_ttl_seconds: 900 };
  return {
    kind: 'decision',
    proposalId: id,
    time: TIME,
    dev: false,
    reportedBy: 'ci-main',
    proposal: {
      proposal: {
        id,
        principal: { id: 'alice' },
        agent: { id: 'deployer' },
        action: { type: 'kubernetes.apply', resource: 'k8s://prod/web', parameters: { replicas: 3, note: 'Grüße \u0000 "x" \\' } },
        environment: 'production',
      },
      budget: null,
      mandate: null,
      evaluated_at: TIME,
      adapter: { id: 'ci-main', kind: 'ci' },
      class: 'enforcing',
    },
    verdict: {
      proposal_id: id,
      verdict: {
        decision,
        reasons: [],
        matched_policies: [],
        draft_matches: [],
        obligations: [],
        approval: waits ? need : null,
        mandate: { status: 'absent' },
        budget: { status: 'absent' },
        governance: null,
        bundle: { id: 'acme', version: '1.0.0', digest: 'sha256:bundle' },
        input_digest: 'sha256:input',
        engine: 'svc-check/1',
      },
      enforced: true,
      effective_decision: decision,
      approval: waits ? `apr_${id}` : null,
    },
    ...(waits ? { approval: { id: `apr_${id}`, need, shadow: false, expiresAt: '2026-01-02T04:04:05.678Z' } } : {}),
    ...rest,
  };
}

export function aResult(id: string, said: Partial<ResultUnit> = {}): ResultUnit {
  const status = said.status ?? 'ok';
  return {
    kind: 'result',
    proposalId: id,
    time: TIME,
    dev: false,
    reportedBy: 'ci-main',
    status,
    report: { status },
    bodyDigest: `digest of ${status}`,
    ...said,
  };
}

export function anApproval(id: string, said: Partial<ApprovalUnit> = {}): ApprovalUnit {
  return {
    kind: 'approval',
    approvalId: `apr_${id}`,
    expect: 'pending',
    next: 'granted',
    event: 'granted',
    time: TIME,
    dev: false,
    reportedBy: 'operator:bob',
    approver: 'bob',
    approverSig: null,
    approverKey: null,
    approverGroups: ['sre'],
    reason: 'looks right',
    ...((said.next ?? 'granted') === 'granted' && { grantExpiresAt: '2026-01-02T03:19:05.678Z' }),
    ...said,
  };
}

export function anAct(action: string, said: Partial<AdminUnit> = {}): AdminUnit {
  return { kind: 'admin', type: 'admin_action', time: TIME, dev: false, reportedBy: 'operator:root', data: { action }, ...said };
}

export function anErasure(seq: number): AdminUnit {
  return anAct('', { data: { action: 'evidence.erase', seq, operator: 'operator:root', reason: 'a secret' } });
}
