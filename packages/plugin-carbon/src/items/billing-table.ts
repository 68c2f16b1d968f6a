import { pipeline, Readable } from 'node:stream';
import { CsvError, type Options, parse } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';

export type BillingRecord = { readonly [column: string]: string };

/** A text that is no table of comma-separated values. The message says in which line, and nothing of what it holds. */
export class BillingTableError extends Error {
  override readonly name = 'BillingTableError';
}

/** The rows of a CSV text with a header. @throws {BillingTableError} */
export function billingTable(text: string): BillingRecord[] {
  try {
    return parseSync(text, OPTIONS) as BillingRecord[]; // with `columns` a record is an object
  } catch (error) {
    throw unreadable(error);
  }
}

/** The same of a text of any length. @throws {BillingTableError} */
export async function* billingTableOf(pieces: AsyncIterable<string>): AsyncGenerator<BillingRecord> {
  try {
    // What goes wrong before the parser ends it with the same error.
    yield* pipeline(Readable.from(pieces), parse(OPTIONS), () => undefined) as AsyncIterable<BillingRecord>; // with `columns` a record is an object
  } catch (error) {
    throw unreadable(error);
  }
}

const OPTIONS = {
  bom: true,
  columns: (header: string[]) => header,
  delimiter: [',', ';', '\t'],
  relax_column_count: true,
  skip_empty_lines: true,
  max_record_size: 4 * 1024 * 1024,
} satisfies Options<BillingRecord>;

function unreadable(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  const { lines } = error as { lines?: unknown }; // where it stopped
  return new BillingTableError(
    `The bill is no table of comma-separated values${typeof lines === 'number' ? `, near line ${lines}` : ''}.`,
    { cause: error },
  );
}
