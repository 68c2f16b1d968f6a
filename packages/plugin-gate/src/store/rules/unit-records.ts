import type { Draft } from '../../evidence/index.js';
import { canonical, type JsonObject, type Writable } from '../../json/index.js';
import type { AdminUnit, ApprovalUnit, DecisionUnit, ResultUnit } from '../store.js';

/**
 * Which records a unit becomes, and what their data is. Both stores make records here, so that the same request leaves the same
 * data in either.
 */

/** Deferred storage only: which replica accepted the unit, and as its how manieth, from 1. A hole shows that a unit was taken away. */
export interface Origin {
  replica: string;
  n: number;
}

/**
 * A proposal, its verdict, and the request of the approval that the verdict needs.
 * @param proposalSeq number that the first of them gets
 */
export function decisionDrafts(
  unit: DecisionUnit,
  proposalSeq: number,
  origin?: Origin,
): [proposal: Draft, verdict: Draft, ...request: Draft[]] {
  const { verdict = unit.verdict.verdict, ...submitted } = unit.texts ?? {};
  const proposed = draft(unit, 'proposal', { ...unit.proposal, ...submitted }, origin);
  const decided = draft(unit, 'verdict', { ...unit.verdict, verdict, proposal_seq: proposalSeq });
  return unit.approval === undefined
    ? [proposed, decided]
    : [proposed, decided, draft(unit, 'approval', requestedApproval(unit.approval, unit))];
}

/** @param ruled what `ruleOnResult` says */
export function resultDraft(
  unit: ResultUnit,
  verdictSeq: number,
  ruled: { assurance: 'adapter' | 'self'; contradictsVerdict: boolean },
  origin?: Origin,
): Draft {
  const data = {
    proposal_id: unit.proposalId,
    verdict_seq: verdictSeq,
    status: unit.status,
    report: unit.report,
    contradicts_verdict: ruled.contradictsVerdict,
  };
  return { ...draft(unit, 'result', data, origin), assurance: ruled.assurance };
}

export function approvalDraft(unit: ApprovalUnit, origin?: Origin): Draft {
  const { approvalId, event, approver, approverSig, approverKey, approverGroups, reason, time, next, grantExpiresAt = null } = unit;
  const data = {
    approval_id: approvalId,
    event,
    approver,
    approver_sig: approverSig,
    approver_key: approverKey,
    approver_groups: approverGroups,
    reason,
    // What was signed says when; the time of the record may be later.
    ...(approver !== null && { at: time }),
    state: next === 'pending' ? 'partial' : next,
    grant_expires_at: grantExpiresAt,
  };
  return draft(unit, 'approval', data, origin);
}

export function adminDraft(unit: AdminUnit, origin?: Origin): Draft {
  return draft(unit, unit.type, unit.data, origin);
}

/** All that is needed to recompute the quorum, and the statements that approvers sign, without any other record. */
function requestedApproval({ id, need, shadow, expiresAt }: NonNullable<DecisionUnit['approval']>, unit: DecisionUnit): JsonObject {
  return {
    approval_id: id,
    event: 'requested',
    approver: null,
    approver_sig: null,
    reason: null,
    proposal_id: unit.proposalId,
    input_digest: unit.verdict.verdict.input_digest,
    bundle_digest: unit.verdict.verdict.bundle.digest,
    ...need,
    shadow,
    state: 'pending',
    expires_at: expiresAt,
  };
}

function draft(unit: { time: string; dev: boolean; reportedBy: string }, type: Draft['type'], data: object, origin?: Origin): Draft {
  // Units hold plain data: their types say so member by member, and `canonical` refuses everything else.
  const members = (origin === undefined ? data : { ...data, origin }) as Writable;
  return { type, time: unit.time, dev: unit.dev, reportedBy: unit.reportedBy, data: canonical(members) };
}
