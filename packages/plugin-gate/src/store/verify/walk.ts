import type { KeyObject } from 'node:crypto';
import { appendLeaf, dataHash, NO_HASH, readHeader, recordHash, type StoredRecord, signedText } from '../../evidence/index.js';
import { keyIdOf, publicKeyOf, verifySignature } from '../../keys/index.js';

/** What is known of a chain up to a record. A walk can be continued later. */
export interface Walk {
  /** Number of records so far, and so the number that the next one must have. */
  size: number;
  /** Hash of the last record. */
  hash: string;
  time: string;
  frontier: readonly string[];
  /** The key in force. */
  key: { id: string; publicKey: KeyObject } | undefined;
  verdicts: number;
  /** What is wrong, in the order of the records; the first of them only. */
  faults: string[];
}

const MOST_FAULTS = 20;

export function beginWalk(): Walk {
  return { size: 0, hash: NO_HASH, time: '', frontier: [], key: undefined, verdicts: 0, faults: [] };
}

/**
 * Goes on by one record: its number, its link, its hashes, its time, and its signature if it is requested. Replicas have a clock
 * each, so `times: false` lets a record be older than the one before it.
 */
export function walkOn(walk: Walk, record: StoredRecord, { signatures, times = true }: { signatures: boolean; times?: boolean }): void {
  const fault = faultOf(walk, record, signatures, times);
  if (fault !== undefined && walk.faults.length < MOST_FAULTS) walk.faults.push(`record ${record.seq}: ${fault}`);
  walk.frontier = appendLeaf(walk.size, walk.frontier, record.hash);
  walk.size += 1;
  walk.hash = record.hash;
  if (record.type === 'verdict') walk.verdicts += 1;
}

function faultOf(walk: Walk, record: StoredRecord, signatures: boolean, times: boolean): string | undefined {
  try {
    const header = readHeader(record);
    if (record.seq !== walk.size || header.seq !== walk.size) return `is in the place of record ${walk.size}`;
    if (header.prev_hash !== walk.hash) return 'does not link to the previous record';
    if (recordHash(record.header) !== record.hash) return 'its header was changed';
    if (header.type !== record.type) return 'its type was changed';
    if (record.data !== null && dataHash(Buffer.from(record.salt ?? '', 'hex'), record.data) !== header.data_hash)
      return 'its data was changed';
    if (times && header.time < walk.time) return 'its time is before the time of the previous record';
    walk.time = header.time;
    if (record.type === 'genesis') walk.key = keyIn(record);
    if (header.key_id !== walk.key?.id) return 'it is signed with a key that was not active';
    if (signatures && !verifySignature(signedText(record.hash), record.sig, walk.key.publicKey)) return 'its signature is invalid';
    if (record.type === 'key') walk.key = keyIn(record) ?? walk.key;
    return undefined;
  } catch {
    return 'it cannot be read';
  }
}

/** The key that a genesis or a rotation puts in force. */
function keyIn({ type, data }: StoredRecord): Walk['key'] {
  const { event, public_key } = JSON.parse(data ?? '{}');
  if (type === 'key' && event !== 'rotated') return undefined;
  return { id: keyIdOf(public_key), publicKey: publicKeyOf(public_key) };
}
