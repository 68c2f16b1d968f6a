import { printable } from '@bylaw/core/report/printable';
import { type DecisionAnswer, isObject, NO_ANSWER, type Submission } from '../client/index.js';

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
  return isObject(status) && typeof status.state === 'string' ? status.state : undefined;
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
  return [
    `This needs the approval ${id}.`,
    ...reasonLines(answer),
    `An approver grants it with: bylaw approvals grant ${id} --as NAME --key FILE${dev ? ' --dev' : ''}`,
  ].join('\n');
}

/** What to say if there is no decision. */
export function undecided(submission: Exclude<Submission, { kind: 'decided' }>): Stop {
  if (submission.kind === 'refused') {
    const code = submission.code === undefined ? '' : ` (${submission.code})`;
    return { exit: EXITS.undecided, text: `The gate refused the request with status ${submission.status}${code}.` };
  }
  if (submission.last === NO_ANSWER) return { exit: EXITS.unreachable, text: 'The gate cannot be reached.' };
  const text = submission.unknown ? 'It is not known whether the gate decided' : 'The gate did not decide';
  return { exit: EXITS.undecided, text: `${text}: ${submission.last}.` };
}

function named({ approval }: DecisionAnswer): string {
  return printable(approval ?? 'unknown');
}

function reasonLines({ verdict }: DecisionAnswer): string[] {
  const reasons = isObject(verdict) && Array.isArray(verdict.reasons) ? verdict.reasons : [];
  return reasons.filter(isObject).map(({ code, message, policy }) => {
    const origin = [code, policy].filter((part) => typeof part === 'string').join(', policy ');
    return printable(`- ${String(message)} (${origin})`);
  });
}
