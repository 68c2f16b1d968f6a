import type { Pool, PoolClient } from 'pg';
import type { ChainHead } from '../../../evidence/index.js';
import { insertRecords, moveHead } from '../chain/chain.js';
import { trustedKeys } from '../chain/chain-keys.js';
import type { HeadFollower, StoredHead } from '../chain/head.js';
import { CHAIN_LOCK, LOCK_CLASS, QUARANTINED, SCHEMA } from '../database/names.js';
import { inTransaction, Rollback } from '../schema/transaction.js';
import type { RowsToSeal, SealedRows, Sealing } from '../seal/seal-rows.js';

/** Rows that one round numbers at most. */
export const ROUND_ROWS = 256;

/** Where a sequencer may die. Each is told after it has happened, but for `before-commit`. */
export const SEQUENCER_STEPS = ['lock', 'read', 'evidence', 'outbox', 'before-commit', 'commit'] as const;
export type SequencerStep = (typeof SEQUENCER_STEPS)[number];

/** Told to other replicas with the COMMIT of a round. */
export const SEQUENCED_CHANNEL = `${SCHEMA}_sequenced`;

export interface SequencerOptions {
  pool: Pool;
  /** Verifies rows and signs records. */
  sealing: Sealing;
  head: Pick<HeadFollower, 'read'>;
  /** Says why this replica must not continue this head; undefined when it may. */
  refuse: (head: StoredHead) => { code: string; message: string } | undefined;
  onStep?: (step: SequencerStep) => void;
  /** For tests of the other guards: false goes without the lock. */
  lock?: boolean;
}

/** What a round did. `led`: nobody else did it meanwhile. */
export type Round =
  | { led: true; head: StoredHead; numbers: ReadonlyMap<string, number>; full: boolean }
  | { led: false; refused?: { code: string; message: string } };

/**
 * Numbers, links, signs and stores what waits in the outbox, in one transaction: after a crash in it nothing of it is there, and
 * the next round, of whichever replica, does the same rows with the same numbers. The lock belongs to the transaction, so there
 * is no leader that does not know that it has been replaced. Without the lock the primary key, the unique link and the move of
 * the head from the very number that was read would still let only one of two rounds commit.
 */
export async function sequenceRound({
  pool,
  sealing,
  head: follower,
  refuse,
  onStep = () => {},
  lock = true,
}: SequencerOptions): Promise<Round> {
  await sealing.ready();
  const round = await inTransaction<Round>(
    pool,
    async (client) => {
      if (lock && !(await tryLock(client))) return new Rollback({ led: false });
      onStep('lock');
      const head = await follower.read(client);
      if (head === undefined) return new Rollback({ led: false });
      const refused = refuse(head);
      if (refused !== undefined) return new Rollback({ led: false, refused });
      const rows = await pendingRows(client);
      onStep('read');
      if (rows.length === 0) return new Rollback({ led: true, head, numbers: new Map(), full: false });
      const full = rows.length === ROUND_ROWS;
      const sealed = await sealing.seal({
        rows,
        head: chainHeadOf(head),
        chainId: head.chainId,
        format: head.format,
        keys: trustedKeys(head.keys),
      });
      await quarantine(client, sealed.bad);
      const numbers = new Map(sealed.numbered.map(({ oid, seq }) => [oid, seq]));
      if (sealed.records.length === 0) return { led: true, head, numbers, full };
      await insertRecords(client, head.hash, sealed.records, sealed.oids);
      onStep('evidence');
      await setNumbers(client, sealed.numbered);
      onStep('outbox');
      await moveHead(client, head, sealed.head, head.keyId);
      await client.query('SELECT pg_notify($1, $2)', [SEQUENCED_CHANNEL, String(sealed.head.seq)]);
      return { led: true, head: { ...head, ...sealed.head }, numbers, full };
    },
    () => onStep('before-commit'),
  );
  if (round.led && round.numbers.size > 0) onStep('commit');
  return round;
}

async function tryLock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock($1, $2) AS locked', [LOCK_CLASS, CHAIN_LOCK]);
  return rows[0]?.locked === true;
}

/** A row that waits for its number; the driver gives numbers of 64 bits as texts. */
interface PendingOutboxRow {
  id: string;
  oid: string;
  replica: string;
  n: string;
  content: Buffer | null;
  content_sig: string | null;
  verdict_seq: string | null;
}

/** No "after the last one": rows that become visible out of order are not passed over. */
async function pendingRows(client: PoolClient): Promise<RowsToSeal['rows']> {
  const { rows } = await client.query<PendingOutboxRow>(
    `SELECT o.id, o.oid, o.replica, o.n, o.content, o.content_sig, coalesce(p.seq, nullif(decision.seq, ${QUARANTINED})) AS verdict_seq
     FROM ${SCHEMA}.outbox o
       LEFT JOIN ${SCHEMA}.proposal_ids p ON o.kind = 'result' AND p.id = o.proposal_id
       LEFT JOIN ${SCHEMA}.outbox decision ON decision.oid = p.oid
     WHERE o.seq IS NULL ORDER BY o.id LIMIT ${ROUND_ROWS}`,
  );
  return rows.map(({ id, oid, replica, n, content, content_sig, verdict_seq }) => ({
    id: Number(id),
    oid,
    replica,
    n: Number(n),
    // Bytes that are not UTF-8 are another text than the one that was signed.
    content: Buffer.from(content ?? '').toString(),
    signature: content_sig ?? '',
    verdictSeq: verdict_seq === null ? null : Number(verdict_seq),
  }));
}

/** What may go to another thread. */
function chainHeadOf({ seq, hash, time, frontier }: StoredHead): ChainHead {
  return { seq, hash, time, frontier };
}

/** The rows stay where they are, for whoever looks into it; they are passed over from now on. */
async function quarantine(client: PoolClient, bad: SealedRows['bad']): Promise<void> {
  if (bad.length === 0) return;
  await client.query(`INSERT INTO ${SCHEMA}.quarantine (oid, reason) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING`, [
    bad.map(({ oid }) => oid),
    bad.map(({ reason }) => reason),
  ]);
  await client.query(`UPDATE ${SCHEMA}.outbox SET seq = ${QUARANTINED} WHERE id = ANY($1)`, [bad.map(({ id }) => id)]);
}

/** From here on the chain has the content, and the outbox only the number: what is erased there stands nowhere else. */
async function setNumbers(client: PoolClient, numbered: SealedRows['numbered']): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE ${SCHEMA}.outbox SET seq = row.seq, content = NULL, content_sig = NULL
     FROM unnest($1::bigint[], $2::bigint[]) AS row (id, seq) WHERE outbox.id = row.id AND outbox.seq IS NULL`,
    [numbered.map(({ id }) => id), numbered.map(({ seq }) => seq)],
  );
  if (rowCount !== numbered.length) throw new Error('Another process numbered a row of the outbox.');
}
