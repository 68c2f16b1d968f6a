import { costError } from './cost-error.js';
import type { CostFile } from './files.js';
import { CsvTable } from './rows/csv-table.js';
import type { Reading } from './rows/reading.js';
import { rowsOfJson, takeObjects } from './rows/row-objects.js';
import { rowReader, usageReader } from './rows/row-reader.js';
import type { UsageRow } from './rows/usage-row.js';
import { instantIn } from './table/buckets.js';
import type { CostInput } from './table/cost-input.js';
import type { CostTable } from './table/cost-table.js';
import { seriesTables } from './table/series.js';
import { TableBuilder } from './table/table-builder.js';
import type { TableOptions } from './table/table-options.js';
import { wholeText } from './whole-text.js';

/** Dimensions that every reading keeps. */
const ALWAYS = ['account', 'region', 'service'];

/** Rows of a request. */
type RowInput = Pick<CostInput, 'focus_rows' | 'focus_csv'>;

/** How to read rows. */
export type ReadingOptions = Omit<CostInput, 'series' | 'focus_rows' | 'focus_csv'>;

/**
 * Reads the input of a request: a table for each currency, sorted by its name.
 * @param dimensions that are needed in addition to those of `group_by`
 * @throws {BylawError} of the table in `cost-error.ts`
 */
export function costTables(input: CostInput, dimensions: readonly string[] = []): CostTable[] {
  const options = tableOptions(input, dimensions);
  if (input.series) return seriesTables(input.series, options);
  const builder = new TableBuilder(options);
  readRows(input, costReading(builder, options));
  return builder.tables();
}

/** Reads files of any size: memory grows with series and days, not with rows. @throws {BylawError} as `costTables` */
export async function costFiles(
  files: readonly CostFile[],
  input: ReadingOptions,
  dimensions: readonly string[] = [],
): Promise<CostTable[]> {
  const options = tableOptions(input, dimensions);
  const builder = new TableBuilder(options);
  await readFiles(files, costReading(builder, options));
  return builder.tables();
}

/**
 * Gives the rows of a request as usage, in their order. All categories of charges come.
 * @param dimensions whose values are in `row.dimensions`, in this order
 * @throws {BylawError} as `costTables`
 */
export function usageRows(input: RowInput, dimensions: readonly string[], take: (row: UsageRow) => void): void {
  readRows(input, usageReading(dimensions, take));
}

/** The same for files of any size, one row in memory at a time. @throws {BylawError} as `costTables` */
export async function usageFiles(files: readonly CostFile[], dimensions: readonly string[], take: (row: UsageRow) => void): Promise<void> {
  await readFiles(files, usageReading(dimensions, take));
}

function costReading(builder: TableBuilder, { metric, dimensions }: TableOptions): Reading<Parameters<TableBuilder['add']>[0]> {
  return {
    open: (header, file) => rowReader(header, metric, dimensions, file),
    take: (row) => ('column' in row ? row : builder.add(row)),
  };
}

function usageReading(dimensions: readonly string[], take: (row: UsageRow) => void): Reading<UsageRow> {
  return {
    open: (header, file) => usageReader(header, 'EffectiveCost', dimensions, file),
    take: (row) => {
      if ('column' in row) return row;
      take(row);
      return undefined;
    },
  };
}

function readRows<Row>(input: RowInput, reading: Reading<Row>): void {
  if (input.focus_rows) {
    takeObjects(reading, input.focus_rows, 'focus_rows', '/focus_rows');
    return;
  }
  const table = new CsvTable(reading, 'focus_csv');
  table.push(input.focus_csv ?? '');
  table.end();
}

async function readFiles<Row>(files: readonly CostFile[], reading: Reading<Row>): Promise<void> {
  for (const file of files) {
    if (file.form === 'json') takeObjects(reading, rowsOfJson(await wholeText(file), file.name), file.name);
    else {
      const table = new CsvTable(reading, file.name);
      for await (const piece of file.text) table.push(piece);
      table.end();
    }
  }
}

function tableOptions(input: ReadingOptions, dimensions: readonly string[]): TableOptions {
  const { metric = 'EffectiveCost', granularity = 'day', timezone = 'UTC', include_categories = ['Usage', 'Purchase'] } = input;
  if (input.fx && input.currency === undefined)
    throw costError('currency-mixed', 'Exchange rates need a target currency.', {
      hint: 'Set the currency of the answer with `currency`.',
    });
  return {
    metric,
    granularity,
    timezone,
    dimensions: [...new Set([...ALWAYS, ...(input.group_by ?? []), ...dimensions])],
    include: new Set(include_categories),
    ...(input.currency !== undefined && { currency: input.currency }),
    ...(input.fx && { fx: input.fx }),
    ...(input.as_of !== undefined && { asOf: instantAt(input.as_of, timezone, '/as_of') }),
    ...(input.settle_days !== undefined && { settleDays: input.settle_days }),
    ...(input.recency && {
      recency: input.recency.map(({ start, end, complete }, index) => ({
        start: instantAt(start, timezone, `/recency/${index}/start`),
        end: instantAt(end, timezone, `/recency/${index}/end`),
        complete,
      })),
    }),
  };
}

function instantAt(text: string, timezone: string, path: string): number {
  const at = instantIn(text, timezone);
  if (at === undefined)
    throw costError('instant-invalid', `${path} must be a valid date or timestamp.`, {
      path,
      hint: 'For example 2026-05-30 or 2026-05-30T13:00:00Z.',
    });
  return at;
}
