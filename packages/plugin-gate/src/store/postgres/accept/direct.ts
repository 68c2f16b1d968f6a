import type { PoolClient } from 'pg';
import { type Draft, defaultOrigin, genesisDraft, NO_HASH, type RecordType, randomUuid, sealRecords } from '../../../evidence/index.js';
import type { Signer } from '../../../keys/index.js';
import { refusedErasure } from '../../rules/erasure-rules.js';
import { adminDraft } from '../../rules/unit-records.js';
import { type AdminUnit, type Recorded, StoreError } from '../../store.js';
import { insertRecords, moveHead, readHeadRow } from '../chain/chain.js';
import { nextKeys } from '../chain/chain-keys.js';
import type { HeadFollower } from '../chain/head.js';
import { CHAIN_LOCK, LOCK_CLASS, SCHEMA } from '../database/names.js';
import { KEY_CHANGED } from './outbox-writer.js';

/**
 * What goes to the end of the chain at once, past the outbox: the beginning of the chain, acts of administrators and events of
 * keys. They are rare, they want their number, and some speak of the record that they follow.
 */

export interface DirectWriter {
  signer: Signer;
  /** Gives that many fresh random bytes. */
  random: (bytes: number) => Uint8Array;
  head: Pick<HeadFollower, 'read'>;
}

/** Begins the chain, if there is none. In a transaction of the caller. */
export async function ensureGenesis(
  client: PoolClient,
  { signer, random }: Pick<DirectWriter, 'signer' | 'random'>,
  { time, dev, origin }: { time: string; dev: boolean; origin: string | undefined },
): Promise<void> {
  // Nobody waits for a sequencer only to find that there is a chain.
  if ((await readHeadRow(client)) !== undefined) return;
  await lockChain(client);
  if ((await readHeadRow(client)) !== undefined) return;
  const chainId = randomUuid(random(16));
  const draft = genesisDraft({ chainId, origin: origin ?? defaultOrigin(chainId), publicKey: signer.publicKey, time, dev });
  const { records, head } = sealRecords(undefined, [draft], signer, () => random(16));
  await insertRecords(client, NO_HASH, records);
  await client.query(`INSERT INTO ${SCHEMA}.head (chain_id, seq, hash, time, frontier, key_id) VALUES ($1, $2, $3, $4, $5, $6)`, [
    chainId,
    head.seq,
    head.hash,
    head.time,
    head.frontier,
    signer.keyId,
  ]);
}

/**
 * Records an act at the end of the chain, in a transaction of the caller.
 * @throws {StoreError} AG-EVD-001 when another key signs by now; AG-EVD-004 when the chain must not be continued, or the act
 *   speaks of another head
 */
export async function recordAct(client: PoolClient, unit: AdminUnit, { signer, random, head: follower }: DirectWriter): Promise<Recorded> {
  await lockChain(client);
  const head = await follower.read(client);
  if (head === undefined) throw new StoreError('AG-EVD-004', 'The chain has no genesis record.');
  if (head.keyId !== signer.keyId) throw new StoreError('AG-EVD-001', KEY_CHANGED);
  if (unit.expectHead !== undefined && unit.expectHead !== head.hash)
    throw new StoreError('AG-EVD-004', 'The chain has changed in the meantime. Try again.');
  const draft: Draft = adminDraft(unit);
  const sealed = sealRecords(head, [draft], signer, () => random(16));
  const keys = unit.type === 'key' ? sealed.records.reduce<typeof head.keys | undefined>(nextKeys, head.keys) : head.keys;
  if (keys === undefined) throw new StoreError('AG-EVD-004', 'The chain does not accept this event of a key.');
  await insertRecords(client, head.hash, sealed.records);
  await moveHead(client, head, sealed.head, keys.reigns.at(-1)?.keyId ?? signer.keyId);
  return { ref: String(sealed.head.seq), seq: [sealed.head.seq, sealed.head.seq], time: unit.time };
}

/**
 * Takes the data out of a record, in a transaction of the caller.
 * @throws {RangeError} when there is no such record, it is erased, or the chain cannot be read without it
 */
export async function eraseData(client: PoolClient, seq: number): Promise<void> {
  const { rows } = await client.query<{ type: RecordType; oid: string | null; data: string | null }>(
    `SELECT type, oid, data FROM ${SCHEMA}.evidence WHERE seq = $1`,
    [seq],
  );
  const [row] = rows;
  const refused = refusedErasure(seq, row);
  if (refused !== undefined) throw new RangeError(refused);
  // The digest of a short text tells the text to whoever guesses.
  if (row?.type === 'result' && row.data !== null)
    await client.query(`UPDATE ${SCHEMA}.result SET body_digest = NULL WHERE proposal_id = $1 AND (oid = $2 OR seq = $3)`, [
      JSON.parse(row.data).proposal_id,
      row.oid,
      seq,
    ]);
  await client.query(`UPDATE ${SCHEMA}.evidence SET data = NULL, salt = NULL WHERE seq = $1`, [seq]);
}

/** Waits for the lock that a sequencer only tries. */
export async function lockChain(client: PoolClient): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1, $2)', [LOCK_CLASS, CHAIN_LOCK]);
}
