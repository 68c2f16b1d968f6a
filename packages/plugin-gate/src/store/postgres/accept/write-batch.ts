import { StoreError, UnverifiedError } from '../../store.js';
import type { Database } from '../database/database.js';
import { SCHEMA } from '../database/names.js';
import type { StoreStep } from '../options.js';
import { inTransaction, isConflict, UnknownOutcome } from '../schema/transaction.js';
import { acceptUnits } from './accept.js';
import type { Acceptance, AcceptedUnit, Acceptor } from './acceptance.js';
import { numbersOf } from './outbox-writer.js';

/** Records that a unit needs were altered; the others of its batch are accepted without it. */
export interface Unverified {
  kind: 'unverified';
  error: UnverifiedError;
}

/** Accepts a batch in one transaction. When it resolves the COMMIT has returned. */
export async function writeBatch(
  database: Database,
  units: readonly AcceptedUnit[],
  acceptor: Acceptor,
  onStep: (step: StoreStep) => void,
): Promise<(Acceptance | Unverified)[]> {
  const { writing } = database;
  let accepted: Acceptance[] = [];
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(
        writing,
        async (client) => {
          accepted = await acceptUnits(client, units, acceptor);
          return accepted;
        },
        () => onStep('before-accept'),
      );
    } catch (error) {
      if (error instanceof UnknownOutcome && (await wasAccepted(writing, acceptor.replica, accepted, error))) return accepted;
      if (error instanceof UnverifiedError) return apart(database, units, acceptor, onStep, error);
      if (!isConflict(error) || attempt === 3) throw error;
    }
  }
}

/** One after another, so that only those fail whose records were altered. */
async function apart(database: Database, units: readonly AcceptedUnit[], ...[acceptor, onStep, error]: [...Rest, UnverifiedError]) {
  if (units.length === 1) return [{ kind: 'unverified', error } as const];
  const done: (Acceptance | Unverified)[] = [];
  for (const unit of units) done.push(...(await writeBatch(database, [unit], acceptor, onStep)));
  return done;
}

type Rest = [acceptor: Acceptor, onStep: (step: StoreStep) => void];

/** Finds out what became of a COMMIT that was not answered. */
async function wasAccepted(
  writing: Database['writing'],
  replica: string,
  accepted: readonly Acceptance[],
  unknown: UnknownOutcome,
): Promise<boolean> {
  const refs = accepted.flatMap((one) => (one.kind === 'accepted' ? [one.ref] : []));
  let found: boolean;
  try {
    found = await inTransaction(writing, async (client) => {
      // The lost transaction holds this row, if it is still under way: when we have it, that one has ended.
      await client.query(`SELECT n FROM ${SCHEMA}.replica WHERE id = $1 FOR UPDATE`, [replica]);
      return (await numbersOf(client, refs)).size === refs.length;
    });
  } catch {
    throw unknown;
  }
  if (!found) throw new StoreError('AG-EVD-002', 'The connection to the database was lost.', { cause: unknown });
  return true;
}
