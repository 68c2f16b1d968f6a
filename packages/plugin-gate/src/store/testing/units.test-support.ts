import type { JsonObject } from '../../json/index.js';
import type { AdapterClass } from '../../proposal/proposal.js';
import type { Decision, Verdict } from '../../verdict/verdict.js';
import type { AdminUnit, ApprovalUnit, DecisionUnit, ResultUnit } from '../store.js';

/** Units as the gate makes them, for tests of stores. */

export const TIME = '2026-01-02T03:04:05.678Z';

export interface DecisionWishes {
  decision?: Decision;
  enforced?: boolean;
  class?: AdapterClass;
  time?: string;
  dev?: boolean;
  reportedBy?: string;
  parameters?: JsonObject;
  /** Of the approval. */
  quorum?: number;
}

/** A decision; one that needs an approval files it under `apr_<id>`. */
export function decisionUnit(id: string, wishes: DecisionWishes = {}): DecisionUnit {
  const { decision = 'ALLOW', enforced = true, time = TIME, dev = false, reportedBy = 'ci-main', parameters = {} } = wishes;
  const verdict = verdictOf(decision, wishes.quorum);
  const approval = verdict.approval === null ? null : `apr_${id}`;
  return {
    kind: 'decision',
    proposalId: id,
    time,
    dev,
    reportedBy,
    proposal: {
      proposal: {
        id,
        principal: { id: 'alice' },
        agent: { id: 'bot' },
        action: { type: 'deploy', resource: 'k8s://prod/web', parameters },
        environment: 'production',
      },
      budget: null,
      mandate: null,
      evaluated_at: time,
      adapter: { id: reportedBy, kind: 'ci' },
      class: wishes.class ?? 'enforcing',
    },
    verdict: { proposal_id: id, verdict, enforced, effective_decision: enforced ? decision : 'ALLOW', approval },
    ...(approval !== null &&
      verdict.approval !== null && {
        approval: { id: approval, need: verdict.approval, shadow: !enforced, expiresAt: later(time, 3600) },
      }),
  };
}

function verdictOf(decision: Decision, quorum = 1): Verdict {
  return {
    decision,
    reasons: [{ code: 'AG-POL-020', policy: 'some-policy', message: 'Some policy says so, "quoted" and proposal_seq:0.' }],
    matched_policies: [],
    draft_matches: [],
    obligations: [],
    approval: decision === 'REQUIRE_APPROVAL' ? { groups: ['sre'], quorum, ttl_seconds: 3600, grant_ttl_seconds: 900 } : null,
    mandate: { status: 'absent' },
    budget: { status: 'absent' },
    governance: null,
    bundle: { id: 'test', version: '1.0.0', digest: `sha256:${'ab'.repeat(32)}` },
    input_digest: `sha256:${'cd'.repeat(32)}`,
    engine: 'svc-check/1',
  };
}

export function resultUnit(proposalId: string, wishes: Partial<ResultUnit> = {}): ResultUnit {
  const status = wishes.status ?? 'ok';
  const report = { status };
  return {
    kind: 'result',
    proposalId,
    time: TIME,
    dev: false,
    reportedBy: 'ci-main',
    status,
    report,
    bodyDigest: `sha256:${status}`,
    ...wishes,
  };
}

function later(time: string, seconds: number): string {
  return new Date(Date.parse(time) + seconds * 1000).toISOString();
}

/** Unsigned, by one of the group that decisions ask for. */
export function approvalUnit(approvalId: string, wishes: Partial<ApprovalUnit> = {}): ApprovalUnit {
  return {
    kind: 'approval',
    approvalId,
    expect: 'pending',
    next: 'granted',
    event: 'granted',
    time: TIME,
    dev: false,
    reportedBy: 'operator:carol',
    approver: 'carol',
    approverSig: null,
    approverKey: null,
    approverGroups: ['sre'],
    reason: 'looks right',
    ...((wishes.next ?? 'granted') === 'granted' && { grantExpiresAt: later(wishes.time ?? TIME, 900) }),
    ...wishes,
  };
}

export function adminUnit(data: JsonObject = { action: 'config.load' }, wishes: Partial<AdminUnit> = {}): AdminUnit {
  return { kind: 'admin', type: 'admin_action', time: TIME, dev: false, reportedBy: 'operator:carol', data, ...wishes };
}

/** The act that erases a record. */
export function eraseAct(seq: number): AdminUnit {
  return adminUnit({ action: 'evidence.erase', seq, operator: 'operator:carol', reason: 'a secret' });
}
