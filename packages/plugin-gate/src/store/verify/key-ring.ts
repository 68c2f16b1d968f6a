import { readHeader, rotationText, type StoredRecord } from '../../evidence/index.js';
import { isJsonObject, type Json, type JsonObject } from '../../json/index.js';
import { keyIdOf, publicKeyOf, verifySignature } from '../../keys/index.js';
import { StoreError } from '../store.js';
import { type ActiveKey, contentFault, isSigned } from './record-content.js';

/** The keys of a chain, each with the numbers at which it was active. */
export interface KeyRing {
  chainId: string;
  /** The key that must have signed the record of that number. */
  keyAt(seq: number): ActiveKey | undefined;
}

/**
 * Follows the keys of a chain from genesis along its rotations. Each rotation is signed with the key before it, and holds a
 * proof of the key after it.
 * @param records genesis and all key records, in their order
 * @param own raw public key that must be one of them: whoever puts other keys in front of it needs a proof that only it can give
 * @throws {StoreError} AG-EVD-004 when they do not follow each other, or the own key is not among them
 */
export function keyRing(records: readonly StoredRecord[], own: string | undefined): KeyRing {
  const [genesis, ...events] = records;
  const first = genesis && dataOf(genesis);
  if (genesis?.type !== 'genesis' || genesis.seq !== 0 || !isText(first?.['public_key']) || !isText(first['chain_id']))
    throw unusable('The chain has no readable genesis record.');
  const chainId = first['chain_id'];
  const reigns = [{ from: 0, ...activeKey(first['public_key']) }];
  if (!holds(genesis, reigns[0])) throw unusable('The genesis record is not signed with its key.');
  for (const record of events) {
    const data = dataOf(record);
    if (record.type !== 'key' || !holds(record, reigns.at(-1)))
      throw unusable(`The key record ${record.seq} is not signed with the active key.`);
    if (data?.['event'] !== 'rotated') continue;
    const { public_key: publicKey, proof } = data;
    if (!isText(publicKey) || !isText(proof)) throw unusable(`The key record ${record.seq} cannot be read.`);
    const next = { from: record.seq + 1, ...activeKey(publicKey) };
    const { prev_hash: prevHash } = readHeader(record);
    if (!verifySignature(rotationText(chainId, prevHash, next.id), proof, next.publicKey))
      throw unusable(`The key record ${record.seq} has no proof of its new key.`);
    reigns.push(next);
  }
  if (own !== undefined && !reigns.some(({ id }) => id === keyIdOf(own)))
    throw unusable('The configured signing key is not a key of this chain.');
  return { chainId, keyAt: (seq) => reigns.findLast(({ from }) => from <= seq) };
}

function holds(record: StoredRecord, key: ActiveKey | undefined): boolean {
  const header = readHeader(record);
  return key !== undefined && contentFault(record, header) === undefined && header.key_id === key.id && isSigned(record, key);
}

function activeKey(publicKey: string): ActiveKey {
  try {
    return { id: keyIdOf(publicKey), publicKey: publicKeyOf(publicKey) };
  } catch {
    throw unusable('A key of the chain cannot be read.');
  }
}

function dataOf({ data }: StoredRecord): JsonObject | undefined {
  // Data in a chain is canonical JSON; what was put there by others fails, and is reported as that.
  const value = data === null ? null : (JSON.parse(data) as Json);
  return isJsonObject(value) ? value : undefined;
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string';
}

function unusable(message: string): StoreError {
  return new StoreError('AG-EVD-004', message);
}
