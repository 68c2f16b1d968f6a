import { codeOf } from './decision.js';
import { type Connection, exchange } from './exchange.js';
import { describe, isForLater, NO_ANSWER } from './submit.js';

export type Reported =
  | { kind: 'recorded'; answer: unknown }
  | { kind: 'refused'; status: number; code: string | undefined }
  | { kind: 'unavailable'; last: string };

const PAUSE_MS = 1000;

/** Reports a result until it is recorded or refused. The same bytes sent twice are recorded once. */
export async function reportResult(connection: Connection, proposalId: string, body: string, patienceMs: number): Promise<Reported> {
  const end = connection.now().getTime() + patienceMs;
  for (;;) {
    const answer = await exchange(connection, 'POST', `/v1/proposals/${proposalId}/result`, body);
    if (answer !== 'lost' && !isForLater(answer))
      return answer.status === 200
        ? { kind: 'recorded', answer: answer.body }
        : { kind: 'refused', status: answer.status, code: codeOf(answer.body) };
    const pause = answer === 'lost' ? PAUSE_MS : (answer.retryAfterMs ?? PAUSE_MS);
    if (connection.now().getTime() + pause > end) return { kind: 'unavailable', last: answer === 'lost' ? NO_ANSWER : describe(answer) };
    await connection.wait(pause);
  }
}
