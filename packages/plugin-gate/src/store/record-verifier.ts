import { type RecordHeader, readHeader, type StoredRecord } from '../evidence/index.js';
import { isJsonObject, type JsonObject } from '../json/index.js';
import { type KeyRing, keyRing } from './key-ring.js';
import { contentFault, isSigned } from './record-content.js';

/** A record that was signed with the key that was active at its number. */
export interface VerifiedRecord {
  record: StoredRecord;
  header: RecordHeader;
  /** Null once it is erased. */
  data: JsonObject | null;
}

/** Verifies single records. Links are not its matter: they need all records, and the rolling check and `store doctor` follow them. */
export interface RecordVerifier {
  /**
   * @param records genesis and all key records, in their order
   * @throws {StoreError} AG-EVD-004 when they make no chain of keys
   */
  learnKeys(records: readonly StoredRecord[]): void;
  /** From genesis; empty before `learnKeys`. */
  chainId(): string;
  /** @returns the record, or what is wrong with it. `unknown-key`: learn the keys again, they may have changed */
  verify(record: StoredRecord): VerifiedRecord | 'unknown-key' | string;
  /** Says that this process has just written and signed the record. */
  trust(record: Pick<StoredRecord, 'hash'>): void;
}

/** Signatures that are remembered as verified: a record that is asked for again costs two digests only. */
const MOST_REMEMBERED = 20_000;

/** @param own raw public key that must be one of the chain's; undefined: it is not known */
export function recordVerifier(own: string | undefined): RecordVerifier {
  /** Hashes of records whose signature was verified, oldest first. The hash covers the key and the number. */
  const verified = new Set<string>();
  let ring: KeyRing | undefined;

  const remember = (hash: string) => {
    verified.add(hash);
    if (verified.size > MOST_REMEMBERED) for (const oldest of verified.values()) return verified.delete(oldest);
    return true;
  };
  return {
    learnKeys(records) {
      ring = keyRing(records, own);
    },
    chainId: () => ring?.chainId ?? '',
    verify(record) {
      const header = headerOf(record);
      const fault = header === undefined ? 'it cannot be read' : contentFault(record, header);
      if (fault !== undefined || header === undefined) return fault ?? '';
      const key = ring?.keyAt(record.seq);
      if (key?.id !== header.key_id) return 'unknown-key';
      if (!verified.has(record.hash)) {
        if (!isSigned(record, key)) return 'its signature is invalid';
        remember(record.hash);
      }
      const data = record.data === null ? null : JSON.parse(record.data);
      return data === null || isJsonObject(data) ? { record, header, data } : 'it cannot be read';
    },
    trust: ({ hash }) => void remember(hash),
  };
}

function headerOf(record: StoredRecord): RecordHeader | undefined {
  try {
    return readHeader(record);
  } catch {
    return undefined;
  }
}
