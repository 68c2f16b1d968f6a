import { type HttpRequest, type HttpResponse, json } from '@bylaw/core/http';
import { type ApprovalStanding, approvalStanding, approversNow, effectiveDecisionNow } from '../../approval/index.js';
import type { StoredApproval, StoredProposal } from '../../store/index.js';
import { expire } from '../gate/approval-expiry.js';
import type { Gate } from '../gate/gate.js';
import { gateProblem } from '../http/problems.js';
import { orUnavailable } from '../http/unavailable.js';

/**
 * GET /v1/proposals/{id}: the decision as it was recorded, what has followed, and what the adapter may do now. This is how a
 * lost answer is found again, and how an adapter waits for its approval.
 */
export async function showProposal(gate: Gate, request: HttpRequest): Promise<HttpResponse> {
  gate.authenticator.authenticate(request, request.body);
  const stored = await orUnavailable(gate.store.proposal(request.params.id ?? ''));
  if (!stored) throw gateProblem('AG-EVD-007', { detail: 'No decision is recorded for a proposal with this id.' });
  const standing = stored.approval ? await standingOf(gate, stored, stored.approval) : undefined;
  return json(200, proposalDocument(stored, standing));
}

/** An approval whose time is over is recorded as expired by whoever sees it first. */
async function standingOf(
  gate: Gate,
  { proposal, approval: _, ...stored }: StoredProposal,
  approval: StoredApproval,
): Promise<ApprovalStanding> {
  const standing = approvalStanding(approval, {
    now: gate.clock.now().toISOString(),
    bundleDigest: gate.policies.bundle?.digest,
    adapterRegistered: gate.dev || gate.registry.adapters.some(({ entry }) => entry.adapter_id === stored.reportedBy),
    approvers: approversNow(gate.config.approvers, gate.dev),
    mandateExpiresAt: textIfGiven(proposal?.mandate?.expires_at),
  });
  if (standing === 'expired' && approval.state === 'pending') await expire(gate, approval);
  return standing;
}

function textIfGiven(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function proposalDocument(
  { recorded, reportedBy, dev, proposal, verdict, approval, results }: StoredProposal,
  standing: ApprovalStanding | undefined,
) {
  return {
    verdict: verdict?.verdict ?? null,
    enforced: verdict?.enforced ?? null,
    effective_decision: verdict?.effective_decision ?? null,
    evidence_ref: recorded.ref,
    evidence_seq: recorded.seq,
    approval: verdict?.approval ?? null,
    proposal: proposal?.proposal ?? null,
    budget: proposal?.budget ?? null,
    mandate: proposal?.mandate ?? null,
    adapter: reportedBy,
    enforcement: proposal?.class ?? null,
    recorded_at: recorded.time,
    dev,
    effective_decision_now: verdict ? effectiveDecisionNow(verdict, standing) : 'DENY',
    approval_status: approval && standing ? shownApproval(approval, standing) : null,
    results: results.map(({ status, assurance, reportedBy: reporter, at, ref, contradictsVerdict }) => ({
      status,
      assurance,
      reported_by: reporter,
      at,
      evidence_ref: ref,
      contradicts_verdict: contradictsVerdict,
    })),
  };
}

function shownApproval({ id, need, decisions, expiresAt, grantExpiresAt, shadow }: StoredApproval, state: ApprovalStanding) {
  return {
    id,
    state,
    quorum: need.quorum,
    decisions: decisions.map(({ approver, decision, at }) => ({ approver, decision, at })),
    expires_at: expiresAt,
    grant_expires_at: grantExpiresAt,
    shadow,
  };
}
