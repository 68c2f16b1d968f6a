import type { Json } from '../../json/index.js';
import type { RecordHeader, StoredRecord } from '../record.js';
import { readHeader, recordLine } from '../record-line.js';
import { type RecordFacts, recordFacts } from './record-facts.js';

/** What the rows of a csv export are made of. */
export interface CsvSource {
  header: RecordHeader;
  hash: string;
  /** Parsed; null when it is erased. */
  data: Json;
  /** The whole record, see `recordLine`. */
  line: string;
}

/**
 * RFC 4180, UTF-8, every cell quoted, one row of names and one row per record. The last cell is the whole record, so the file
 * can be verified; all others are there to be filtered and are made safe for spreadsheets.
 */
export async function* exportCsv(records: AsyncIterable<readonly StoredRecord[]>): AsyncGenerator<string> {
  yield CSV_HEADER;
  for await (const batch of records) if (batch.length > 0) yield batch.map((record) => csvRow(sourceOf(record))).join('');
}

/** The row of one record, with its line break. */
export function csvRow(source: CsvSource): string {
  const { header, hash } = source;
  const facts = recordFacts(header.type, source.data);
  const cells = [
    String(header.seq),
    header.time,
    header.type,
    String(header.dev),
    header.reported_by,
    header.assurance ?? '',
    ...FACTS.map((name) => String(facts[name] ?? '')),
    header.key_id,
    header.prev_hash,
    hash,
  ];
  // The record begins with a brace, so no spreadsheet takes it for a formula, and it must not be altered.
  return `${cells.map((cell) => quoted(inert(cell))).join(',')},${quoted(source.line)}\r\n`;
}

const COLUMNS = [
  ...['seq', 'time', 'type', 'dev', 'reported_by', 'assurance', 'proposal_id', 'principal', 'agent', 'action_type', 'resource'],
  ...['environment', 'decision', 'enforced', 'effective_decision', 'approval_id', 'result_status', 'contradicts_verdict'],
  ...['bundle_digest', 'key_id', 'prev_hash', 'hash', 'record'],
];

/** The cells from `proposal_id` to `bundle_digest`. */
const FACTS = [
  ...(['proposalId', 'principal', 'agent', 'actionType', 'resource', 'environment', 'decision', 'enforced'] as const),
  ...(['effectiveDecision', 'approvalId', 'resultStatus', 'contradictsVerdict', 'bundleDigest'] as const),
] satisfies (keyof RecordFacts)[];

/** The first row. */
export const CSV_HEADER = `${COLUMNS.map(quoted).join(',')}\r\n`;

function sourceOf(record: StoredRecord): CsvSource {
  // The store gives what `sealRecords` made: canonical JSON.
  const data = record.data === null ? null : (JSON.parse(record.data) as Json);
  return { header: readHeader(record), hash: record.hash, data, line: recordLine(record) };
}

/**
 * A spreadsheet takes a cell that begins so for a formula, full-width forms included; a quote mark before it makes it text
 * (OWASP, CSV Injection).
 */
function inert(cell: string): string {
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(cell) ? `'${cell}` : cell;
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
