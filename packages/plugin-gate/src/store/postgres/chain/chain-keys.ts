import type { KeyObject } from 'node:crypto';
import type { PoolClient } from 'pg';
import { dataHash, readHeader, recordHash, rotationText, type StoredRecord, signedText } from '../../../evidence/index.js';
import { keyIdOf, publicKeyOf, verifySignature } from '../../../keys/index.js';
import { StoreError } from '../../store.js';
import { SCHEMA } from '../database/names.js';
import { type EvidenceRow, RECORD_COLUMNS, recordOf } from './record-row.js';

/**
 * The keys of a chain, as its own genesis and key records say: each rotation is signed by the key before it. No table that the
 * role of the service can write names a key, so whoever has that role and no key can make nobody trust another one.
 */
export interface ChainKeys {
  chainId: string;
  /** In the order in which they came into force; the last one signs what comes next. */
  reigns: readonly Reign[];
  /** Number of the last record of a key. */
  upTo: number;
}

export interface Reign {
  keyId: string;
  /** Raw, base64url. */
  publicKey: string;
  key: KeyObject;
  /** Number of the first record that it signs. */
  from: number;
  /** What it has signed may be someone else's. */
  revoked: boolean;
}

/**
 * Reads the keys up to the head, or those that were added since they were read before.
 * @throws {StoreError} AG-EVD-004 when a record of a key is not one that the key before it has signed
 */
export async function readKeys(client: Pick<PoolClient, 'query'>, head: number, before?: ChainKeys): Promise<ChainKeys> {
  const { rows } = await client.query<EvidenceRow>(
    before === undefined
      ? `SELECT ${RECORD_COLUMNS} FROM ${SCHEMA}.evidence WHERE seq = 0
         UNION ALL SELECT ${RECORD_COLUMNS} FROM ${SCHEMA}.evidence WHERE type = 'key' AND seq BETWEEN 1 AND $1 ORDER BY seq`
      : `SELECT ${RECORD_COLUMNS} FROM ${SCHEMA}.evidence WHERE type = 'key' AND seq BETWEEN $2 AND $1 ORDER BY seq`,
    before === undefined ? [head] : [head, before.upTo + 1],
  );
  let keys = before;
  for (const record of rows.map(recordOf)) {
    const next = nextKeys(keys, record);
    if (next === undefined) throw new StoreError('AG-EVD-004', `Record ${record.seq} names a key that the chain does not prove.`);
    keys = next;
  }
  if (keys === undefined) throw new StoreError('AG-EVD-004', 'The chain has no genesis record.');
  return keys;
}

/** The key that signs the record of this number; undefined for a number that none signs. */
export function keyAt({ reigns }: ChainKeys, seq: number): Reign | undefined {
  return reigns.findLast(({ from }) => from <= seq);
}

/** Whose signatures of rows of the outbox are taken, by `key_id`: public keys, raw. */
export function trustedKeys({ reigns }: ChainKeys): Map<string, string> {
  return new Map(reigns.filter(({ revoked }) => !revoked).map(({ keyId, publicKey }) => [keyId, publicKey]));
}

/** The keys after a record of a key. @returns undefined when the key before it has not signed the record, or it proves no key */
export function nextKeys(keys: ChainKeys | undefined, record: StoredRecord): ChainKeys | undefined {
  try {
    const { seq, header: text, data, salt } = record;
    const header = readHeader(record);
    if (header.seq !== seq || header.type !== record.type || recordHash(text) !== record.hash || data === null) return undefined;
    if (dataHash(Buffer.from(salt ?? '', 'hex'), data) !== header.data_hash) return undefined;
    // Written by this program, or refused below: a text that is anything else has no valid signature.
    const said = JSON.parse(data);
    const signer = keys === undefined ? reignOf(said.public_key, 0) : keyAt(keys, seq);
    if (signer === undefined || header.key_id !== signer.keyId) return undefined;
    if (!verifySignature(signedText(record.hash), record.sig, signer.key)) return undefined;
    if (keys === undefined) return { chainId: String(said.chain_id), reigns: [signer], upTo: seq };
    if (said.event === 'revoked')
      return {
        ...keys,
        upTo: seq,
        reigns: keys.reigns.map((reign) => (reign.keyId === said.key_id ? { ...reign, revoked: true } : reign)),
      };
    if (said.event !== 'rotated') return undefined;
    const next = reignOf(said.public_key, seq + 1);
    const proven = verifySignature(rotationText(keys.chainId, header.prev_hash, next.keyId), String(said.proof), next.key);
    return proven && said.key_id === next.keyId ? { ...keys, upTo: seq, reigns: [...keys.reigns, next] } : undefined;
  } catch {
    return undefined;
  }
}

function reignOf(publicKey: string, from: number): Reign {
  return { keyId: keyIdOf(publicKey), publicKey, key: publicKeyOf(publicKey), from, revoked: false };
}
