import { isJsonObject, type Json } from '../../json/index.js';
import type { RecordHeader, RecordType, StoredRecord } from '../record.js';

/** A line of an export, taken apart. Nothing in it is verified yet. */
export interface ReadRecord {
  record: StoredRecord;
  header: RecordHeader;
  /** Parsed; null when it is erased. */
  data: Json;
}

/**
 * Takes a line apart into the texts that were hashed. Every member must be at its place, as `recordLine` writes it, so a
 * record has exactly one form and no byte of a line is without meaning.
 * @param line without its line feed
 * @returns undefined when the line is not of that form
 */
export function parseRecordLine(line: string): ReadRecord | undefined {
  const start = START.exec(line);
  const tail = line.lastIndexOf(',"data_hash":"');
  const end = tail < 0 ? null : END.exec(line.slice(tail));
  if (start === null || end === null || tail < start[0].length) return undefined;
  // The pattern has 10 groups, and they match whenever it does.
  const [, dataHash, dev, hash, keyId, prevHash, reportedBy, salt, seq, sig, time, type] = end as unknown as string[] & { 8: string };
  const assurance = start[1] as 'adapter' | 'self' | undefined;
  const text = line.slice(start[0].length, tail);
  const data = parsed(text);
  const reporter = parsed(String(reportedBy));
  if (data === undefined || typeof reporter !== 'string' || (data === null) !== (salt === 'null')) return undefined;
  if (!(data === null || isJsonObject(data)) || (type === 'result') !== (assurance !== undefined)) return undefined;
  if (!Number.isSafeInteger(Number(seq))) return undefined;
  const header =
    `{${assurance === undefined ? '' : `"assurance":"${assurance}",`}"data_hash":"${dataHash}","dev":${dev},"key_id":"${keyId}",` +
    `"prev_hash":"${prevHash}","reported_by":${reportedBy},"seq":${seq},"time":"${time}","type":"${type}","v":1}`;
  return {
    record: {
      seq: Number(seq),
      type: type as RecordType,
      header,
      data: data === null ? null : text,
      salt: data === null ? null : String(salt).slice(1, -1),
      hash: String(hash),
      sig: String(sig),
    },
    header: {
      v: 1,
      seq: Number(seq),
      prev_hash: String(prevHash),
      time: String(time),
      type: type as RecordType,
      dev: dev === 'true',
      reported_by: reporter,
      key_id: String(keyId),
      data_hash: String(dataHash),
      ...(assurance !== undefined && { assurance }),
    },
    data,
  };
}

/** Levels of nesting that data may have. Proposals have far fewer, and a verifier must not run out of stack. */
const MAX_DEPTH = 100;

const START = /^\{(?:"assurance":"(adapter|self)",)?"data":/;

/** The last character of a signature holds two bits only: one signature has one text. */
const END = new RegExp(
  [
    '^,"data_hash":"([0-9a-f]{64})","dev":(true|false),"hash":"([0-9a-f]{64})","key_id":"([0-9a-f]{32})","prev_hash":"([0-9a-f]{64})"',
    ',"reported_by":("(?:[^"\\\\]|\\\\.)*"),"salt":(null|"[0-9a-f]{32}"),"seq":(0|[1-9][0-9]{0,15}),"sig":"([A-Za-z0-9_-]{85}[AQgw])"',
    ',"time":"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z)"',
    ',"type":"(genesis|proposal|verdict|approval|result|admin_action|key)","v":1\\}$',
  ].join(''),
);

/** A JSON value; undefined when the text is not one, nests too deep, or has a lone surrogate. */
function parsed(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isSound(value, text.includes('\\u') || text.includes('\\U'), MAX_DEPTH) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @param escapes whether texts may hold lone surrogates, which need escapes */
function isSound(value: Json, escapes: boolean, depth: number): boolean {
  if (typeof value === 'string') return !escapes || value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (escapes && !Object.keys(value).every((name) => name.isWellFormed())) return false;
  for (const member of Object.values(value)) if (!isSound(member, escapes, depth - 1)) return false;
  return true;
}
