import type { StatementSync } from 'node:sqlite';
import type { StoredRecord } from '../../../evidence/index.js';

export type Row = NonNullable<ReturnType<StatementSync['get']>>;

/** What `recordOf` needs. */
export const RECORD_COLUMNS = 'record.seq, record.type, record.header, record.data, record.salt, record.hash, record.sig';

/** A row with `RECORD_COLUMNS`. The table is STRICT and its type column has a CHECK, so the columns are what they are declared. */
export function recordOf(row: Row): StoredRecord {
  return row as unknown as StoredRecord;
}
