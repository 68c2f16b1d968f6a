import { BylawError } from '../errors.js';
import { costError } from './cost-error.js';
import { type CostFile, costFilesAt } from './files.js';
import { rowsOfJson } from './rows/row-objects.js';
import type { CostInput } from './table/cost-input.js';

/** JSON is held whole: exports of millions of rows are CSV. @throws {BylawError} `cost-file-invalid` beyond 256 MiB */
export async function wholeText(file: CostFile): Promise<string> {
  return textUpTo(file, LONGEST, 'Export it as CSV, which bylaw reads in pieces.');
}

const LONGEST = 256 * 1024 * 1024;

/**
 * The one bill of a command that asks a server, as a body carries it.
 * @throws {BylawError} `usage` for several, `cost-file-invalid` for what no server takes, and as `costFilesAt`
 */
export async function costBody(paths: readonly string[]): Promise<Pick<CostInput, 'focus_rows' | 'focus_csv'>> {
  const [path, another] = paths;
  if (path === undefined || another !== undefined)
    throw new BylawError('usage', 'A server accepts only one bill at a time.', {
      hint: 'Remove --remote and unset SVC_API_URL, or pass one file.',
    });
  const [file] = await costFilesAt([path]);
  if (!file) return {};
  const text = await textUpTo(file, LONGEST, 'Remove --remote and unset SVC_API_URL: without a server, bylaw reads bills of any size.');
  return file.form === 'csv' ? { focus_csv: text } : { focus_rows: rowsOfJson(text, file.name) };
}

async function textUpTo({ name, text }: CostFile, longest: number, hint: string): Promise<string> {
  const pieces: string[] = [];
  let length = 0;
  for await (const piece of text) {
    length += piece.length;
    if (length > longest) throw costError('cost-file-invalid', `${name} is larger than 256 MiB.`, { hint });
    pieces.push(piece);
  }
  return pieces.join('');
}
