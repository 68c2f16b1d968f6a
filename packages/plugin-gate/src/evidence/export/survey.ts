import type { RecordHeader, StoredRecord } from '../record.js';
import { readHeader } from '../record-line.js';
import { dataHash, NO_HASH, recordHash } from '../seal.js';

/** What must be known of a range before the first byte of an export goes out. */
export interface RangeSurvey {
  count: number;
  first: { seq: number; time: string; prevHash: string } | null;
  last: { seq: number; time: string; hash: string } | null;
  /** Number of the first record that is wrong; null: none is. */
  brokenAt: number | null;
  /** `link`: it does not follow the one before, or its hash is not the one of its header. `digest`: its data is not what the header says. */
  brokenBy: 'link' | 'digest' | null;
}

/**
 * Reads a range and re-checks its links, hashes and digests, without signatures.
 * @param also given each record, in its order
 */
export async function surveyRange(
  records: AsyncIterable<readonly StoredRecord[]>,
  also: (record: StoredRecord, header: RecordHeader) => void = () => undefined,
): Promise<RangeSurvey> {
  const survey = beginSurvey();
  for await (const batch of records)
    for (const record of batch) {
      const header = readHeader(record);
      addToSurvey(survey, record, header);
      also(record, header);
    }
  return survey;
}

export function beginSurvey(): RangeSurvey {
  return { count: 0, first: null, last: null, brokenAt: null, brokenBy: null };
}

/** Adds the next record of the range. */
export function addToSurvey(survey: RangeSurvey, record: StoredRecord, header: RecordHeader): void {
  const { seq, time, prev_hash: prevHash } = header;
  const { last } = survey;
  const follows = last === null ? seq > 0 || prevHash === NO_HASH : seq === last.seq + 1 && prevHash === last.hash;
  const linked = follows && seq === record.seq && recordHash(record.header) === record.hash;
  if (survey.brokenAt === null && !(linked && holdsData(record, header))) {
    survey.brokenAt = record.seq;
    survey.brokenBy = linked ? 'digest' : 'link';
  }
  survey.first ??= { seq, time, prevHash };
  survey.last = { seq, time, hash: record.hash };
  survey.count++;
}

/** Data that was erased has nothing to compare. */
function holdsData({ data, salt }: StoredRecord, header: RecordHeader): boolean {
  return data === null || dataHash(Buffer.from(salt ?? '', 'hex'), data) === header.data_hash;
}
