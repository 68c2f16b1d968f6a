import type { PoolClient } from 'pg';
import type { DecisionUnit, ResultUnit } from '../../store.js';
import { acceptApproval } from './accept-approval.js';
import { acceptDecisions } from './accept-decisions.js';
import { acceptResults } from './accept-results.js';
import type { Acceptance, AcceptedUnit, Acceptor } from './acceptance.js';
import { openOutbox } from './outbox-writer.js';

/**
 * Accepts units, in a transaction of the caller: uses up the ids, rules on results, moves approvals, and puts what is to be
 * recorded into the outbox, signed and counted. The order of rows is decisions, results, approvals, so that nothing comes
 * before what it is about.
 * Locks are taken in one order by every replica (own counter, new ids sorted, known proposals sorted, approvals), so that two
 * never wait for each other.
 * @returns what became of each unit, in their order
 */
export async function acceptUnits(client: PoolClient, units: readonly AcceptedUnit[], acceptor: Acceptor): Promise<Acceptance[]> {
  const outbox = await openOutbox(client, acceptor);
  const found = new Map<AcceptedUnit, Acceptance>();
  await acceptDecisions(client, units.filter(isDecision), outbox, found);
  await acceptResults(client, units.filter(isResult), outbox, found, acceptor);
  for (const unit of units) if (unit.kind === 'approval') found.set(unit, await acceptApproval(client, unit, outbox, acceptor));
  await outbox.write();
  return units.map((unit) => found.get(unit) ?? { kind: 'refused' });
}

const isDecision = (unit: AcceptedUnit): unit is DecisionUnit => unit.kind === 'decision';
const isResult = (unit: AcceptedUnit): unit is ResultUnit => unit.kind === 'result';
