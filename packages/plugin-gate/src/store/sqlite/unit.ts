import type { Draft } from '../../evidence/index.js';
import { canonical } from '../../json/index.js';
import type { AdminUnit, ApprovalUnit, DecisionUnit, Recorded, ReportOutcome, ResultUnit } from '../store.js';
import { decisionDrafts } from '../unit-records.js';

/** What goes to the writer. The data of decisions goes as texts: a thread takes a text far faster than a tree of objects. */
export type Unit = DecisionTexts | ResultUnit | ApprovalUnit | AdminUnit | { kind: 'erase'; seq: number; act: AdminUnit };

/** What the writer answers for each kind of unit. */
export interface Outcomes {
  /** Undefined: the id was used before. */
  decision: Recorded | undefined;
  result: ReportOutcome;
  /** Undefined: the approval is in another state. */
  approval: Recorded | undefined;
  admin: Recorded;
  erase: Recorded;
}

export interface DecisionTexts {
  kind: 'decision';
  id: string;
  reportedBy: string;
  class: string;
  effectiveDecision: string;
  /** Proposal, verdict, and the request of an approval. */
  drafts: Draft[];
  /** The number of the proposal record goes into the data of the verdict here: number of characters before it. */
  proposalSeqAt: number;
  approval: ApprovalRow | undefined;
}

export interface ApprovalRow {
  id: string;
  need: string;
  shadow: boolean;
  inputDigest: string;
  bundleDigest: string;
  requestedAt: string;
  expiresAt: string;
}

export function decisionTexts(unit: DecisionUnit): DecisionTexts {
  const drafts = decisionDrafts(unit, 0);
  return {
    kind: 'decision',
    id: unit.proposalId,
    reportedBy: unit.reportedBy,
    class: unit.proposal.class,
    effectiveDecision: unit.verdict.effective_decision,
    drafts,
    proposalSeqAt: placeOfProposalSeq(drafts[1]?.data ?? ''),
    approval: unit.approval && approvalRow(unit, unit.approval),
  };
}

/** The data of a verdict with the number in its place. */
export function withProposalSeq(text: string, at: number, seq: number): string {
  return text.slice(0, at) + seq + text.slice(at + 1);
}

/**
 * Canonical texts have their members in the order of their names, so only texts without quotes (ids, a decision) stand before
 * this one: its name in quotes cannot be a value.
 */
function placeOfProposalSeq(text: string): number {
  const name = '"proposal_seq":';
  const at = text.indexOf(`${name}0,`);
  if (at < 0) throw new RangeError('The data of a verdict has no place for the number of its proposal.');
  return at + name.length;
}

function approvalRow({ verdict, time }: DecisionUnit, { id, need, shadow, expiresAt }: NonNullable<DecisionUnit['approval']>): ApprovalRow {
  return {
    id,
    need: canonical({ ...need }),
    shadow,
    inputDigest: verdict.verdict.input_digest,
    bundleDigest: verdict.verdict.bundle.digest,
    requestedAt: time,
    expiresAt,
  };
}
