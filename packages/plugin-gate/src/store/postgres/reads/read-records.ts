import type { Pool } from 'pg';
import type { RecordType, StoredRecord } from '../../../evidence/index.js';
import { readHeadRow } from '../chain/chain.js';
import { type EvidenceRow, RECORD_COLUMNS, recordOf } from '../chain/record-row.js';
import { SCHEMA } from '../database/names.js';
import { OID_PATTERN } from '../database/oid.js';
import type { OutboxContent } from '../seal/outbox.js';
import { proofsBy, type RecordRow, recordAt } from '../seal/proofs.js';
import type { Reading } from './reading.js';

/** Records that are read at one time: enough to be worth a query, little enough to hold. */
const PART_ROWS = 256;

/** @param ref a number, or `ob_…`: then the record must be signed and of this reference */
export async function readRecord({ pool, head }: Reading, ref: string): Promise<StoredRecord | 'pending' | undefined> {
  if (/^(0|[1-9][0-9]{0,14})$/.test(ref)) return recordOfNumber(pool, Number(ref));
  if (!OID_PATTERN.test(ref)) return undefined;
  const { rows } = await pool.query<{ kind: OutboxContent['kind']; record: RecordRow | null }>(
    `SELECT o.kind, ${recordAt('e')} AS record FROM ${SCHEMA}.outbox o LEFT JOIN ${SCHEMA}.evidence e ON e.seq = o.seq WHERE o.oid = $1`,
    [ref],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  // One in quarantine waits for an operator.
  if (row.record === null) return 'pending';
  const { oid, ...record } = row.record;
  await (await proofsBy(head, pool)).record(row.record, { type: row.kind === 'decision' ? 'verdict' : row.kind, oid: ref });
  return record;
}

async function recordOfNumber(pool: Pool, seq: number): Promise<StoredRecord | undefined> {
  const { rows } = await pool.query<EvidenceRow>(`SELECT ${RECORD_COLUMNS} FROM ${SCHEMA}.evidence WHERE seq = $1`, [seq]);
  return rows[0] && recordOf(rows[0]);
}

/**
 * A record is never changed and never inserted between others, so parts that are read one after another are those of one
 * snapshot, though none is held: a slow reader keeps no transaction open.
 */
export async function* readRange(
  pool: Pool,
  { from, to, types }: { from: number; to: number; types?: readonly RecordType[] },
): AsyncGenerator<readonly StoredRecord[]> {
  // The number that the chain ends with now, so that the range does not grow while it is read.
  const last = Math.min(to, (await readHeadRow(pool))?.seq ?? -1);
  for (let next = from; next <= last; ) {
    const { rows } = await pool.query<EvidenceRow>(
      `SELECT ${RECORD_COLUMNS} FROM ${SCHEMA}.evidence
       WHERE seq BETWEEN $1 AND $2 ${types === undefined ? '' : 'AND type = ANY($3)'} ORDER BY seq LIMIT ${PART_ROWS}`,
      types === undefined ? [next, last] : [next, last, types],
    );
    const records = rows.map(recordOf);
    if (records.length > 0) yield records;
    if (records.length < PART_ROWS) return;
    next = (records.at(-1)?.seq ?? last) + 1;
  }
}
