import type { RecordHeader, StoredRecord } from './record.js';

/**
 * A whole record as one line of JSON, without a line feed: the canonical text (RFC 8785) of all its members. The texts that
 * were hashed are spliced together as they are, and never written anew.
 */
export function recordLine(record: StoredRecord): string {
  const { header, data, salt, hash, sig } = record;
  const dataHash = header.indexOf('"data_hash":');
  const keyId = header.indexOf('"key_id":', dataHash);
  const seq = header.indexOf('"seq":', keyId);
  const time = header.indexOf('"time":', seq);
  // A header is flat and quotes in its texts are escaped: a name in quotes with a colon after it can only be the member.
  return (
    `${header.slice(0, dataHash)}"data":${data},${header.slice(dataHash, keyId)}"hash":"${hash}",${header.slice(keyId, seq)}` +
    `"salt":${salt === null ? null : `"${salt}"`},${header.slice(seq, time)}"sig":"${sig}",${header.slice(time)}`
  );
}

/** The header of a record, parsed. */
export function readHeader(record: Pick<StoredRecord, 'header'>): RecordHeader {
  // Only `sealRecords` and `readRecordLine` make records, and both leave no other form.
  return JSON.parse(record.header) as RecordHeader;
}
