import type { RecordHeader, StoredRecord } from '../record.js';
import { readHeader } from '../record-line.js';
import { NO_HASH, recordHash } from '../seal.js';

/** What must be known of a range before the first byte of an export goes out. */
export interface RangeSurvey {
  count: number;
  first: { seq: number; time: string; prevHash: string } | null;
  last: { seq: number; time: string; hash: string } | null;
  /** Number of the first record that does not follow the one before, or whose hash is not the one of its header; null: all do. */
  brokenAt: number | null;
}

/** Reads a range and re-checks its links and hashes, without signatures. */
export async function surveyRange(records: AsyncIterable<readonly StoredRecord[]>): Promise<RangeSurvey> {
  const survey: RangeSurvey = { count: 0, first: null, last: null, brokenAt: null };
  for await (const batch of records) for (const record of batch) addToSurvey(survey, record, readHeader(record));
  return survey;
}

/** Adds the next record of the range. */
export function addToSurvey(survey: RangeSurvey, record: StoredRecord, header: RecordHeader): void {
  const { seq, time, prev_hash: prevHash } = header;
  const { last } = survey;
  const follows = last === null ? seq > 0 || prevHash === NO_HASH : seq === last.seq + 1 && prevHash === last.hash;
  if (survey.brokenAt === null && !(follows && seq === record.seq && recordHash(record.header) === record.hash))
    survey.brokenAt = record.seq;
  survey.first ??= { seq, time, prevHash };
  survey.last = { seq, time, hash: record.hash };
  survey.count++;
}
