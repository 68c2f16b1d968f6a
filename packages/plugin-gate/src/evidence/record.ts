/** The evidence record, version 1: what is hashed, linked and signed, member by member. */
export const RECORD_TYPES = ['genesis', 'proposal', 'verdict', 'approval', 'result', 'admin_action', 'key'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** The part of a record whose canonical text is hashed. `data_hash` replaces the data in it, which can be erased. */
export interface RecordHeader {
  v: 1;
  /** From 0 (genesis), without a hole. */
  seq: number;
  /** Hash of the record before, 64 zeros for genesis. */
  prev_hash: string;
  /** RFC 3339, UTC, milliseconds. Order is always `seq`, never time. */
  time: string;
  type: RecordType;
  dev: boolean;
  /** An adapter id, `dev-unauthenticated`, `operator:<name>` or `system`. */
  reported_by: string;
  key_id: string;
  /** Hex SHA-256 over the 16 bytes of salt and the canonical text of the data. */
  data_hash: string;
  /** Result records only: who vouches for the report. */
  assurance?: 'adapter' | 'self';
}

/** A record as it is stored: texts that were hashed and signed once, and are never written anew. */
export interface StoredRecord {
  seq: number;
  type: RecordType;
  /** Canonical text of the header. */
  header: string;
  /** Canonical text of the data; null once it is erased. */
  data: string | null;
  /** 32 hexadecimal digits; null once it is erased. */
  salt: string | null;
  /** Hex SHA-256 over a zero byte and the header: the link of the chain and the leaf of the tree (RFC 9162). */
  hash: string;
  /** Base64url Ed25519 over `svc-evidence-record/1\n<hash>\n`. */
  sig: string;
}

/** What a writer is given to make a record of. */
export interface Draft {
  type: RecordType;
  time: string;
  dev: boolean;
  reportedBy: string;
  assurance?: 'adapter' | 'self';
  /** Canonical text. */
  data: string;
}

/** Where the chain stands: all that is needed to go on. */
export interface ChainHead {
  seq: number;
  hash: string;
  time: string;
  /** Hashes of the perfect subtrees (RFC 9162) over all leaves so far, largest first, in hex: at most 64. */
  frontier: readonly string[];
}
