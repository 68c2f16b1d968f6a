import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { CSV_HEADER, csvRow } from '../export/csv.js';
import { exportOscal } from '../export/oscal.js';
import { EVIDENCE_MARK, SETTINGS_MARK } from '../export/oscal-parts.js';
import { type OscalSettings, readSettings } from '../export/oscal-settings.js';
import type { StoredRecord } from '../record.js';
import { parseRecordLine, type ReadRecord } from './parse-record-line.js';
import { linesOf, rowsOf, UnusableEvidence } from './pieces.js';

/** A file to verify, which can be read several times. */
export interface EvidenceFile {
  name: string;
  open(): AsyncIterable<Uint8Array>;
}

/**
 * One record of a file; `read` is undefined when the line is not a record. `rowMatches` is about csv: whether the other cells say what the
 * record says.
 */
export interface FileRecord {
  line: number;
  read: ReadRecord | undefined;
  rowMatches: boolean;
}

export type EvidenceFormat = 'jsonl' | 'csv' | 'oscal';

/** @throws {UnusableEvidence} when the file begins like none of them */
export async function formatOf(file: EvidenceFile): Promise<EvidenceFormat> {
  const start = (await headOf(file, 64)).toString('latin1');
  if (start.startsWith('{"assessment-results":')) return 'oscal';
  if (start.startsWith('"seq",')) return 'csv';
  if (start.startsWith('{"data":') || start.startsWith('{"assurance":')) return 'jsonl';
  throw new UnusableEvidence(`${file.name} is not an evidence export (jsonl, csv, or OSCAL).`);
}

/** Records in the order of the file, those of one piece of it together. Ends after the first line that is not one. */
export async function* recordsOf(file: EvidenceFile, format: EvidenceFormat): AsyncGenerator<Iterable<FileRecord>> {
  let ended = false;
  const untilUnread = function* (records: Iterable<FileRecord>) {
    for (const record of records) {
      yield record;
      ended ||= record.read === undefined;
      if (ended) return;
    }
  };
  for await (const records of format === 'csv' ? ofRows(file) : ofLines(format === 'oscal' ? embedded(file) : file.open())) {
    yield untilUnread(records);
    if (ended) return;
  }
}

/** Whether an OSCAL document is, byte for byte, the one that its records and settings make. */
export async function documentMatches(file: EvidenceFile, settings: OscalSettings): Promise<boolean> {
  const records = () => batchesOf(recordsOf(file, 'oscal'));
  try {
    return await sameBytes(file.open(), exportOscal(records, settings));
  } catch (error) {
    // The settings hold no UUID of a chain.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function* ofLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Iterable<FileRecord>> {
  let line = 0;
  for await (const lines of linesOf(chunks)) yield lines.values().map((bytes) => lineRecord(++line, bytes));
}

function lineRecord(line: number, bytes: Buffer): FileRecord {
  const text = decodeUtf8(bytes.at(-1) === LF ? bytes.subarray(0, -1) : bytes);
  return { line, read: text === undefined ? undefined : parseRecordLine(text), rowMatches: true };
}

async function* ofRows(file: EvidenceFile): AsyncGenerator<Iterable<FileRecord>> {
  let line = 0;
  for await (const rows of rowsOf(file.open())) yield rows.values().flatMap((bytes) => rowRecord(file, ++line, bytes));
}

/** @returns nothing for the row of names */
function rowRecord(file: EvidenceFile, line: number, bytes: Buffer): FileRecord[] {
  const row = decodeUtf8(bytes);
  if (line === 1 && row !== CSV_HEADER) throw new UnusableEvidence(`${file.name} must start with the column names.`);
  if (line === 1) return [];
  // Quotes within cells are doubled, so this can only be the start of the last cell that begins with a brace.
  const cell = row?.lastIndexOf(',"{') ?? -1;
  const text = row?.endsWith('"\r\n') && cell >= 0 ? row.slice(cell + 2, -3).replaceAll('""', '"') : undefined;
  const read = text === undefined ? undefined : parseRecordLine(text);
  const again = read === undefined ? '' : csvRow({ header: read.header, hash: read.record.hash, data: read.data, line: text ?? '' });
  return [{ line, read, rowMatches: again === row }];
}

/** The bytes of the records within an OSCAL document: its base64 up to the padding, or up to whatever damage ends it. */
async function* embedded(file: EvidenceFile): AsyncGenerator<Uint8Array> {
  let rest = '';
  let within = false;
  for await (const chunk of file.open()) {
    let text = rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
    if (!within) {
      const mark = text.indexOf(EVIDENCE_MARK);
      if (mark < 0) {
        rest = text.slice(-EVIDENCE_MARK.length);
        continue;
      }
      within = true;
      text = text.slice(mark + EVIDENCE_MARK.length);
    }
    const end = text.search(/[^A-Za-z0-9+/]/);
    const base64 = end < 0 ? text : text.slice(0, end);
    const whole = end < 0 ? base64.length - (base64.length % 4) : base64.length;
    if (whole > 0) yield Buffer.from(base64.slice(0, whole), 'base64');
    if (end >= 0) return;
    rest = base64.slice(whole);
  }
  if (!within) throw new UnusableEvidence(`${file.name} contains no records. Only OSCAL documents that the gate exported can be verified.`);
  if (rest !== '') yield Buffer.from(rest, 'base64');
}

/** What an OSCAL document says in addition to its records; undefined when it says nothing that can be read. */
export async function settingsOf(file: EvidenceFile): Promise<OscalSettings | undefined> {
  const head = (await headOf(file, MAX_HEAD)).toString('utf8');
  const start = head.indexOf(SETTINGS_MARK);
  if (start < 0) return undefined;
  STRING.lastIndex = start + SETTINGS_MARK.length;
  const [text] = STRING.exec(head) ?? [];
  try {
    return text === undefined ? undefined : readSettings(String(JSON.parse(text)));
  } catch {
    return undefined;
  }
}

const LF = 0x0a;
/** The settings come before all that grows with the records. */
const MAX_HEAD = 1024 * 1024;
const STRING = /"(?:[^"\\]|\\.)*"/y;
/** Records that are handed on together, at least. */
const BATCH = 500;

async function headOf(file: EvidenceFile, length: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let have = 0;
  for await (const chunk of file.open()) {
    chunks.push(chunk);
    have += chunk.length;
    if (have >= length) break;
  }
  return Buffer.concat(chunks).subarray(0, length);
}

async function* batchesOf(records: AsyncIterable<Iterable<FileRecord>>): AsyncGenerator<StoredRecord[]> {
  let batch: StoredRecord[] = [];
  for await (const part of records) {
    for (const { read } of part) if (read !== undefined) batch.push(read.record);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

async function sameBytes(actual: AsyncIterable<Uint8Array>, expected: AsyncIterable<string>): Promise<boolean> {
  const pieces = expected[Symbol.asyncIterator]();
  let piece: Buffer = Buffer.alloc(0);
  for await (const chunk of actual) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    while (rest.length > 0) {
      if (piece.length === 0) {
        const next = await pieces.next();
        if (next.done === true) return false;
        piece = Buffer.from(next.value);
      }
      const length = Math.min(rest.length, piece.length);
      if (!rest.subarray(0, length).equals(piece.subarray(0, length))) return false;
      rest = rest.subarray(length);
      piece = piece.subarray(length);
    }
  }
  for (; piece.length === 0; ) {
    const next = await pieces.next();
    if (next.done === true) return true;
    piece = Buffer.from(next.value);
  }
  return false;
}

function decodeUtf8(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** A file on disk, read in pieces. */
export function evidenceFile(path: string): EvidenceFile {
  return { name: path, open: () => createReadStream(path, { highWaterMark: 256 * 1024 }) };
}
