import { hash } from 'node:crypto';
import { canonical } from '../json/index.js';
import type { Signer } from '../keys/index.js';
import type { ChainHead, Draft, StoredRecord } from './record.js';
import { appendLeaf } from './tree.js';

/** `prev_hash` of genesis. */
export const NO_HASH = '0'.repeat(64);

/** Bytes of salt before the data of a record. */
export const SALT_BYTES = 16;

/**
 * Numbers, links, hashes and signs records, in the order of the drafts. Pure: nothing is kept, so a caller that does not
 * commit the records simply goes on from its old head.
 * @param head where the chain stands; undefined for an empty one, whose first draft is then genesis
 * @param salt gives 16 fresh random bytes at each call
 * @returns the records, and the head that the next call goes on from
 * @throws {RangeError} when there is no draft
 */
export function sealRecords(
  head: ChainHead | undefined,
  drafts: readonly Draft[],
  signer: Signer,
  salt: () => Uint8Array,
): { records: StoredRecord[]; head: ChainHead } {
  const records: StoredRecord[] = [];
  let at = head;
  for (const draft of drafts) {
    const record = sealed(at, draft, signer, salt());
    records.push(record);
    at = { seq: record.seq, hash: record.hash, time: draft.time, frontier: appendLeaf(record.seq, at?.frontier ?? [], record.hash) };
  }
  if (at === undefined) throw new RangeError('There is no record to seal.');
  return { records, head: at };
}

/** Hex SHA-256 over the salt and the canonical text of the data. */
export function dataHash(salt: Uint8Array, data: string): string {
  // A code unit takes at most three bytes.
  const most = salt.length + 3 * data.length;
  const bytes = most <= SCRATCH.length ? SCRATCH : Buffer.allocUnsafe(most);
  bytes.set(salt);
  return hash('sha256', bytes.subarray(0, salt.length + bytes.write(data, salt.length)), 'hex');
}

/** Most data is hashed in here, without memory of its own. */
const SCRATCH = Buffer.allocUnsafeSlow(64 * 1024);

/** Hash of a record: the leaf hash of RFC 9162, section 2.1.1, over the canonical text of its header. */
export function recordHash(header: string): string {
  return hash('sha256', `\0${header}`, 'hex');
}

/** What the signature of a record is made over. The first line keeps it from being taken for a signature of anything else. */
export function signedText(recordHash: string): string {
  return `svc-evidence-record/1\n${recordHash}\n`;
}

function sealed(head: ChainHead | undefined, draft: Draft, signer: Signer, salt: Uint8Array): StoredRecord {
  const seq = head === undefined ? 0 : head.seq + 1;
  const header = headerText(draft, seq, head?.hash ?? NO_HASH, signer.keyId, dataHash(salt, draft.data));
  const hashed = recordHash(header);
  return {
    seq,
    type: draft.type,
    header,
    data: draft.data,
    salt: Buffer.from(salt).toString('hex'),
    hash: hashed,
    sig: signer.sign(signedText(hashed)),
  };
}

/** The canonical text (RFC 8785) of the header: its members in the order of their names, written out because it is made for every record. */
function headerText(draft: Draft, seq: number, prevHash: string, keyId: string, hashOfData: string): string {
  const assurance = draft.assurance === undefined ? '' : `"assurance":"${draft.assurance}",`;
  return (
    `{${assurance}"data_hash":"${hashOfData}","dev":${draft.dev},"key_id":"${keyId}","prev_hash":"${prevHash}",` +
    `"reported_by":${canonical(draft.reportedBy)},"seq":${seq},"time":${canonical(draft.time)},"type":"${draft.type}","v":1}`
  );
}
