import type { Envelope } from '../proposal/index.js';
import type { Decision } from '../verdict/index.js';
import { codeOf, type DecisionAnswer, isDecision, isObject } from './decision.js';
import { type Connection, exchange } from './exchange.js';
import type { Answer } from './request.js';

/** What came of handing in a proposal. */
export type Submission =
  | { kind: 'decided'; answer: DecisionAnswer; recovered: boolean }
  /** The gate has refused the request as it is: sending it again cannot help. */
  | { kind: 'refused'; status: number; code: string | undefined }
  /**
   * Nothing was heard, or nothing but "not now", until the patience was over. `unknown`: an answer was lost, or the gate itself did
   * not know, so that the proposal may be decided all the same. GET tells.
   */
  | { kind: 'unavailable'; last: string; unknown: boolean };

/** What `last` says if nothing was heard: the gate cannot be reached. */
export const NO_ANSWER = 'no answer';

/** The pause before the second attempt, where the gate names none; it doubles from there, to `MAX_PAUSE_MS`. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 8000;

/**
 * Hands in a proposal until the gate has decided it, refuses it, or the patience is over. The id makes that safe: a proposal
 * is decided once, however often it is sent. A decision whose answer was lost, or whose outcome the gate did not know, is read back.
 * @param body the bytes that are sent, each time the same
 * @param patienceMs how long to go on after a first attempt that brought nothing
 */
export async function submitProposal(connection: Connection, envelope: Envelope, body: string, patienceMs: number): Promise<Submission> {
  const end = connection.now().getTime() + patienceMs;
  let lostOne = false;
  let unknown = false;
  for (let attempt = 0; ; attempt++) {
    const answer = await exchange(connection, 'POST', '/v1/proposals', body);
    const outcome = answer === 'lost' ? 'again' : await outcomeOf(connection, envelope, answer, lostOne);
    if (outcome !== 'again') return outcome;
    lostOne ||= answer === 'lost' || answer.status >= 500;
    unknown ||= answer === 'lost' || isUnknown(answer);
    const pause = pauseAfter(answer, attempt);
    if (connection.now().getTime() + pause > end) {
      const last = answer === 'lost' ? NO_ANSWER : describe(answer);
      return (await readBack(connection, envelope, unknown)) ?? { kind: 'unavailable', last, unknown };
    }
    await connection.wait(pause);
  }
}

async function outcomeOf(connection: Connection, envelope: Envelope, answer: Answer, lostOne: boolean): Promise<Submission | 'again'> {
  const { status, body } = answer;
  if ((status === 200 || status === 202) && isDecision(body)) return { kind: 'decided', answer: body, recovered: false };
  if (status === 409 && lostOne) return recovered(connection, envelope, answer);
  if (isUnknown(answer)) return (await readBack(connection, envelope, true)) ?? 'again';
  if (isForLater(answer)) return 'again';
  return { kind: 'refused', status, code: codeOf(body) };
}

/** The gate does not know whether it has recorded a decision. */
function isUnknown({ status, body }: Answer): boolean {
  return status === 503 && codeOf(body) === 'AG-EVD-009';
}

/** The decision, if one may be there and is. */
async function readBack(connection: Connection, envelope: Envelope, unknown: boolean): Promise<Submission | undefined> {
  if (!unknown) return undefined;
  const answer = await exchange(connection, 'GET', `/v1/proposals/${envelope.proposal.id}`);
  return answer === 'lost' ? undefined : decisionIn(answer, envelope);
}

/**
 * Reads back the decision of an attempt whose answer was lost. The id alone does not say that the recorded proposal is this
 * one, so what is never masked is compared.
 */
async function recovered(connection: Connection, envelope: Envelope, replayed: Answer): Promise<Submission | 'again'> {
  const answer = await exchange(connection, 'GET', `/v1/proposals/${envelope.proposal.id}`);
  if (answer === 'lost' || isForLater(answer)) return 'again';
  return decisionIn(answer, envelope) ?? { kind: 'refused', status: replayed.status, code: codeOf(replayed.body) };
}

function decisionIn({ status, body }: Answer, { proposal }: Envelope): Submission | undefined {
  if (status !== 200 || !isDecision(body) || !isSame(body.proposal, proposal)) return undefined;
  // What may be done now, which an approval may have changed since.
  const now = { ...body, effective_decision: body.effective_decision_now };
  return isDecision(now) ? { kind: 'decided', answer: now, recovered: true } : undefined;
}

function isSame(recorded: unknown, { principal, action, environment }: Envelope['proposal']): boolean {
  return (
    isObject(recorded) &&
    isObject(recorded.principal) &&
    isObject(recorded.action) &&
    recorded.principal.id === principal.id &&
    recorded.action.type === action.type &&
    recorded.environment === environment
  );
}

/** A limit that is spent, or a gate that cannot decide at this moment: the same id may be sent again. */
export function isForLater({ status }: Answer): boolean {
  return status === 429 || status >= 500 || status === 408;
}

function pauseAfter(answer: Answer | 'lost', attempt: number): number {
  const own = Math.min(FIRST_PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS);
  return answer === 'lost' ? own : (answer.retryAfterMs ?? own);
}

export function describe({ status, body }: Answer): string {
  const code = codeOf(body);
  return code === undefined ? `status ${status}` : `${code} (status ${status})`;
}

/** What an adapter does when the gate does not decide. */
export type FailMode = 'closed' | 'open';

/**
 * What an adapter may do. It follows `effective_decision`, never `verdict.decision`: in shadow mode these differ.
 *
 * `closed` takes whatever is not a decision as a refusal. `open` lets the action go ahead, unrecorded, where the gate cannot be
 * reached or cannot decide; a request that the gate has refused stays refused, or a malformed proposal would be a way around it.
 */
export function permission(submission: Submission, fail: FailMode): { decision: Decision; guarded: boolean } {
  if (submission.kind === 'decided') return { decision: submission.answer.effective_decision, guarded: true };
  if (submission.kind === 'unavailable' && fail === 'open') return { decision: 'ALLOW', guarded: false };
  return { decision: 'DENY', guarded: submission.kind === 'refused' };
}
