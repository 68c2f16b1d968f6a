import type { Pool, PoolClient } from 'pg';
import type { ChainHead, Checkpoint } from '../../evidence/index.js';
import { contradictionWith, type HashAt, readNewest, setAside } from '../rollback.js';
import { type AdminUnit, StoreError } from '../store.js';
import { type DirectWriter, ensureGenesis, lockChain, recordAct } from './accept/direct.js';
import type { HeadFollower } from './chain/head.js';
import type { Database } from './database/database.js';
import { SCHEMA } from './database/names.js';
import type { PostgresStoreOptions } from './options.js';
import { FORMAT } from './schema/additions.js';
import { migrateSchema } from './schema/schema.js';
import { inTransaction } from './schema/transaction.js';

/**
 * Makes the tables, the chain, and the counter of the replica, as far as they are missing, and looks at the end of the chain.
 * @returns what keeps it from being continued, for as long as this store is open
 */
export async function begin(
  { writing, reading }: Database,
  options: PostgresStoreOptions,
  follower: HeadFollower,
): Promise<StoreError | undefined> {
  const { key, random, clock, dev, origin, replica, checkpointDir, acceptRollback } = options;
  await withClient(writing, async (client) => void (await migrateSchema(client)));
  try {
    // Before the head, which others move meanwhile: a checkpoint is never older than its head.
    const checkpoint = checkpointDir === undefined ? undefined : await readNewest(checkpointDir);
    const { head, whole } = await endOfChain(reading);
    if (!whole) return new StoreError('AG-EVD-004', 'The head of the chain is not its last record.');
    const hashAt = hashReader(reading);
    const contradiction = checkpoint && (await contradictionWith(checkpoint, head, hashAt));
    if (contradiction !== undefined && !acceptRollback) return new StoreError('AG-EVD-004', contradiction);
    if ('problem' in key) return new StoreError('AG-EVD-001', key.problem);
    const { signer } = key;
    await inTransaction(writing, async (client) => {
      await ensureGenesis(client, { signer, random }, { time: clock.now().toISOString(), dev, origin });
      await client.query(
        `INSERT INTO ${SCHEMA}.replica (id, n, format) VALUES ($1, 0, ${FORMAT})
         ON CONFLICT (id) DO UPDATE SET format = ${FORMAT}, seen_at = clock_timestamp()`,
        [replica],
      );
    });
    if (contradiction !== undefined && checkpoint && checkpointDir !== undefined)
      await acceptRolledBack(writing, { signer, random, head: follower }, options, { checkpoint, checkpointDir, hashAt });
    return undefined;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'AG-EVD-004') return error;
    throw error;
  }
}

function hashReader(pool: Pool): HashAt {
  return async (seq) => (await pool.query<{ hash: string }>(`SELECT hash FROM ${SCHEMA}.evidence WHERE seq = $1`, [seq])).rows[0]?.hash;
}

/** The head and the last record. Without a head its columns are null, as are those of the last record without records. */
type EndRow = { [column in 'last_seq' | 'last_hash']: string | null } & (
  | { seq: string; hash: string; time: string; frontier: string[] }
  | { seq: null; hash: null; time: null; frontier: null }
);

/** In one statement, which sees one snapshot: others continue the chain between two. */
async function endOfChain(pool: Pool): Promise<{ head: ChainHead | undefined; whole: boolean }> {
  const { rows } = await pool.query<EndRow>(`SELECT head.seq, head.hash, head.time, head.frontier,
      (SELECT seq FROM ${SCHEMA}.evidence ORDER BY seq DESC LIMIT 1) AS last_seq, (SELECT hash FROM ${SCHEMA}.evidence ORDER BY seq DESC LIMIT 1) AS last_hash
    FROM (SELECT) AS one LEFT JOIN ${SCHEMA}.head ON true`);
  const [row] = rows; // always one
  if (row === undefined) return { head: undefined, whole: true };
  const { seq, hash, time, frontier, last_seq, last_hash } = row;
  const head = seq === null ? undefined : { seq: Number(seq), hash, time, frontier };
  return { head, whole: seq === last_seq && hash === last_hash };
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
  direct: DirectWriter,
  { clock, dev, reportedBy }: PostgresStoreOptions,
  { checkpoint, checkpointDir, hashAt }: { checkpoint: Checkpoint; checkpointDir: string; hashAt: HashAt },
): Promise<void> {
  const head = await inTransaction(writing, async (client) => {
    await lockChain(client);
    const at = await direct.head.read(client);
    if (at === undefined) throw new StoreError('AG-EVD-004', 'The chain has no genesis record.');
    const data = {
      action: 'chain.accept_rollback',
      operator: reportedBy,
      checkpoint: { size: checkpoint.size, root: checkpoint.root },
      head: { seq: at.seq, hash: at.hash },
    };
    const unit: AdminUnit = { kind: 'admin', type: 'admin_action', time: clock.now().toISOString(), dev, reportedBy, data };
    await recordAct(client, unit, direct);
    return at;
  });
  // Recorded first: a checkpoint that is out of the comparison must have a record that says why.
  await setAside(checkpointDir, head, hashAt);
}
