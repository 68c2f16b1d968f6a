import type { DatabaseSync } from 'node:sqlite';
import { RECORD_TYPES, type RecordType, type StoredRecord } from '../../../evidence/index.js';
import { COMMON_TYPES, RARE_TYPE } from '../file/schema.js';
import { RECORD_COLUMNS, type Row, recordOf } from './row.js';

export interface RangeRequest {
  from: number;
  to: number;
  types?: readonly RecordType[];
}

/** Part of a range. `next` is where the rest begins; undefined: this was the last part. */
export interface RangePart {
  records: StoredRecord[];
  next: number | undefined;
}

/** Characters of one part: enough to be worth a message between threads, little enough to hold a few of them. */
const PART_CHARACTERS = 1024 * 1024;

/** Rows that are looked at for one part of a range of some types: so long may another reader wait. */
const PART_ROWS = 5000;

/**
 * Reads the first part of a range. A record is never changed and never inserted between others, so parts that are read one
 * after another are those of one snapshot, though none is held: a slow reader keeps no log from being emptied.
 */
export function readPart(db: DatabaseSync, { from, to, types }: RangeRequest): RangePart {
  const known = types && RECORD_TYPES.filter((type) => types.includes(type));
  const rare = known?.every((type) => !(COMMON_TYPES as readonly string[]).includes(type)) ?? false;
  // Few rows have rare types, and an index leads to them; of other ranges no more than a window is looked at.
  const last = rare ? to : Math.min(to, from + PART_ROWS - 1);
  const ofTypes =
    known === undefined ? '' : `AND type IN (${known.map((type) => `'${type}'`).join(', ')}) ${rare ? `AND ${RARE_TYPE}` : ''}`;
  const statement = db.prepare(`SELECT ${RECORD_COLUMNS} FROM record WHERE seq BETWEEN ? AND ? ${ofTypes} ORDER BY seq`);
  const records: StoredRecord[] = [];
  let characters = 0;
  for (const row of statement.iterate(from, last) as Iterable<Row>) {
    const record = recordOf(row);
    records.push(record);
    characters += record.header.length + (record.data?.length ?? 0);
    if (characters >= PART_CHARACTERS) return { records, next: record.seq < to ? record.seq + 1 : undefined };
  }
  return { records, next: last < to ? last + 1 : undefined };
}
