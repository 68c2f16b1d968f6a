import type { StoredRecord } from '../../evidence/index.js';

/** The columns of a row of `evidence` that a record is made of. */
export const RECORD_COLUMNS = 'seq, type, header, data, salt, hash, sig';

/** The columns are declared with these types, but for numbers of 64 bits, which come as texts. */
export function recordOf(row: { [column: string]: unknown }): StoredRecord {
  return { ...row, seq: Number(row.seq) } as StoredRecord;
}
