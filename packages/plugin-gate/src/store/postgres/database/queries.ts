import type { ClientBase } from 'pg';

/** What is needed of a pool, or of one connection, to ask the database something. */
export type Queries = Pick<ClientBase, 'query'>;

/** The members of rows, as one array each: parameters of `unnest`. */
export function columns<Row extends object>(rows: readonly Row[], names: readonly (keyof Row)[]): unknown[][] {
  return names.map((name) => rows.map((row) => row[name]));
}

/**
 * Many canonical texts as one parameter. They have no line feed (JSON escapes it), so it parts them: to quote each for an array
 * would cost more than to make it.
 */
export function asLines(texts: readonly string[]): string {
  return texts.join('\n');
}

/** What the database makes an array of texts of, for the parameter of that number. An empty text, which is not JSON, becomes null. */
export function linesAt(parameter: number): string {
  return `string_to_array($${parameter}::text, E'\\n', '')`;
}
