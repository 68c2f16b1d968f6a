import { canonical } from '../../../json/index.js';
import { decisionDrafts } from '../../rules/unit-records.js';
import type { AdminUnit, ApprovalUnit, DecisionUnit, Recorded, ReportOutcome, ResultUnit } from '../../store.js';

/** What goes to the writer. The data of decisions goes as texts, all in one object: a thread takes that far faster than a tree of objects. */
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
  time: string;
  dev: boolean;
  class: string;
  effectiveDecision: string;
  /** Data of the proposal record. */
  proposal: string;
  /** Data of the verdict record. */
  verdict: string;
  /** The number of the proposal record goes into the data of the verdict here: number of characters before it. */
  proposalSeqAt: number;
  approval: ApprovalRow | undefined;
}

export interface ApprovalRow {
  id: string;
  /** Data of the record that requests it. */
  request: string;
  need: string;
  shadow: boolean;
  inputDigest: string;
  bundleDigest: string;
  expiresAt: string;
}

export function decisionTexts(unit: DecisionUnit): DecisionTexts {
  const [proposal, verdict, request] = decisionDrafts(unit, 0);
  return {
    kind: 'decision',
    id: unit.proposalId,
    reportedBy: unit.reportedBy,
    time: unit.time,
    dev: unit.dev,
    class: unit.proposal.class,
    effectiveDecision: unit.verdict.effective_decision,
    proposal: proposal.data,
    verdict: verdict.data,
    proposalSeqAt: placeOfProposalSeq(verdict.data),
    approval: unit.approval && request && approvalRow(unit, unit.approval, request.data),
  };
}

/** The data of a verdict with the number in its place. */
export function withProposalSeq(text: string, at: number, seq: number): string {
  return text.slice(0, at) + seq + text.slice(at + 1);
}

/**
 * Canonical texts have their members in the order of their names, so only texts without quotes (ids, a decision) come before
 * this one: its name in quotes cannot be a value.
 */
function placeOfProposalSeq(text: string): number {
  const name = '"proposal_seq":';
  const at = text.indexOf(`${name}0,`);
  if (at < 0) throw new RangeError('The data of a verdict has no place for the number of its proposal.');
  return at + name.length;
}

function approvalRow(
  { verdict }: DecisionUnit,
  { id, need, shadow, expiresAt }: NonNullable<DecisionUnit['approval']>,
  request: string,
): ApprovalRow {
  return {
    id,
    request,
    need: canonical({ ...need }),
    shadow,
    inputDigest: verdict.verdict.input_digest,
    bundleDigest: verdict.verdict.bundle.digest,
    expiresAt,
  };
}
