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
  const proposed = draftOf(unit, 'proposal', proposalText(unit, origin));
  const decided = draftOf(unit, 'verdict', verdictText(unit, proposalSeq));
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

/** The canonical text of the data of a proposal record, its members in the order of their names: it is made for every decision. */
function proposalText({ proposal: data, texts }: DecisionUnit, origin: Origin | undefined): string {
  const { proposal, budget, mandate, evaluated_at, adapter, class: adapterClass } = data;
  return (
    `{"adapter":${canonical(adapter)},"budget":${texts?.budget?.text ?? canonical(budget)},"class":"${adapterClass}",` +
    `"evaluated_at":${canonical(evaluated_at)},"mandate":${texts?.mandate?.text ?? canonical(mandate)},` +
    `${origin === undefined ? '' : `"origin":${canonical({ ...origin })},`}"proposal":${texts?.proposal?.text ?? canonical(proposal)}}`
  );
}

/** The same of a verdict record. */
function verdictText({ verdict: data, texts }: DecisionUnit, proposalSeq: number): string {
  const { proposal_id, verdict, enforced, effective_decision, approval } = data;
  return (
    `{"approval":${canonical(approval)},"effective_decision":"${effective_decision}","enforced":${enforced},` +
    `"proposal_id":${canonical(proposal_id)},"proposal_seq":${proposalSeq},"verdict":${texts?.verdict?.text ?? canonicalOf(verdict)}}`
  );
}

interface Unit {
  time: string;
  dev: boolean;
  reportedBy: string;
}

function draft(unit: Unit, type: Draft['type'], data: object, origin?: Origin): Draft {
  return draftOf(unit, type, canonicalOf(origin === undefined ? data : { ...data, origin }));
}

function draftOf({ time, dev, reportedBy }: Unit, type: Draft['type'], data: string): Draft {
  return { type, time, dev, reportedBy, data };
}

/** Units hold plain data: their types say so member by member, and `canonical` refuses everything else. */
function canonicalOf(data: object): string {
  return canonical(data as Writable);
}
