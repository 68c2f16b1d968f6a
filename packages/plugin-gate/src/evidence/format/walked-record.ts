import type { Json } from '../../json/index.js';
import type { RecordType, StoredRecord } from '../record.js';

/** What the walks look at. */
export interface WalkedRecord {
  seq: number;
  type: RecordType;
  /** Parsed; null once it is erased. Of the types that no walk reads, any other value will do. */
  data: Json;
}

const READ: ReadonlySet<RecordType> = new Set(['genesis', 'result', 'admin_action']);

/** Parses the data only where a walk reads it. */
export function walkedRecord({ seq, type, data }: StoredRecord): WalkedRecord {
  // Data in the chain is canonical JSON.
  const parsed = data !== null && READ.has(type) ? (JSON.parse(data) as Json) : {};
  return { seq, type, data: data === null ? null : parsed };
}
