import { codeOf, isDecision } from './decision.js';
import { type Connection, exchange } from './exchange.js';
import { describe, isForLater, NO_ANSWER, type Submission } from './submit.js';

/** As the gate advises with a 202. */
const POLL_MS = 5000;

/**
 * Asks until the effective decision of a proposal is no longer REQUIRE_APPROVAL. That comes to an end by itself, for an
 * approval expires.
 * @param patienceMs how long to go on asking a gate that does not answer
 * @param limitMs how long to wait for the approval; after it, the decision is still REQUIRE_APPROVAL
 */
export async function awaitApproval(
  connection: Connection,
  proposalId: string,
  patienceMs: number,
  limitMs = Number.POSITIVE_INFINITY,
): Promise<Submission> {
  const end = connection.now().getTime() + limitMs;
  for (;;) {
    const found = await readDecision(connection, proposalId, patienceMs);
    if (found.kind !== 'decided' || found.answer.effective_decision !== 'REQUIRE_APPROVAL') return found;
    const left = end - connection.now().getTime();
    if (left <= 0) return found;
    await connection.wait(Math.min(POLL_MS, left));
  }
}

/**
 * Reads what may be done now: `effective_decision` of the answer is `effective_decision_now`.
 * @param patienceMs how long to go on asking a gate that does not answer
 */
export async function readDecision(connection: Connection, proposalId: string, patienceMs: number): Promise<Submission> {
  const end = connection.now().getTime() + patienceMs;
  for (;;) {
    const answer = await exchange(connection, 'GET', `/v1/proposals/${proposalId}`);
    if (answer !== 'lost' && !isForLater(answer)) {
      const { status, body } = answer;
      const now = isDecision(body) ? { ...body, effective_decision: body.effective_decision_now } : undefined;
      if (status === 200 && isDecision(now)) return { kind: 'decided', answer: now, recovered: false };
      return { kind: 'refused', status, code: codeOf(body) };
    }
    const left = end - connection.now().getTime();
    if (left <= 0) return { kind: 'unavailable', last: answer === 'lost' ? NO_ANSWER : describe(answer), unknown: false };
    await connection.wait(Math.min(POLL_MS, left));
  }
}
