import type { BylawError } from '../../errors.js';
import { costError } from '../cost-error.js';
import type { RowFault } from './cost-row.js';
import type { RowReader } from './row-reader.js';

/** What is made of the rows of tables. */
export interface Reading<Row> {
  open(header: readonly string[], file: string): RowReader<Row>;
  /** Why the row cannot be taken, where it cannot. */
  take(row: Row | RowFault): RowFault | undefined;
}

/** @param place where the row stands: in a file, or in a request */
export function rowError({ column, problem }: RowFault, place: RowPlace): BylawError {
  const hint = 'Fix the row, or remove it.';
  if ('line' in place)
    return costError('cost-row-invalid', `${column} ${problem}.`, { location: { file: place.file, line: place.line, column: 1 }, hint });
  const { list, index, path } = place;
  return costError('cost-row-invalid', `${list}, row ${index + 1}: ${column} ${problem}.`, {
    ...(path !== undefined && { path: `${path}/${index}` }),
    hint,
  });
}

/** A line of text, from 1, or an element of a list, from 0; `path` is the JSON Pointer of a list that is part of a request. */
export type RowPlace = { file: string; line: number } | { list: string; index: number; path?: string | undefined };
