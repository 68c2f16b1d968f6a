import { plural } from '@bylaw/core/plural';
import { printable } from '@bylaw/core/report/printable';
import { type DecisionAnswer, isObject, NO_ANSWER, type Submission } from '../client/index.js';

/** How to reach the gate that answered, for the commands that come next. */
export interface Answered {
  proposalId: string;
  /** Whether the requests were not signed: then it is a server in dev mode, which works on another store. */
  dev: boolean;
  url: string;
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
  const verdict = objectOf(answer.verdict);
  const lines = [
    headOf(answer, textOf(verdict.decision)),
    ...listOf(verdict.reasons).map(
      ({ code, policy, message }) =>
        `  ${[code, policy]
          .filter((part) => part !== undefined)
          .map(textOf)
          .join(' ')}: ${textOf(message)}`,
    ),
    ...named(
      'Obligations',
      listOf(verdict.obligations).map(({ type, id }) => `${textOf(type)} (${textOf(id)})`),
    ),
    ...named(
      'Draft policies that match',
      listOf(verdict.draft_matches).map(({ id, effect }) => `${textOf(id)} (${textOf(effect)})`),
    ),
    ...approvalLines(answer, objectOf(verdict.approval), answered),
    evidenceLine(answer, objectOf(verdict.bundle)),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** What to say if there is no decision: what happened, and what helps. */
export function undecidedText(submission: Exclude<Submission, { kind: 'decided' }>, { proposalId, url }: Answered): string {
  if (submission.kind === 'unavailable') {
    if (submission.last === NO_ANSWER)
      return `No decision: ${url} does not answer. Start the gate with \`bylaw serve\`, or pass its URL with --server. Then run the same command again: the gate decides a proposal only once.`;
    return submission.unknown
      ? `It is not known whether the gate decided: ${submission.last}. Run the same command again: the gate decides a proposal only once.`
      : `The gate did not decide: ${submission.last}.`;
  }
  const { status, code } = submission;
  const refused = `The gate refused the request with status ${status}${code === undefined ? '' : ` (${code})`}.`;
  const help = HELP.find(([pattern]) => pattern.test(code ?? ''))?.[1];
  return help === undefined ? refused : `${refused} ${help.replace('ID', proposalId)}`;
}

const HELP: readonly (readonly [code: RegExp, help: string])[] = [
  [/^AG-RPL-001$/, 'The proposal id ID has already been used. Choose a new id for a new action.'],
  [/^AG-IDN-001$/, 'Pass the adapter with --adapter, or set SVC_ADAPTER_ID.'],
  [/^AG-IDN-005$/, 'Check the name of the adapter and its secret. A new adapter or secret needs a restart of the server.'],
];

/** In shadow mode, and after an approval, the decision that counts is not that of the verdict. */
function headOf({ effective_decision: decision, enforced, approval_status: status }: DecisionAnswer, verdict: string): string {
  if (enforced === false) return `${decision} (shadow mode; the verdict is ${verdict})`;
  const { state } = objectOf(status);
  return decision === verdict || state === undefined ? decision : `${decision} (the approval is ${textOf(state)})`;
}

function approvalLines(
  { approval, enforced, effective_decision: decision }: DecisionAnswer,
  need: Members,
  { proposalId, dev }: Answered,
): string[] {
  if (approval === null) return [];
  const groups = Array.isArray(need.groups) ? need.groups.map(textOf).join(' and ') : '';
  const quorum = typeof need.quorum === 'number' ? `, ${plural(need.quorum, 'approver')} from ${groups}` : '';
  const line = `Approval: ${printable(approval)}${quorum}`;
  if (enforced === false || decision !== 'REQUIRE_APPROVAL') return [line];
  const flags = dev ? ' --dev' : '';
  return [
    line,
    `  An approver grants it:  bylaw approvals grant ${printable(approval)}${dev ? flags : ' --as NAME --key FILE'}`,
    `  Wait for the decision:  bylaw wait ${proposalId}${flags}`,
  ];
}

function evidenceLine({ evidence_ref: ref, evidence_seq: seq }: DecisionAnswer, { id, version }: Members): string {
  const [, verdictSeq] = Array.isArray(seq) ? seq : [];
  const where = verdictSeq === 0 ? `${printable(ref)} (not numbered yet)` : `record ${textOf(verdictSeq ?? ref)}`;
  return `Evidence: ${where}${id === undefined ? '' : `, decided by the bundle ${textOf(id)} ${textOf(version)}`}`;
}

function named(name: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${name}: ${items.join(', ')}`];
}

type Members = { readonly [name: string]: unknown };

function objectOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

function listOf(value: unknown): Members[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** Scalars as one line that is safe to show; the answer may come from anything that listens at the address. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? printable(String(value)) : '';
}
