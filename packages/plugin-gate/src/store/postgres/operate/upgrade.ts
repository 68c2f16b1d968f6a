import type { PoolClient } from 'pg';
import { type Fault, faultWalk, markData, type StoredRecord, walkedRecord } from '../../../evidence/index.js';
import type { Signer } from '../../../keys/index.js';
import { StoreError } from '../../store.js';
import { type DirectWriter, lockChain, recordAct } from '../accept/direct.js';
import { readHeadRow } from '../chain/chain.js';
import { type EvidenceRow, RECORD_COLUMNS, recordOf } from '../chain/record-row.js';
import { SCHEMA } from '../database/names.js';
import { FORMAT } from '../schema/additions.js';
import { markSchema, migrateSchema, schemaState } from '../schema/schema.js';
import { inTransaction } from '../schema/transaction.js';
import { operate } from './operate.js';

export interface Upgrade {
  /** Of a role that owns the tables. */
  dsn: string;
  signer: Signer;
  /** Gives that many random bytes, fit for secrets. */
  random: (bytes: number) => Uint8Array;
  /** RFC 3339. */
  time: string;
  reportedBy: string;
  /** Does not look whether programs of format 1 run. They are refused from then on. */
  force: boolean;
}

export type Upgraded =
  | { state: 'current' }
  /** The tables are prepared for both formats. */
  | { state: 'waiting'; replicas: string[]; connections: number }
  | { state: 'marked'; seq: number[]; faults: number };

/** Seconds after which a replica that has written nothing is taken for one that does not run. */
const SILENT_SECONDS = 60;

/** Records that are read at one time. */
const PART_ROWS = 1000;

/**
 * Brings a database to the format of this program. First the tables get what programs of both formats live with; then, when no
 * program of format 1 runs, signed records mark the format and list the faults before it, and the tables refuse what programs
 * of format 1 write. Nothing of it is there until all of it is.
 * @throws {StoreError} AG-EVD-001 the chain continues with another key; AG-EVD-004 there is no chain, or rows of a program of
 *   format 1 wait for their numbers
 */
export function upgradeStore({ dsn, signer, random, time, reportedBy, force }: Upgrade): Promise<Upgraded> {
  return operate(dsn, async (pool, head) => {
    const client = await pool.connect();
    let found: Pick<Upgraded & { state: 'waiting' }, 'replicas' | 'connections'>;
    const walk = faultWalk();
    let walked = -1;
    try {
      if ((await schemaState(client)).version === 0) throw new StoreError('AG-EVD-004', 'The database has no evidence chain.');
      if ((await migrateSchema(client)) === FORMAT) return { state: 'current' };
      found = await oldPrograms(client);
      if (!force && (found.replicas.length > 0 || found.connections > 0)) return { state: 'waiting', ...found };
      // Most of the chain is read before the servers have to wait.
      walked = await walkTo(client, walk, walked);
    } finally {
      client.release();
    }
    return inTransaction(pool, async (one): Promise<Upgraded> => {
      await lockChain(one);
      if (!(await markSchema(one))) return { state: 'current' };
      await requireNumbered(one);
      await walkTo(one, walk, walked);
      const faults = walk.format() === FORMAT ? [] : walk.faults().open;
      const seq = walk.format() === FORMAT ? [] : await mark(one, faults, { time, reportedBy }, { signer, random, head });
      return { state: 'marked', seq, faults: faults.length };
    });
  });
}

/** Programs of format 1: those that are connected, and those that have written lately, which a pooler may hide. */
async function oldPrograms(client: PoolClient): Promise<{ replicas: string[]; connections: number }> {
  const sessions = await client.query<{ connections: string }>(
    `SELECT count(*) AS connections FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'bylaw gate:%'`,
  );
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM ${SCHEMA}.replica WHERE format < ${FORMAT} AND seen_at > clock_timestamp() - make_interval(secs => ${SILENT_SECONDS}) ORDER BY id`,
  );
  return { replicas: rows.map(({ id }) => id), connections: Number(sessions.rows[0]?.connections) };
}

/** @returns number of the last record that was walked */
async function walkTo(client: PoolClient, walk: ReturnType<typeof faultWalk>, after: number): Promise<number> {
  const last = (await readHeadRow(client))?.seq ?? -1;
  let at = after;
  while (at < last) {
    const { rows } = await client.query<EvidenceRow>(
      `SELECT ${RECORD_COLUMNS} FROM ${SCHEMA}.evidence WHERE seq > $1 ORDER BY seq LIMIT ${PART_ROWS}`,
      [at],
    );
    const records: StoredRecord[] = rows.map(recordOf).filter(({ seq }) => seq <= last);
    if (records.length === 0) throw new StoreError('AG-EVD-004', `Record ${at + 1} is missing.`);
    for (const record of records) walk.next(walkedRecord(record));
    at = records.at(-1)?.seq ?? last;
  }
  return at;
}

/** Rows of a program of format 1 say not which chain they are for, and are not taken any more afterwards. */
async function requireNumbered(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ waiting: string }>(
    `SELECT count(*) AS waiting FROM ${SCHEMA}.outbox WHERE seq IS NULL AND position('{"chain_id":'::bytea IN content) <> 1`,
  );
  if (Number(rows[0]?.waiting) > 0)
    throw new StoreError('AG-EVD-004', 'Decisions of an earlier version wait for their numbers. Let a server run, and try again.');
}

async function mark(
  client: PoolClient,
  faults: readonly Fault[],
  { time, reportedBy }: Pick<Upgrade, 'time' | 'reportedBy'>,
  direct: DirectWriter,
): Promise<number[]> {
  const numbers: number[] = [];
  for (const data of markData(faults)) {
    const recorded = await recordAct(client, { kind: 'admin', type: 'admin_action', time, dev: false, reportedBy, data }, direct);
    numbers.push(recorded.seq[0]);
  }
  return numbers;
}
