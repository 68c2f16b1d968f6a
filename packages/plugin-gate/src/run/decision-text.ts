import { printable } from '@bylaw/core/report/printable';
import { asObject, asObjects, type DecisionAnswer, NO_ANSWER, printableScalar, type Submission } from '../client/index.js';
import { noDecisionText, type Request } from './no-decision.js';

/**
 * Exit codes of the commands that act on a decision, if the action did not run. Those of the first two are those of `check`.
 */
export const EXITS = { DENY: 10, REQUIRE_APPROVAL: 11, undecided: 12, unreachable: 13, unreported: 14, unstarted: 15 } as const;

/** Why an action must not run, and the exit code that says so. */
export interface Stop {
  exit: number;
  text: string;
}

/** How the approval of an answer stands: `pending`, `granted`, `rejected`, `expired`, `cancelled`, `lapsed`; undefined if it does not say. */
export function approvalState({ approval_status: status }: DecisionAnswer): string | undefined {
  const { state } = asObject(status);
  return typeof state === 'string' ? state : undefined;
}

/** What to say of a denial: the reasons of the verdict, or what became of the approval. */
export function denialOf(answer: DecisionAnswer): Stop {
  const state = approvalState(answer);
  const reasons = reasonLines(answer);
  return {
    exit: EXITS.DENY,
    text: state === undefined ? ['The gate denies this.', ...reasons].join('\n') : `The approval ${named(answer)} is ${printable(state)}.`,
  };
}

/** What to say while an approval is pending: which one, and how to grant it. */
export function pendingText(answer: DecisionAnswer, dev: boolean): string {
  const id = named(answer);
  return [`This needs the approval ${id}.`, ...reasonLines(answer), grantLine(id, dev)].join('\n');
}

/** The reasons of the verdict, one indented line each, with the code and the policy in front. */
export function reasonLines({ verdict }: DecisionAnswer): string[] {
  return asObjects(asObject(verdict)['reasons']).map(({ code, policy, message }) => {
    const origin = [code, policy].filter((part) => part !== undefined).map(printableScalar);
    return `  ${origin.join(' ')}: ${printableScalar(message)}`;
  });
}

/**
 * The command with which an approver grants an approval, as an indented line.
 * @param dev whether the server is in dev mode: then anybody but the principal can grant it, without a key
 */
export function grantLine(approval: string, dev: boolean): string {
  return `  An approver grants it:  bylaw approvals grant ${approval} ${dev ? '--dev --as NAME' : '--as NAME --key FILE'}`;
}

/** What to say if there is no decision. */
export function undecided(submission: Exclude<Submission, { kind: 'decided' }>, request: Request): Stop {
  const unreachable = submission.kind === 'unavailable' && submission.last === NO_ANSWER;
  return { exit: unreachable ? EXITS.unreachable : EXITS.undecided, text: noDecisionText(submission, request) };
}

function named({ approval }: DecisionAnswer): string {
  return printable(approval ?? 'unknown');
}
