import type { StoredRecord } from '../record.js';
import { recordLine } from '../record-line.js';

/** One record per line, members in canonical order, each line with a line feed. Media type `application/x-ndjson`. */
export async function* exportJsonl(records: AsyncIterable<readonly StoredRecord[]>): AsyncGenerator<string> {
  for await (const batch of records) if (batch.length > 0) yield jsonlOf(batch);
}

/** The lines of a batch. */
export function jsonlOf(batch: readonly StoredRecord[]): string {
  return batch.map((record) => `${recordLine(record)}\n`).join('');
}
