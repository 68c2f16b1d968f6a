import {
  awaitApproval,
  type Connection,
  type DecisionAnswer,
  type FailMode,
  isObject,
  permission,
  readDecision,
  submitProposal,
} from '../client/index.js';
import type { Envelope } from '../proposal/index.js';
import { approvalState, denialOf, EXITS, pendingText, type Stop, undecided } from './decision-text.js';
import type { KeptRun, KeptRuns } from './kept-runs.js';

/** Whether a command may run, once. `guarded: false`: without a decision, as `--fail open` says. */
export type Permission = { kind: 'allowed'; proposalId: string } | { kind: 'unguarded'; why: string } | ({ kind: 'stopped' } & Stop);

export interface Asking {
  connection: Connection;
  kept: KeptRuns;
  /** A new proposal of the command, with the bytes that are sent. */
  propose: () => { envelope: Envelope; body: string };
  fail: FailMode;
  patienceMs: number;
  /** How long to wait for an approval; 0: not at all. */
  waitMs: number;
  /** A line for people. */
  tell: (text: string) => void;
}

/**
 * Asks the gate whether a command may run. An earlier proposal of exactly this command is continued if it still waits for its
 * approval or has just got it; else a new one is submitted. After the answer `allowed`, no other run can use the proposal.
 */
export async function askPermission(asking: Asking): Promise<Permission> {
  for (;;) {
    const permitted = (await continueEarlier(asking)) ?? (await proposeAnew(asking));
    if (permitted !== 'taken') return permitted;
    asking.tell('Another run of this command used the approval.');
  }
}

/** @returns undefined if no earlier proposal can be continued */
async function continueEarlier(asking: Asking): Promise<Permission | 'taken' | undefined> {
  const { connection, kept, patienceMs } = asking;
  let pending: { run: KeptRun; answer: DecisionAnswer } | undefined;
  for (const run of await kept.find()) {
    const found = await readDecision(connection, run.proposalId, patienceMs);
    const gone = found.kind === 'refused' && found.status === 404;
    if (found.kind !== 'decided' && !gone) return { kind: 'stopped', ...undecided(found, { ...run, url: connection.url }) };
    if (found.kind !== 'decided' || !isUsable(found.answer, run)) await kept.claim(run);
    else if (found.answer.effective_decision === 'REQUIRE_APPROVAL') pending ??= { run, answer: found.answer };
    else if (await kept.claim(run)) {
      if (found.answer.effective_decision === 'ALLOW') return { kind: 'allowed', proposalId: run.proposalId };
      const denial = denialOf(found.answer);
      if (approvalState(found.answer) === 'rejected') return { kind: 'stopped', ...denial };
      asking.tell(`${denial.text} A new one is requested.`);
    }
  }
  return pending && (await awaitGrant(asking, pending.run, pending.answer));
}

/** Only a proposal that waited for this approval, and that nobody has reported as done. */
function isUsable({ approval, results }: DecisionAnswer, run: KeptRun): boolean {
  const final = Array.isArray(results) && results.some((result) => !isObject(result) || result.status !== 'deferred');
  return approval === run.approval && Array.isArray(results) && !final;
}

async function proposeAnew(asking: Asking): Promise<Permission | 'taken'> {
  const { connection, kept, propose, fail, patienceMs } = asking;
  const { envelope, body } = propose();
  const { id } = envelope.proposal;
  const submission = await submitProposal(connection, envelope, body, patienceMs);
  const { decision, guarded } = permission(submission, fail);
  if (submission.kind !== 'decided') {
    const stop = undecided(submission, { proposalId: id, url: connection.url });
    return decision === 'ALLOW' && !guarded ? { kind: 'unguarded', why: stop.text } : { kind: 'stopped', ...stop };
  }
  const { answer } = submission;
  if (decision === 'ALLOW') return { kind: 'allowed', proposalId: id };
  if (decision === 'DENY') return { kind: 'stopped', ...denialOf(answer) };
  const run = { proposalId: id, approval: answer.approval ?? '' };
  await kept.keep(run);
  return await awaitGrant(asking, run, answer);
}

/** Whatever the fail mode: the gate has decided that this needs an approval, so only a grant lets it run. */
async function awaitGrant(asking: Asking, run: KeptRun, first: DecisionAnswer): Promise<Permission | 'taken'> {
  const { connection, kept, patienceMs, waitMs, tell } = asking;
  tell(pendingText(first, connection.identity === undefined));
  const still: Permission = {
    kind: 'stopped',
    exit: EXITS.REQUIRE_APPROVAL,
    text: 'The command did not run. Run it again in the same way after the approval is granted.',
  };
  if (waitMs === 0) return still;
  const found = await awaitApproval(connection, run.proposalId, patienceMs, waitMs);
  if (found.kind !== 'decided') return { kind: 'stopped', ...undecided(found, { ...run, url: connection.url }) };
  const { effective_decision: decision } = found.answer;
  if (decision === 'REQUIRE_APPROVAL') return still;
  if (!(await kept.claim(run)) || !isUsable(found.answer, run)) return 'taken';
  return decision === 'ALLOW' ? { kind: 'allowed', proposalId: run.proposalId } : { kind: 'stopped', ...denialOf(found.answer) };
}
