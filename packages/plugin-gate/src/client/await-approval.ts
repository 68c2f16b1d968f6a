import { codeOf, isDecision } from './decision.js';
import { type Connection, exchange } from './exchange.js';
import { describe, isForLater, type Submission } from './submit.js';

/** As the gate advises with a 202. */
const POLL_MS = 5000;

/**
 * Asks until the effective decision of a proposal is no longer REQUIRE_APPROVAL. That comes to an end by itself, for an
 * approval expires.
 * @param patienceMs how long to go on asking a gate that does not answer
 */
export async function awaitApproval(connection: Connection, proposalId: string, patienceMs: number): Promise<Submission> {
  let heard = connection.now().getTime();
  for (;;) {
    await connection.wait(POLL_MS);
    const answer = await exchange(connection, 'GET', `/v1/proposals/${proposalId}`);
    if (answer === 'lost' || isForLater(answer)) {
      if (connection.now().getTime() - heard < patienceMs) continue;
      return { kind: 'unavailable', last: answer === 'lost' ? 'no answer' : describe(answer), unknown: false };
    }
    if (answer.status !== 200 || !isDecision(answer.body)) return { kind: 'refused', status: answer.status, code: codeOf(answer.body) };
    heard = connection.now().getTime();
    const now = { ...answer.body, effective_decision: answer.body.effective_decision_now };
    if (isDecision(now) && now.effective_decision !== 'REQUIRE_APPROVAL') return { kind: 'decided', answer: now, recovered: false };
  }
}
