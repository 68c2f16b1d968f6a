import { BylawError } from '../../errors.js';
import { costError } from '../cost-error.js';
import { type Reading, rowError } from './reading.js';

/** A row as JSON has it. */
export type RowObject = { readonly [column: string]: unknown };

/**
 * Takes rows that are objects: rows leave out what they do not have, so the columns are those of all of them.
 * @param name for messages
 * @param path JSON Pointer, where they are part of a request
 */
export function takeObjects<Row>(reading: Reading<Row>, rows: readonly RowObject[], name: string, path?: string): void {
  if (rows.length === 0) throw costError('no-usable-rows', `${name} has no rows.`);
  const flat = rows.map(flattened);
  const header = [...new Set(flat.flatMap((row) => [...row.keys()]))];
  const reader = opened(reading, header, name, path);
  const columns = reader.columns.map((index) => header[index] ?? '');
  for (const [index, row] of flat.entries()) {
    const fault = reading.take(reader.read(columns.map((column) => cellText(row.get(column)))));
    if (fault) throw rowError(fault, { list: name, index, path });
  }
}

/** A list of a request has no line 1 to point at. */
function opened<Row>(reading: Reading<Row>, header: readonly string[], name: string, path: string | undefined) {
  try {
    return reading.open(header, name);
  } catch (error) {
    if (path === undefined || !(error instanceof BylawError)) throw error;
    const { code, exitCode: exit, message, hint } = error;
    throw new BylawError({ code, exit }, message, { path, ...(hint !== undefined && { hint }) });
  }
}

/** `{service: {description: "x"}}` as the column `service.description`; tags and lists stay whole. */
function flattened(row: RowObject): Map<string, unknown> {
  const flat = new Map<string, unknown>();
  for (const [column, value] of Object.entries(row)) {
    if (value === null || typeof value !== 'object' || Array.isArray(value) || WHOLE.has(column.toLowerCase().replaceAll('_', '')))
      flat.set(column, value);
    else for (const [member, inner] of Object.entries(value)) flat.set(`${column}.${member}`, inner);
  }
  return flat;
}

const WHOLE = new Set(['tags', 'labels', 'resourcetags', 'skupricedetails', 'xskudetails', 'allocatedmethoddetails', 'additionalinfo']);

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * The rows of a JSON text: an array of objects, an object with such an array as `rows`, or a line of JSON per row.
 * @throws {BylawError} `cost-file-invalid`
 */
export function rowsOfJson(text: string, name: string): RowObject[] {
  const value = parsed(text) ?? text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parsed(line)]));
  const rows = isRow(value) && Array.isArray(value['rows']) ? value['rows'] : isRow(value) ? [value] : value;
  if (Array.isArray(rows) && rows.every(isRow)) return rows;
  throw costError(
    'cost-file-invalid',
    `${name} has no rows: it must be a JSON array of objects, an object with such an array as \`rows\`, or one JSON object per line.`,
  );
}

function isRow(value: unknown): value is RowObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
