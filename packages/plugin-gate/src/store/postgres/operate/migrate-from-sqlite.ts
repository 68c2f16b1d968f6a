import { existsSync, renameSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { PoolClient } from 'pg';
import { NO_HASH } from '../../../evidence/index.js';
import type { Signer } from '../../../keys/index.js';
import { openWriting } from '../../sqlite/file/connection.js';
import { withStoreErrors } from '../../sqlite/file/failure.js';
import { headReader, type StoredHead } from '../../sqlite/file/head.js';
import { lockForServer } from '../../sqlite/file/server-lock.js';
import { readPart } from '../../sqlite/reads/range.js';
import { upgradeStore } from '../../sqlite/upgrade/upgrade.js';
import { chainIdOf } from '../../sqlite/writes/genesis.js';
import { StoreError } from '../../store.js';
import { beginWalk, walkOn } from '../../verify/walk.js';
import { lockChain, recordAct } from '../accept/direct.js';
import { insertRecords, readHeadRow } from '../chain/chain.js';
import { followHead } from '../chain/head.js';
import { checkServer, connectTo } from '../database/database.js';
import { SCHEMA } from '../database/names.js';
import { migrateSchema } from '../schema/schema.js';
import { inTransaction, storeErrorOf } from '../schema/transaction.js';

export interface Migration {
  /** File of the embedded store. */
  path: string;
  dsn: string;
  /** The key with which the chain continues. */
  signer: Signer;
  /** Gives that many random bytes, fit for secrets. */
  random: (bytes: number) => Uint8Array;
  /** RFC 3339. */
  time: string;
  reportedBy: string;
}

export interface Migrated {
  chainId: string;
  /** Records that were copied. */
  records: number;
  proposals: number;
  /** Number of the record that says so. */
  seq: number;
  /** Where the file is now. */
  keptAs: string;
}

/**
 * Copies the embedded store into an empty database: records byte for byte with their numbers, used ids, results and approvals,
 * all in one transaction that also records `store.migrate`. Then the file gets another name, so that nobody continues a chain
 * that goes on elsewhere. While it runs nobody else writes either of the two. After a crash before the COMMIT the database is as
 * it was; after it, only the new name is missing.
 * @throws {StoreError} AG-EVD-002 a server has the file, or the database cannot be used; AG-EVD-004 the chain is broken, or the
 *   database has one already; AG-EVD-001 the chain continues with another key
 */
export async function migrateFromSqlite(migration: Migration): Promise<Migrated> {
  const { path } = migration;
  if (!existsSync(path)) throw new StoreError('AG-EVD-002', 'There is no embedded store to copy.');
  const unlock = lockForServer(path);
  try {
    // A chain of format 1 gets its mark here, so that the database never has one without.
    upgradeStore({ path, signer: migration.signer, time: migration.time, dev: false, random: migration.random });
    const file = openWriting(path);
    let copied: Omit<Migrated, 'keptAs'>;
    try {
      // Commands write beside a server: they wait, and find the chain gone.
      withStoreErrors(() => file.exec('BEGIN IMMEDIATE'));
      copied = await copyToDatabase(file, migration);
    } finally {
      if (file.isTransaction) file.exec('ROLLBACK');
      file.close();
    }
    return { ...copied, keptAs: setAside(path) };
  } finally {
    unlock();
  }
}

async function copyToDatabase(file: DatabaseSync, migration: Migration): Promise<Omit<Migrated, 'keptAs'>> {
  const head = withStoreErrors(headReader(file));
  if (head === undefined) throw new StoreError('AG-EVD-004', 'The embedded store has no chain.');
  const database = connectTo(migration.dsn);
  try {
    await checkServer(database.writing);
    const client = await database.writing.connect();
    try {
      await migrateSchema(client);
    } finally {
      client.release();
    }
    return await inTransaction(database.writing, (one) => copyAll(one, file, head, migration));
  } catch (error) {
    throw storeErrorOf(error);
  } finally {
    await database.close().catch(() => {});
  }
}

async function copyAll(client: PoolClient, file: DatabaseSync, head: StoredHead, migration: Migration): Promise<Omit<Migrated, 'keptAs'>> {
  const { signer, random, time, reportedBy } = migration;
  await lockChain(client);
  await requireEmpty(client);
  await copyRecords(client, file, head);
  const proposals = await copyRows(client, file, PROPOSALS);
  for (const table of [RESULTS, APPROVALS, APPROVAL_EVENTS]) await copyRows(client, file, table);
  const chainId = chainIdOf(file);
  await client.query(`INSERT INTO ${SCHEMA}.head (chain_id, seq, hash, time, frontier, key_id) VALUES ($1, $2, $3, $4, $5, $6)`, [
    chainId,
    head.seq,
    head.hash,
    head.time,
    head.frontier,
    head.keyId,
  ]);
  const records = head.seq + 1;
  const data = {
    action: 'store.migrate',
    from: 'sqlite',
    to: 'postgres',
    operator: reportedBy,
    records,
    head: { seq: head.seq, hash: head.hash },
  };
  const act = { kind: 'admin', type: 'admin_action', time, dev: false, reportedBy, data } as const;
  const { seq } = await recordAct(client, act, { signer, random, head: followHead() });
  return { chainId, records, proposals, seq: seq[0] };
}

async function requireEmpty(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ used: boolean }>(
    `SELECT EXISTS (SELECT FROM ${SCHEMA}.evidence) OR EXISTS (SELECT FROM ${SCHEMA}.proposal_ids) AS used`,
  );
  if (rows[0]?.used || (await readHeadRow(client)) !== undefined)
    throw new StoreError('AG-EVD-004', 'The database already contains a chain. An embedded store can be copied only to an empty database.');
}

async function copyRecords(client: PoolClient, file: DatabaseSync, head: StoredHead): Promise<void> {
  const walk = beginWalk();
  for (let from: number | undefined = 0; from !== undefined; ) {
    const part = withStoreErrors(() => readPart(file, { from: from ?? 0, to: head.seq }));
    const before = walk.size === 0 ? NO_HASH : walk.hash;
    for (const record of part.records) walkOn(walk, record, { signatures: false });
    if (walk.faults[0] !== undefined) throw new StoreError('AG-EVD-004', `The embedded store is damaged: ${walk.faults[0]}.`);
    await insertRecords(client, before, part.records);
    from = part.next;
  }
  if (walk.size !== head.seq + 1 || walk.hash !== head.hash)
    throw new StoreError('AG-EVD-004', 'The head of the embedded store is not its last record.');
}

/** How the rows of a table are read, and what they are inserted by: a row of JSON each. */
interface Table {
  select: string;
  insert: string;
}

const PROPOSALS: Table = {
  select: 'SELECT id, verdict_seq AS seq, reported_by, class, effective_decision FROM proposal ORDER BY id',
  insert: `INSERT INTO ${SCHEMA}.proposal_ids (id, seq, reported_by, class, effective_decision)
    SELECT id, seq, reported_by, class, effective_decision FROM json_populate_recordset(NULL::${SCHEMA}.proposal_ids, $1)`,
};

/** Version 0.1.0 could record several final results of a proposal. Of those the first counts, and the index holds one. */
const RESULTS: Table = {
  select: `SELECT result.proposal_id, row_number() OVER (PARTITION BY result.proposal_id ORDER BY result.seq) - 1 AS nth, result.seq, status,
      CASE WHEN status <> 'deferred' AND row_number() OVER (PARTITION BY result.proposal_id, status = 'deferred' ORDER BY result.seq) = 1
        THEN 'true' ELSE 'false' END AS final, header ->> 'assurance' AS assurance,
      CASE WHEN contradicts_verdict THEN 'true' ELSE 'false' END AS contradicts_verdict,
      header ->> 'reported_by' AS reported_by, header ->> 'time' AS time, body_digest
    FROM result JOIN record ON record.seq = result.seq ORDER BY result.proposal_id, result.seq`,
  insert: `INSERT INTO ${SCHEMA}.result (proposal_id, nth, seq, status, final, assurance, contradicts_verdict, reported_by, time, body_digest)
    SELECT proposal_id, nth, seq, status, final, assurance, contradicts_verdict, reported_by, time, body_digest
    FROM json_populate_recordset(NULL::${SCHEMA}.result, $1)`,
};

const APPROVALS: Table = {
  select: `SELECT id, proposal_id, state, need, CASE WHEN shadow THEN 'true' ELSE 'false' END AS shadow, input_digest, bundle_digest, requested_at,
      expires_at, grant_expires_at FROM approval ORDER BY id`,
  insert: `INSERT INTO ${SCHEMA}.approval (id, proposal_id, state, need, shadow, input_digest, bundle_digest, requested_at, expires_at, grant_expires_at)
    SELECT id, proposal_id, state, need, shadow, input_digest, bundle_digest, requested_at, expires_at, grant_expires_at
    FROM json_populate_recordset(NULL::${SCHEMA}.approval, $1)`,
};

const APPROVAL_EVENTS: Table = {
  select: `SELECT approval_id, row_number() OVER (PARTITION BY approval_id ORDER BY seq) - 1 AS nth, event, seq
    FROM approval_event ORDER BY approval_id, seq`,
  insert: `INSERT INTO ${SCHEMA}.approval_event (approval_id, nth, event, seq)
    SELECT approval_id, nth, event, seq FROM json_populate_recordset(NULL::${SCHEMA}.approval_event, $1)`,
};

/** Rows of one statement. */
const PART_ROWS = 1000;

/** @returns how many rows there were */
async function copyRows(client: PoolClient, file: DatabaseSync, { select, insert }: Table): Promise<number> {
  let rows: object[] = [];
  let count = 0;
  const flush = async () => {
    if (rows.length > 0) await client.query(insert, [JSON.stringify(rows)]);
    count += rows.length;
    rows = [];
  };
  for (const row of file.prepare(select).iterate()) {
    rows.push(row);
    if (rows.length === PART_ROWS) await flush();
  }
  await flush();
  return count;
}

/** The log is empty: the connection was the last one, and closed. */
function setAside(path: string): string {
  let kept = `${path}.migrated`;
  for (let number = 2; existsSync(kept); number++) kept = `${path}.migrated-${number}`;
  renameSync(path, kept);
  return kept;
}
