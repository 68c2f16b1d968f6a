import type { BylawError } from '../errors.js';
import { costError } from './cost-error.js';
import type { RowFault } from './cost-row.js';
import type { RowReader } from './row-reader.js';

/** What is made of the rows of tables. */
export interface Reading<Row> {
  open(header: readonly string[], file: string): RowReader<Row>;
  /** Why the row cannot be taken, where it cannot. */
  take(row: Row | RowFault): RowFault | undefined;
}

/**
 * @param row what the message says of the place, where lines say nothing to a reader
 * @param line of the file, or the number of the row
 */
export function rowError({ column, problem }: RowFault, row: string, file: string, line: number): BylawError {
  return costError('cost-row-invalid', `${row}${column} ${problem}.`, {
    location: { file, line, column: 1 },
    hint: 'Mend the row, or leave it out.',
  });
}
