import { isJsonObject, type Json, type JsonObject } from '../../../json/index.js';
import { QUARANTINED, SCHEMA } from '../database/names.js';
import type { Queries } from '../database/queries.js';
import { altered, type Proofs, type RecordRow, recordAt, type SignedRecord, type WaitingRow, waitingAt } from '../seal/proofs.js';

/**
 * The approval records of approvals, or the result records of proposals. They are found by what they say; the tables beside the
 * chain add those that have no number yet, and those that are erased.
 */
export interface HistoryRecord extends Pick<SignedRecord, 'time' | 'reportedBy' | 'assurance'> {
  /** Id of the approval, or of the proposal. */
  subject: string;
  /** Undefined while it waits. */
  seq: number | undefined;
  /** Of a record that waits: the order in which it was accepted. */
  acceptedAs: number;
  /** `ob_…`, or a number for one that was recorded in an embedded store. */
  ref: string;
  /** Null once it is erased. */
  data: JsonObject | null;
  /** What the table says, which nothing proves; undefined when it has no such row. */
  row: { readonly [column: string]: unknown } | undefined;
}

interface Source {
  table: string;
  /** Of the table, and member of the data. */
  key: string;
  /** Number of the record of a row `t`, whose row of the outbox is `o`. */
  position: string;
}

const SOURCES: { readonly [type in 'approval' | 'result']: Source } = {
  approval: {
    table: 'approval_event',
    key: 'approval_id',
    // The request is the record after the verdict, which the reference of a decision names.
    position: "CASE WHEN t.event = 'requested' AND t.oid IS NOT NULL THEN nullif(o.seq, -1) + 1 ELSE coalesce(t.seq, o.seq) END",
  },
  result: { table: 'result', key: 'proposal_id', position: 'coalesce(t.seq, o.seq)' },
};

/** What a record is about. Canonical texts have their members in order, and before this one no text that could hold its like. */
export function subjectIn(data: string, type: keyof typeof SOURCES): string {
  return `substring(${data} from '"${SOURCES[type].key}":"([^"]*)"')`;
}

/**
 * @returns in the order of the chain; what waits comes last, in the order in which it was accepted
 * @throws {StoreError} AG-EVD-004 when a record was altered, exchanged for another, or taken away
 */
export async function readHistory(
  client: Queries,
  type: keyof typeof SOURCES,
  subjects: readonly string[],
  proofs: Proofs,
): Promise<HistoryRecord[]> {
  const { table, key, position } = SOURCES[type];
  // One statement sees one snapshot: a record is in the outbox, or in the chain.
  const { rows } = await client.query<HistoryRow>(
    `SELECT t.${key} AS subject, row_to_json(t) AS row, t.oid, o.id AS accepted_as, ${waitingAt('o')} AS waiting, ${recordAt('e')} AS record,
       EXISTS (SELECT FROM ${SCHEMA}.quarantine q WHERE q.oid = t.oid AND q.resolution = 'dropped' AND o.seq = ${QUARANTINED}) AS dropped
     FROM ${SCHEMA}.${table} t LEFT JOIN ${SCHEMA}.outbox o ON o.oid = t.oid LEFT JOIN ${SCHEMA}.evidence e ON e.seq = ${position}
     WHERE t.${key} = ANY($1)
     UNION ALL
     SELECT ${subjectIn('e.data', type)}, NULL::json, e.oid, NULL, NULL::json, ${recordAt('e')}, false
     FROM ${SCHEMA}.evidence e WHERE e.type = '${type}' AND e.data IS NOT NULL AND ${subjectIn('e.data', type)} = ANY($1)`,
    [subjects],
  );
  const numbered = new Map<number, HistoryRow>();
  const waiting: HistoryRow[] = [];
  for (const row of rows) {
    // A request that waits is in the row of its decision.
    if (row.dropped || (row.record === null && row.row?.['event'] === 'requested')) continue;
    if (row.record === null) waiting.push(row);
    // The table adds what it says to the record that was found by itself.
    else if (row.row !== null || !numbered.has(row.record.seq)) numbered.set(row.record.seq, row);
  }
  const found = await Promise.all([...numbered.values(), ...waiting].map((row) => historyOf(row, type, proofs)));
  return found.sort((a, b) => (a.seq ?? Infinity) - (b.seq ?? Infinity) || a.acceptedAs - b.acceptedAs);
}

interface HistoryRow {
  subject: string;
  row: { readonly [column: string]: unknown } | null;
  oid: string | null;
  accepted_as: string | null;
  waiting: WaitingRow | null;
  record: RecordRow | null;
  dropped: boolean;
}

async function historyOf({ subject, row, oid, accepted_as, waiting, record }: HistoryRow, type: keyof typeof SOURCES, proofs: Proofs) {
  const signed = record === null ? await contentOf(waiting, type, proofs) : await proofs.record(record, { type, oid });
  const data = signed.data === null ? null : (JSON.parse(signed.data) as Json);
  if (data !== null && (!isJsonObject(data) || data[SOURCES[type].key] !== subject))
    throw altered('A row names a record of something else.');
  const { time, reportedBy, assurance } = signed;
  const made: HistoryRecord = {
    subject,
    seq: record?.seq,
    acceptedAs: Number(accepted_as ?? 0),
    ref: oid ?? String(record?.seq),
    time,
    reportedBy,
    data,
    row: row ?? undefined,
    ...(assurance && { assurance }),
  };
  return made;
}

async function contentOf(waiting: WaitingRow | null, type: keyof typeof SOURCES, proofs: Proofs): Promise<SignedRecord> {
  const draft = waiting === null ? undefined : (await proofs.content(waiting, type)).drafts[0];
  if (draft === undefined) throw altered('A record is missing.');
  return draft;
}
