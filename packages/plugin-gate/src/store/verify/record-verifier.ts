import { type RecordHeader, readHeader, type StoredRecord } from '../../evidence/index.js';
import { isJsonObject, type Json, type JsonObject } from '../../json/index.js';
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
  trust(record: Pick<StoredRecord, 'hash' | 'sig'>): void;
}

/** Signatures that are remembered as verified: a record that is requested again costs two digests only. */
const MOST_REMEMBERED = 20_000;

/** @param own raw public key that must be one of the chain's; undefined: it is not known */
export function recordVerifier(own: string | undefined): RecordVerifier {
  /** Signatures that were verified, by the hash of their record, oldest first. The hash covers the key and the number. */
  const verified = new Map<string, string>();
  let ring: KeyRing | undefined;

  const remember = ({ hash, sig }: Pick<StoredRecord, 'hash' | 'sig'>) => {
    verified.set(hash, sig);
    if (verified.size <= MOST_REMEMBERED) return;
    const [oldest] = verified.keys();
    if (oldest !== undefined) verified.delete(oldest);
  };
  return {
    learnKeys(records) {
      ring = keyRing(records, own);
    },
    chainId: () => ring?.chainId ?? '',
    verify(record) {
      const header = headerOf(record);
      const fault = header === undefined ? UNREADABLE : contentFault(record, header);
      if (fault !== undefined || header === undefined) return fault ?? '';
      const key = ring?.keyAt(record.seq);
      if (key?.id !== header.key_id) return 'unknown-key';
      if (verified.get(record.hash) !== record.sig) {
        if (!isSigned(record, key)) return 'its signature is invalid';
        remember(record);
      }
      return parsed(record, header);
    },
    trust: remember,
  };
}

/** Verifies nothing: for who has followed the whole chain just before. */
export function trustingVerifier(chainId: string): RecordVerifier {
  return {
    learnKeys: () => undefined,
    chainId: () => chainId,
    verify(record) {
      const header = headerOf(record);
      return header === undefined ? UNREADABLE : parsed(record, header);
    },
    trust: () => undefined,
  };
}

const UNREADABLE = 'it cannot be read';

function parsed(record: StoredRecord, header: RecordHeader): VerifiedRecord | string {
  try {
    const data = record.data === null ? null : (JSON.parse(record.data) as Json);
    return data === null || isJsonObject(data) ? { record, header, data } : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

function headerOf(record: StoredRecord): RecordHeader | undefined {
  try {
    return readHeader(record);
  } catch {
    return undefined;
  }
}
