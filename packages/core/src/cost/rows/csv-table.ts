import { costError } from '../cost-error.js';
import { CsvError, CsvRecords } from './csv-records.js';
import { type Reading, rowError } from './reading.js';
import type { RowReader } from './row-reader.js';

/** One CSV file on its way into a reading. */
export class CsvTable<Row> {
  #records: CsvRecords | undefined;
  #reader: RowReader<Row> | undefined;
  #head = '';

  constructor(
    private readonly reading: Reading<Row>,
    private readonly file: string,
  ) {}

  /** @throws {BylawError} `cost-file-invalid`, `cost-columns-missing`, `cost-row-invalid`, `dimension-unknown` */
  push(piece: string): void {
    if (this.#records) {
      this.#push(this.#records, piece);
      return;
    }
    // The separator is known when the header is whole.
    this.#head += piece;
    if (this.#head.includes('\n') || this.#head.length > LONGEST_HEADER) this.#start();
  }

  /** @throws {BylawError} as `push`, and `no-usable-rows` for an empty file */
  end(): void {
    const records = this.#start();
    this.#guard(() => records.end(this.#take));
    if (!this.#reader) throw costError('no-usable-rows', `${this.file} is empty.`, { location: { file: this.file, line: 1, column: 1 } });
  }

  #start(): CsvRecords {
    if (this.#records) return this.#records;
    const head = this.#head.replace(/^\uFEFF/, '');
    this.#head = '';
    this.#records = new CsvRecords(separatorOf(head));
    this.#push(this.#records, head);
    return this.#records;
  }

  #push(records: CsvRecords, piece: string): void {
    this.#guard(() => records.push(piece, this.#take));
  }

  #guard(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      throw costError('cost-file-invalid', error.message, {
        location: { file: this.file, line: error.line, column: 1 },
        hint: 'The file must be CSV in UTF-8. Put fields that contain separators, quotes or line breaks in quotes, and double the quotes inside them.',
      });
    }
  }

  readonly #take = (fields: readonly string[]): void => {
    if (!this.#reader) {
      this.#reader = this.reading.open([...fields], this.file);
      this.#records?.choose(this.#reader.columns);
      return;
    }
    const row = this.#reader.read(fields);
    const fault = this.reading.take(row);
    if (fault) throw rowError(fault, { file: this.file, line: this.#records?.line ?? 0 });
  };
}

const LONGEST_HEADER = 1024 * 1024;

/** The separator that stands most often in the first line: a comma, unless the export of some land uses a semicolon or a tab. */
function separatorOf(head: string): string {
  const line = head.slice(0, head.indexOf('\n') < 0 ? undefined : head.indexOf('\n'));
  const count = (separator: string) => line.split(separator).length;
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}
