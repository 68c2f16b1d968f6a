import type { Pool, PoolClient } from 'pg';
import type { ChainHead } from '../../evidence/index.js';
import type { Signer } from '../../keys/index.js';
import { contradictionWith, readNewest, setAside } from '../rollback.js';
import { type AdminUnit, StoreError } from '../store.js';
import { readHead } from './chain.js';
import type { Database } from './database.js';
import { ensureGenesis, lockChain, recordAct } from './direct.js';
import type { PostgresStoreOptions } from './options.js';
import { migrateSchema, SCHEMA } from './schema.js';
import { inTransaction } from './transaction.js';

/**
 * Makes the tables, the chain, and the counter of the replica, as far as they are missing, and looks at the end of the chain.
 * @returns what keeps it from being gone on with, for as long as this store is open
 */
export async function begin({ writing, reading }: Database, options: PostgresStoreOptions): Promise<StoreError | undefined> {
  const { key, random, clock, dev, origin, replica, checkpointDir, acceptRollback } = options;
  await withClient(writing, migrateSchema);
  try {
    // Before the head, which others move meanwhile: a checkpoint is never older than its head.
    const checkpoint = checkpointDir === undefined ? undefined : await readNewest(checkpointDir);
    const { head, whole } = await endOfChain(reading);
    if (!whole) return new StoreError('AG-EVD-004', 'The head of the chain is not its last record.');
    const contradiction = checkpoint && contradictionWith(checkpoint, head);
    if (contradiction !== undefined && !acceptRollback) return new StoreError('AG-EVD-004', contradiction);
    if ('problem' in key) return new StoreError('AG-EVD-001', key.problem);
    const { signer } = key;
    await inTransaction(writing, async (client) => {
      await ensureGenesis(client, { signer, random }, { time: clock.now().toISOString(), dev, origin });
      await client.query(`INSERT INTO ${SCHEMA}.replica (id, n) VALUES ($1, 0) ON CONFLICT DO NOTHING`, [replica]);
    });
    if (contradiction !== undefined && checkpoint && checkpointDir !== undefined)
      await acceptRolledBack(writing, signer, options, checkpoint, checkpointDir);
    return undefined;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'AG-EVD-004') return error;
    throw error;
  }
}

/** In one statement, which sees one snapshot: others go on with the chain between two. */
async function endOfChain(pool: Pool): Promise<{ head: ChainHead | undefined; whole: boolean }> {
  const { rows } = await pool.query(`SELECT head.seq, head.hash, head.time, head.frontier,
      (SELECT seq FROM ${SCHEMA}.evidence ORDER BY seq DESC LIMIT 1) AS last_seq, (SELECT hash FROM ${SCHEMA}.evidence ORDER BY seq DESC LIMIT 1) AS last_hash
    FROM (SELECT) AS one LEFT JOIN ${SCHEMA}.head ON true`);
  const { seq, hash, time, frontier, last_seq, last_hash } = rows[0] ?? {};
  const head = seq == null ? undefined : { seq: Number(seq), hash, time, frontier };
  return { head, whole: (seq ?? null) === (last_seq ?? null) && (hash ?? null) === (last_hash ?? null) };
}

async function withClient(pool: Pool, use: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await use(client);
  } finally {
    client.release();
  }
}

async function acceptRolledBack(
  writing: Pool,
  signer: Signer,
  { random, clock, dev, reportedBy }: PostgresStoreOptions,
  checkpoint: { size: number; root: string },
  checkpointDir: string,
): Promise<void> {
  const head = await inTransaction(writing, async (client) => {
    await lockChain(client);
    const at = await readHead(client);
    if (at === undefined) throw new StoreError('AG-EVD-004', 'The chain has no genesis record.');
    const data = {
      action: 'chain.accept_rollback',
      operator: reportedBy,
      checkpoint: { size: checkpoint.size, root: checkpoint.root },
      head: { seq: at.seq, hash: at.hash },
    };
    const unit: AdminUnit = { kind: 'admin', type: 'admin_action', time: clock.now().toISOString(), dev, reportedBy, data };
    await recordAct(client, unit, { signer, random, refuse: () => undefined });
    return at;
  });
  // Recorded first: a checkpoint that is out of the comparison must have a record that says why.
  await setAside(checkpointDir, head);
}
