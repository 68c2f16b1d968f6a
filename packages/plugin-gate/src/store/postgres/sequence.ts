import type { Pool, PoolClient } from 'pg';
import { type Draft, sealRecords } from '../../evidence/index.js';
import type { Signer } from '../../keys/index.js';
import { insertRecords, moveHead, readHead, type StoredHead } from './chain.js';
import { numberedDrafts, type OutboxContent, type PendingRow, readOutbox } from './outbox.js';
import { CHAIN_LOCK, LOCK_CLASS, QUARANTINED, SCHEMA } from './schema.js';
import { inTransaction, Rollback } from './transaction.js';

/** Rows that one round numbers at most. */
export const ROUND_ROWS = 256;

/** Where a sequencer may die. Each is told after it has happened, but for `before-commit`. */
export const SEQUENCER_STEPS = ['lock', 'read', 'evidence', 'outbox', 'before-commit', 'commit'] as const;
export type SequencerStep = (typeof SEQUENCER_STEPS)[number];

/** Told to other replicas with the COMMIT of a round. */
export const SEQUENCED_CHANNEL = `${SCHEMA}_sequenced`;

export interface SequencerOptions {
  pool: Pool;
  signer: Signer;
  /** Gives 16 fresh random bytes at each call. */
  salt: () => Uint8Array;
  /** Says why the chain must not be gone on with from this head; undefined when it may. */
  refuse: (head: StoredHead) => { code: string; message: string } | undefined;
  onStep?: (step: SequencerStep) => void;
  /** For tests of the other guards: false goes without the lock. */
  lock?: boolean;
}

/** What a round did. `led`: nobody else did it meanwhile. */
export type Round =
  | { led: true; head: StoredHead; numbers: ReadonlyMap<string, number>; quarantined: readonly string[]; full: boolean }
  | { led: false; refused?: { code: string; message: string } };

/**
 * Numbers, links, signs and stores what waits in the outbox, in one transaction: after a crash in it nothing of it is there, and
 * the next round, of whichever replica, does the same rows with the same numbers. The lock belongs to the transaction, so there
 * is no leader that does not know that it is none any more. Without the lock the primary key, the unique link and the move of
 * the head from the very number that was read would still let only one of two rounds commit.
 */
export async function sequenceRound({ pool, signer, salt, refuse, onStep = () => {}, lock = true }: SequencerOptions): Promise<Round> {
  const round = await inTransaction<Round>(
    pool,
    async (client) => {
      if (lock && !(await tryLock(client))) return new Rollback({ led: false });
      onStep('lock');
      const head = await readHead(client);
      if (head === undefined) return new Rollback({ led: false });
      const refused = refuse(head);
      if (refused !== undefined) return new Rollback({ led: false, refused });
      const rows = await pendingRows(client);
      onStep('read');
      if (rows.length === 0) return new Rollback({ led: true, head, numbers: new Map(), quarantined: [], full: false });
      const { good, bad } = await readRows(rows, head);
      await quarantine(client, bad);
      const full = rows.length === ROUND_ROWS;
      if (good.length === 0) return { led: true, head, numbers: new Map(), quarantined: bad.map(({ row }) => row.oid), full };
      const { drafts, oids, numbers } = draftsOf(good, head.seq, await decisionNumbers(client, good));
      const sealed = sealRecords(head, drafts, signer, salt);
      await insertRecords(client, head.hash, sealed.records, oids);
      onStep('evidence');
      await setNumbers(client, good, numbers);
      onStep('outbox');
      await moveHead(client, head, sealed.head, head.keyId);
      await client.query('SELECT pg_notify($1, $2)', [SEQUENCED_CHANNEL, String(sealed.head.seq)]);
      return { led: true, head: { ...head, ...sealed.head }, numbers, quarantined: bad.map(({ row }) => row.oid), full };
    },
    () => onStep('before-commit'),
  );
  if (round.led && round.numbers.size > 0) onStep('commit');
  return round;
}

async function tryLock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query('SELECT pg_try_advisory_xact_lock($1, $2) AS locked', [LOCK_CLASS, CHAIN_LOCK]);
  return rows[0]?.locked === true;
}

/** No "after the last one": rows that become visible out of order are not passed over. */
async function pendingRows(client: PoolClient): Promise<PendingRow[]> {
  const { rows } = await client.query(
    `SELECT id, oid, replica, n, convert_from(content, 'UTF8') AS content, content_sig FROM ${SCHEMA}.outbox
     WHERE seq IS NULL ORDER BY id LIMIT ${ROUND_ROWS}`,
  );
  return rows.map(({ id, oid, replica, n, content, content_sig }) => ({
    id: Number(id),
    oid,
    replica,
    n: Number(n),
    content,
    signature: content_sig ?? '',
  }));
}

interface GoodRow {
  row: PendingRow;
  content: OutboxContent;
}

async function readRows(
  rows: readonly PendingRow[],
  head: StoredHead,
): Promise<{ good: GoodRow[]; bad: { row: PendingRow; reason: string }[] }> {
  const contents = await Promise.all(rows.map((row) => readOutbox(row, head.keys)));
  const read = rows.map((row, index) => ({ row, content: contents[index] ?? { bad: 'it was not read' } }));
  return {
    good: read.flatMap(({ row, content }) => ('bad' in content ? [] : [{ row, content }])),
    bad: read.flatMap(({ row, content }) => ('bad' in content ? [{ row, reason: content.bad }] : [])),
  };
}

/** The rows stay where they are, for whoever looks into it; they are passed over from now on. */
async function quarantine(client: PoolClient, bad: readonly { row: PendingRow; reason: string }[]): Promise<void> {
  if (bad.length === 0) return;
  await client.query(`INSERT INTO ${SCHEMA}.quarantine (oid, reason) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING`, [
    bad.map(({ row }) => row.oid),
    bad.map(({ reason }) => reason),
  ]);
  await client.query(`UPDATE ${SCHEMA}.outbox SET seq = ${QUARANTINED} WHERE id = ANY($1)`, [bad.map(({ row }) => row.id)]);
}

/** Numbers of the verdicts that results speak of, by proposal, as far as they are numbered. */
async function decisionNumbers(client: PoolClient, rows: readonly GoodRow[]): Promise<Map<string, number>> {
  const ids = rows.flatMap(({ content: { kind, proposal_id: id } }) => (kind === 'result' && id !== null ? [id] : []));
  if (ids.length === 0) return new Map();
  const { rows: found } = await client.query(
    `SELECT p.id, coalesce(p.seq, o.seq) AS seq FROM ${SCHEMA}.proposal_ids p LEFT JOIN ${SCHEMA}.outbox o ON o.oid = p.oid
     WHERE p.id = ANY($1) AND coalesce(p.seq, o.seq) > 0`,
    [ids],
  );
  return new Map(found.map(({ id, seq }) => [String(id), Number(seq)]));
}

/**
 * The records of rows, and the number that the reference of each row names.
 * @param last number of the last record of the chain
 * @param verdicts numbers of verdicts by proposal; those of the rows are added
 */
function draftsOf(
  rows: readonly GoodRow[],
  last: number,
  verdicts: Map<string, number>,
): { drafts: Draft[]; oids: string[]; numbers: Map<string, number> } {
  const drafts: Draft[] = [];
  const oids: string[] = [];
  const numbers = new Map<string, number>();
  for (const { row, content } of rows) {
    const first = last + 1 + drafts.length;
    const named = content.kind === 'decision' ? first + 1 : first;
    // 0, the genesis record: its decision is in quarantine, and has no number.
    const own = numberedDrafts(content, first, verdicts.get(content.proposal_id ?? '') ?? 0);
    if (content.kind === 'decision' && content.proposal_id !== null) verdicts.set(content.proposal_id, named);
    numbers.set(row.oid, named);
    drafts.push(...own);
    for (const _ of own) oids.push(row.oid);
  }
  return { drafts, oids, numbers };
}

/** From here on the chain has the content, and the outbox only the number: what is erased there stands nowhere else. */
async function setNumbers(client: PoolClient, rows: readonly GoodRow[], numbers: ReadonlyMap<string, number>): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE ${SCHEMA}.outbox SET seq = row.seq, content = NULL, content_sig = NULL
     FROM unnest($1::bigint[], $2::bigint[]) AS row (id, seq) WHERE outbox.id = row.id AND outbox.seq IS NULL`,
    [rows.map(({ row }) => row.id), rows.map(({ row }) => numbers.get(row.oid) ?? 0)],
  );
  if (rowCount !== rows.length) throw new Error('A row of the outbox was numbered by somebody else.');
}
