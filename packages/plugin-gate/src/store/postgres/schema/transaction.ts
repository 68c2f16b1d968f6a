import type { Pool, PoolClient } from 'pg';
import pg from 'pg';
import { StoreError } from '../../store.js';
import { FORMAT, FORMAT_SETTING } from './additions.js';

/** Milliseconds that a transaction may stand still before the server ends it, and with it every lock that it holds. */
export const IDLE_MS = 5000;
/** Milliseconds that a statement waits for a lock of another replica. */
const LOCK_MS = 5000;
/** Milliseconds that a statement may take. */
const STATEMENT_MS = 15_000;

const BEGIN = `BEGIN; SET LOCAL ${FORMAT_SETTING} = '${FORMAT}'; SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS}; SET LOCAL lock_timeout = ${LOCK_MS}; SET LOCAL statement_timeout = ${STATEMENT_MS}`;

/** The connection was lost while the COMMIT was under way: all of the transaction happened, or nothing. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
}

/** What ends a transaction without an error: it is rolled back, and the value is returned. */
export class Rollback<Value> {
  constructor(readonly value: Value) {}
}

/**
 * Runs the work in one transaction (READ COMMITTED: each statement sees what was committed before it). When it resolves the
 * COMMIT has returned. When it rejects nothing was written, but for `UnknownOutcome`.
 */
export async function inTransaction<Value>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Value | Rollback<Value>>,
  beforeCommit: () => void = () => {},
): Promise<Value> {
  const client = await pool.connect();
  let broken: Error | boolean = false;
  let committing = false;
  // The server may end a connection between two statements; the next one tells.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    await client.query(BEGIN);
    const value = await work(client);
    if (value instanceof Rollback) {
      await client.query('ROLLBACK');
      return value.value;
    }
    beforeCommit();
    committing = true;
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back.');
    return value;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) {
      // No answer of the server: the connection may be gone, or in the middle of something.
      broken = isOwn(error) ? broken : true;
      if (committing && !isOwn(error)) throw new UnknownOutcome('The connection was lost during COMMIT.', { cause: error });
    } else if (committing && error.code?.startsWith('57')) {
      // The server was told to end in the middle of the COMMIT.
      broken = true;
      throw new UnknownOutcome('The server ended during COMMIT.', { cause: error });
    }
    if (!broken) await client.query('ROLLBACK').catch(() => (broken = true));
    throw error;
  } finally {
    client.removeListener('error', onError);
    client.release(broken);
  }
}

/** Errors that the work threw itself: the connection is as it was. */
function isOwn(error: unknown): boolean {
  return error instanceof StoreError || error instanceof RangeError;
}

/**
 * What an error of the database or its connection means for what was to be written. Messages say nothing about the unit, the
 * connection string or the statement.
 */
export function storeErrorOf(error: unknown): Error {
  if (error instanceof StoreError || error instanceof RangeError) return error;
  if (error instanceof UnknownOutcome)
    return new StoreError('AG-EVD-009', 'The connection to the database was lost, so it is not known whether the change was recorded.', {
      cause: error,
    });
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof pg.DatabaseError && code === 'P0001')
    return new StoreError('AG-EVD-004', 'The database refused to change the evidence chain.', { cause: error });
  return new StoreError('AG-EVD-002', code ? `The database cannot be used (${code}).` : 'The database cannot be used.', { cause: error });
}

/** Whether another attempt at once may succeed: the server took this transaction back because of another one. */
export function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['40001', '40P01'].includes(error.code ?? '');
}
