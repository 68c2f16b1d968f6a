import { plural } from '@bylaw/core/plural';
import { printable } from '@bylaw/core/report/printable';
import { asObject, asObjects, type DecisionAnswer, type Members, NO_ANSWER, printableScalar, type Submission } from '../../client/index.js';
import { grantLine, noDecisionText, type Request, reasonLines } from '../../run/index.js';

/** How to reach the gate that answered, for the commands that come next. */
export interface Answered extends Request {
  /** Whether the requests were not signed: then it is a server in dev mode, which works on another store. */
  dev: boolean;
}

/** The members of an answer as the specification names them, whatever else a recovered answer has. */
export function sixMembers({ verdict, enforced, effective_decision, evidence_ref, evidence_seq, approval }: DecisionAnswer): object {
  return { verdict, enforced, effective_decision, evidence_ref, evidence_seq, approval };
}

/**
 * An answer for people: what may be done, why, what else must be done, who can approve it, and where it is recorded.
 * What has another form than a gate would give it is left out.
 */
export function answerText(answer: DecisionAnswer, answered: Answered): string {
  const verdict = asObject(answer.verdict);
  const lines = [
    headOf(answer, printableScalar(verdict.decision)),
    ...reasonLines(answer),
    ...named(
      'Obligations',
      asObjects(verdict.obligations).map(({ type, id }) => `${printableScalar(type)} (${printableScalar(id)})`),
    ),
    ...named(
      'Draft policies that match',
      asObjects(verdict.draft_matches).map(({ id, effect }) => `${printableScalar(id)} (${printableScalar(effect)})`),
    ),
    ...approvalLines(answer, asObject(verdict.approval), answered),
    evidenceLine(answer, asObject(verdict.bundle)),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** What to say if there is no decision: what happened, and what helps. */
export function undecidedText(submission: Exclude<Submission, { kind: 'decided' }>, request: Request): string {
  const text = noDecisionText(submission, request);
  if (submission.kind === 'refused') return text;
  if (submission.last === NO_ANSWER) return `${text} Then run the same command again: the gate decides a proposal only once.`;
  return submission.unknown ? `${text} Run the same command again: the gate decides a proposal only once.` : text;
}

/** In shadow mode, and after an approval, the decision that counts is not that of the verdict. */
function headOf({ effective_decision: decision, enforced, approval_status: status }: DecisionAnswer, verdict: string): string {
  if (enforced === false) return `${decision} (shadow mode; the verdict is ${verdict})`;
  const { state } = asObject(status);
  return decision === verdict || state === undefined ? decision : `${decision} (the approval is ${printableScalar(state)})`;
}

function approvalLines(
  { approval, enforced, effective_decision: decision }: DecisionAnswer,
  need: Members,
  { proposalId, dev }: Answered,
): string[] {
  if (approval === null) return [];
  const groups = Array.isArray(need.groups) ? need.groups.map(printableScalar).join(' and ') : '';
  const quorum = typeof need.quorum === 'number' ? `, ${plural(need.quorum, 'approver')} from ${groups}` : '';
  const line = `Approval: ${printable(approval)}${quorum}`;
  if (enforced === false || decision !== 'REQUIRE_APPROVAL') return [line];
  return [line, grantLine(printable(approval), dev), `  Wait for the decision:  bylaw wait ${proposalId}${dev ? ' --dev' : ''}`];
}

function evidenceLine({ evidence_ref: ref, evidence_seq: seq }: DecisionAnswer, { id, version }: Members): string {
  const [, verdictSeq] = Array.isArray(seq) ? seq : [];
  const where = verdictSeq === 0 ? `${printable(ref)} (not numbered yet)` : `record ${printableScalar(verdictSeq ?? ref)}`;
  return `Evidence: ${where}${id === undefined ? '' : `, decided by the bundle ${printableScalar(id)} ${printableScalar(version)}`}`;
}

function named(name: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${name}: ${items.join(', ')}`];
}
