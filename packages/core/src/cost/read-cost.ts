import type { BylawError } from '../errors.js';
import { costError } from './cost-error.js';
import type { CostInput } from './cost-input.js';
import type { RowFault } from './cost-row.js';
import type { CostTable } from './cost-table.js';
import { CsvError, CsvRecords } from './csv-records.js';
import { parseInstant } from './instant.js';
import { type RowReader, rowReader } from './row-reader.js';
import { seriesTables } from './series.js';
import { TableBuilder, type TableOptions } from './table-builder.js';

/** Dimensions that every reading keeps. */
const ALWAYS = ['account', 'region', 'service'];

/**
 * Reads the input of a request: a table for each currency, sorted by its name.
 * @param dimensions that are needed besides those of `group_by`
 * @throws {BylawError} of the table in `cost-error.ts`
 */
export function costTables(input: CostInput, dimensions: readonly string[] = []): CostTable[] {
  const options = tableOptions(input, dimensions);
  if (input.series) return seriesTables(input.series, options);
  const builder = new TableBuilder(options);
  if (input.focus_rows) addObjects(builder, input.focus_rows, options, '/focus_rows');
  else addCsv(builder, [input.focus_csv ?? ''], options, 'focus_csv');
  return builder.tables();
}

/** Text of a file, in pieces, under the name by which errors call it. */
export interface CostFile {
  name: string;
  /** JSON: one array of rows, or an object with them as `rows`; or JSON lines. Else CSV. */
  form: 'csv' | 'json';
  text: AsyncIterable<string>;
}

/** Reads files of any size: memory grows with series and days, not with rows. @throws {BylawError} as `costTables` */
export async function costFiles(
  files: readonly CostFile[],
  input: Omit<CostInput, 'series' | 'focus_rows' | 'focus_csv'>,
  dimensions: readonly string[] = [],
) {
  const options = tableOptions(input, dimensions);
  const builder = new TableBuilder(options);
  for (const file of files) {
    if (file.form === 'json') await addJson(builder, file, options);
    else {
      const table = new CsvTable(builder, options, file.name);
      for await (const piece of file.text) table.push(piece);
      table.end();
    }
  }
  return builder.tables();
}

function tableOptions(input: Omit<CostInput, 'series' | 'focus_rows' | 'focus_csv'>, dimensions: readonly string[]): TableOptions {
  const { metric = 'EffectiveCost', granularity = 'day', timezone = 'UTC', include_categories = ['Usage', 'Purchase'] } = input;
  const asOf = input.as_of === undefined ? undefined : parseInstant(input.as_of);
  return {
    metric,
    granularity,
    timezone,
    dimensions: [...new Set([...ALWAYS, ...(input.group_by ?? []), ...dimensions])],
    include: new Set(include_categories),
    ...(input.currency !== undefined && { currency: input.currency }),
    ...(input.fx && { fx: input.fx }),
    ...(asOf !== undefined && { asOf }),
    ...(input.recency && {
      recency: input.recency.map(({ start, end, complete }) => ({
        start: parseInstant(start) ?? 0,
        end: parseInstant(end) ?? 0,
        complete,
      })),
    }),
  };
}

function addCsv(builder: TableBuilder, pieces: readonly string[], options: TableOptions, name: string): void {
  const table = new CsvTable(builder, options, name);
  for (const piece of pieces) table.push(piece);
  table.end();
}

/** One CSV file on its way into a builder. */
class CsvTable {
  #records: CsvRecords | undefined;
  #reader: RowReader | undefined;
  #head = '';

  constructor(
    private readonly builder: TableBuilder,
    private readonly options: TableOptions,
    private readonly file: string,
  ) {}

  push(piece: string): void {
    if (this.#records) {
      this.#take(this.#records.push(piece));
      return;
    }
    // The separator is known when the header is whole.
    this.#head += piece;
    if (this.#head.includes('\n') || this.#head.length > LONGEST_HEADER) this.#start();
  }

  end(): void {
    const records = this.#start();
    this.#take(records.end());
    if (!this.#reader) throw costError('no-usable-rows', `${this.file} is empty.`, { location: { file: this.file, line: 1, column: 1 } });
  }

  #start(): CsvRecords {
    if (this.#records) return this.#records;
    const head = this.#head.replace(/^\uFEFF/, '');
    this.#head = '';
    this.#records = new CsvRecords(separatorOf(head));
    this.#take(this.#records.push(head));
    return this.#records;
  }

  #take(records: Iterator<string[]>): void {
    try {
      for (let next = records.next(); !next.done; next = records.next()) this.#add(next.value);
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      throw costError('cost-file-invalid', `${this.file}: ${error.message}`, { location: { file: this.file, line: error.row, column: 1 } });
    }
  }

  #add(fields: string[]): void {
    if (!this.#reader) {
      this.#reader = rowReader(fields, this.options.metric, this.options.dimensions, this.file);
      this.#records?.choose(this.#reader.columns);
      return;
    }
    const row = this.#reader.read(fields);
    if ('column' in row) throw rowError(row, this.file, this.#records?.row ?? 0);
    this.builder.add(row);
  }
}

const LONGEST_HEADER = 1024 * 1024;

/** The separator that stands most often in the first line: a comma, unless the export of some land uses a semicolon or a tab. */
function separatorOf(head: string): string {
  const line = head.slice(0, head.indexOf('\n') < 0 ? undefined : head.indexOf('\n'));
  const count = (separator: string) => line.split(separator).length;
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

function rowError({ column, problem }: RowFault, file: string, line: number): BylawError {
  return costError('cost-row-invalid', `${file}, row ${line}: ${column} ${problem}.`, {
    location: { file, line, column: 1 },
    hint: 'Mend the row, or leave it out.',
  });
}

function addObjects(
  builder: TableBuilder,
  rows: Iterable<{ readonly [column: string]: unknown }>,
  options: TableOptions,
  name: string,
): void {
  let header: string[] | undefined;
  let reader: RowReader | undefined;
  let count = 0;
  for (const nested of rows) {
    const row = flat(nested);
    // Rows leave out what they do not have, so the columns are those of all of them so far.
    const unknown = Object.keys(row).filter((column) => !header?.includes(column));
    if (!reader || unknown.length > 0) {
      header = [...(header ?? []), ...unknown];
      reader = rowReader(header, options.metric, options.dimensions, name);
    }
    const columns = header ?? [];
    const read = reader.read(reader.columns.map((index) => textOf(row[columns[index] ?? ''])));
    if ('column' in read) throw rowError(read, name, count);
    builder.add(read);
    count += 1;
  }
}

/** `{service: {description: "x"}}` as the column `service.description`; tags and lists stay whole. */
function flat(row: { readonly [column: string]: unknown }): { [column: string]: unknown } {
  const entries = Object.entries(row).flatMap(([column, value]) =>
    value !== null && typeof value === 'object' && !Array.isArray(value) && !WHOLE.has(column.toLowerCase())
      ? Object.entries(value).map(([member, inner]) => [`${column}.${member}`, inner] as const)
      : [[column, value] as const],
  );
  return Object.fromEntries(entries);
}

const WHOLE = new Set(['tags', 'labels', 'resource_tags', 'resourcetags', 'skupricedetails']);

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** JSON is held whole: exports of millions of rows are CSV. */
async function addJson(builder: TableBuilder, { name, text }: CostFile, options: TableOptions): Promise<void> {
  const pieces: string[] = [];
  let length = 0;
  for await (const piece of text) {
    length += piece.length;
    if (length > LONGEST_JSON) throw costError('cost-file-invalid', `${name} holds more than 256 MiB of JSON. Export it as CSV.`);
    pieces.push(piece);
  }
  addObjects(builder, rowsOf(pieces.join(''), name), options, name);
}

const LONGEST_JSON = 256 * 1024 * 1024;

function rowsOf(text: string, name: string): { readonly [column: string]: unknown }[] {
  const value = parsed(text) ?? text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parsed(line)]));
  const rows = isRow(value) && Array.isArray(value['rows']) ? value['rows'] : isRow(value) ? [value] : value;
  if (Array.isArray(rows) && rows.every(isRow)) return rows;
  throw costError(
    'cost-file-invalid',
    `${name} holds no rows: it must be a JSON array of objects, an object with such an array as \`rows\`, or a line of JSON per row.`,
  );
}

function isRow(value: unknown): value is { readonly [column: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
