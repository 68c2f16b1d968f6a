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
  trust(record: SignedRecord): void;
}

type SignedRecord = Pick<StoredRecord, 'seq' | 'hash' | 'sig'>;

/** Signatures that are remembered as verified: a record that is requested again costs two digests only. */
const MOST_REMEMBERED = 20_000;

/** @param own raw public key that must be one of the chain's; undefined: it is not known */
export function recordVerifier(own: string | undefined): RecordVerifier {
  const { remember, remembers } = signedMemory();
  let ring: KeyRing | undefined;

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
      if (!remembers(record)) {
        if (!isSigned(record, key)) return 'its signature is invalid';
        remember(record);
      }
      return parsed(record, header);
    },
    trust: remember,
  };
}

/**
 * Remembers signatures that were verified, each in the place of its number, where it replaces an older one: a writer remembers every
 * record that it makes, and two assignments are all that this may cost. The hash covers the key and the number.
 */
function signedMemory() {
  const hashes = new Array<string | undefined>(MOST_REMEMBERED);
  const signatures = new Array<string | undefined>(MOST_REMEMBERED);
  return {
    remember: ({ seq, hash, sig }: SignedRecord): void => {
      hashes[seq % MOST_REMEMBERED] = hash;
      signatures[seq % MOST_REMEMBERED] = sig;
    },
    remembers: ({ seq, hash, sig }: SignedRecord): boolean =>
      hashes[seq % MOST_REMEMBERED] === hash && signatures[seq % MOST_REMEMBERED] === sig,
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
