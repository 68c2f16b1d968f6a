import type { KeyObject } from 'node:crypto';
import { dataHash, type RecordHeader, recordHash, type StoredRecord, signedText } from '../../evidence/index.js';
import { verifySignature } from '../../keys/index.js';

/** A key that signs records. */
export interface ActiveKey {
  id: string;
  publicKey: KeyObject;
}

/** What is wrong with a record in itself, before its signature. The type and the number that it is found under are those of its header. */
export function contentFault(record: StoredRecord, header: RecordHeader): string | undefined {
  if (recordHash(record.header) !== record.hash) return 'its header was changed';
  if (header.seq !== record.seq) return 'its number was changed';
  if (header.type !== record.type) return 'its type was changed';
  if (record.data !== null && dataHash(Buffer.from(record.salt ?? '', 'hex'), record.data) !== header.data_hash)
    return 'its data was changed';
  return undefined;
}

export function isSigned(record: Pick<StoredRecord, 'hash' | 'sig'>, key: ActiveKey): boolean {
  return verifySignature(signedText(record.hash), record.sig, key.publicKey);
}
