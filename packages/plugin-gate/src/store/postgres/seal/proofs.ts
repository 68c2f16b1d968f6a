import { type Draft, dataHash, readHeader, recordHash, signedText } from '../../../evidence/index.js';
import { verifySignatureOnPool } from '../../../keys/index.js';
import { StoreError, UnverifiedError } from '../../store.js';
import { type ChainKeys, keyAt, trustedKeys } from '../chain/chain-keys.js';
import type { HeadFollower } from '../chain/head.js';
import type { Queries } from '../database/queries.js';
import { type SignatureCheck, signatureCheck } from './batch-signature.js';
import { type OutboxContent, readOutbox } from './outbox.js';
import { keyOf } from './seal-rows.js';

/**
 * Nothing that is read from a table is believed unless a key of the chain has signed it: a record of the chain, or a row of the
 * outbox that waits to become one.
 */
export interface Proofs {
  chainId: string;
  /** @throws {StoreError} AG-EVD-004 when the row was altered, or is not of this kind */
  content(row: WaitingRow, kind: OutboxContent['kind']): Promise<OutboxContent>;
  /** @throws {StoreError} AG-EVD-004 when the record was altered, or is not of this type and reference */
  record(row: RecordRow, expected: { type: Draft['type']; oid: string | null }): Promise<SignedRecord>;
}

/** What a signed record says. */
export interface SignedRecord extends Omit<Draft, 'data'> {
  /** Null once it is erased. */
  data: string | null;
}

/** A row of the outbox that waits, as JSON. */
export interface WaitingRow {
  oid: string;
  replica: string;
  n: number;
  /** Base64. */
  content: string;
  signature: string;
}

/** A row of `evidence`, as JSON. */
export interface RecordRow {
  seq: number;
  oid: string | null;
  type: Draft['type'];
  header: string;
  data: string | null;
  salt: string | null;
  hash: string;
  sig: string;
}

/** What waits in a row of that name; null when there is none, or it is numbered. */
export function waitingAt(row: string): string {
  return `CASE WHEN ${row}.content IS NOT NULL THEN json_build_object('oid', ${row}.oid, 'replica', ${row}.replica, 'n', ${row}.n,
    'content', encode(${row}.content, 'base64'), 'signature', ${row}.content_sig) END`;
}

/** The record in a row of that name; null when there is none. */
export function recordAt(row: string): string {
  return `CASE WHEN ${row}.seq IS NOT NULL THEN json_build_object('seq', ${row}.seq, 'oid', ${row}.oid, 'type', ${row}.type, 'header', ${row}.header,
    'data', ${row}.data, 'salt', ${row}.salt, 'hash', ${row}.hash, 'sig', ${row}.sig) END`;
}

/** Proofs for one read, by the keys that the chain has when it begins. */
export async function proofsBy(head: Pick<HeadFollower, 'read'>, client: Queries): Promise<Proofs> {
  const at = await head.read(client);
  if (at === undefined) throw new StoreError('AG-EVD-004', 'The chain has no genesis record.');
  return proofsOf(at.keys);
}

export function proofsOf(keys: ChainKeys): Proofs {
  const check: SignatureCheck = signatureCheck(new Map([...trustedKeys(keys)].map(([id, publicKey]) => [id, keyOf(publicKey)])));
  return {
    chainId: keys.chainId,
    async content(row, kind) {
      const content = await readOutbox({ ...row, id: 0, content: Buffer.from(row.content, 'base64').toString() }, check);
      const named = 'bad' in content ? undefined : content.chain_id;
      if ('bad' in content || content.kind !== kind || (named !== undefined && named !== keys.chainId))
        throw altered('A unit was altered before it was numbered.');
      return content;
    },
    async record(row, { type, oid }) {
      if (row.type !== type || row.oid !== oid || !(await isSigned(row, keys)))
        throw altered(`Record ${row.seq} was changed, or belongs to something else.`);
      const { time, dev, reported_by: reportedBy, assurance } = readHeader(row);
      return { type, time, dev, reportedBy, data: row.data, ...(assurance && { assurance }) };
    },
  };
}

export function altered(message: string): UnverifiedError {
  return new UnverifiedError(message);
}

async function isSigned(row: RecordRow, keys: ChainKeys): Promise<boolean> {
  const { seq, type, header: text, data, salt, hash, sig } = row;
  const key = keyAt(keys, seq);
  if (key === undefined || recordHash(text) !== hash || !(await verifySignatureOnPool(signedText(hash), sig, key.key))) return false;
  const header = readHeader(row);
  if (header.seq !== seq || header.type !== type || header.key_id !== key.keyId) return false;
  return data === null || dataHash(Buffer.from(salt ?? '', 'hex'), data) === header.data_hash;
}
