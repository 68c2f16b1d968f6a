import type { RecordType, StoredRecord } from '../../../evidence/index.js';

/** The columns of a row of `evidence` that a record is made of. */
export const RECORD_COLUMNS = 'seq, type, header, data, salt, hash, sig';

/** These columns, as the driver reads them: numbers of 64 bits are texts. */
export interface EvidenceRow extends Omit<StoredRecord, 'seq' | 'type'> {
  seq: string;
  type: RecordType;
}

export function recordOf(row: EvidenceRow): StoredRecord {
  return { ...row, seq: Number(row.seq) };
}
