import { BylawError, type BylawErrorOptions, type ErrorKind } from '../errors.js';

/**
 * Everything that can be wrong with cost input as a whole. `docs/reference/errors.md` is generated from it; over HTTP each is a problem of the
 * status 422 whose slug is the code.
 */
export const COST_ERRORS = {
  'cost-columns-missing': { exit: 2, summary: 'The cost export lacks columns that are needed.' },
  'cost-file-invalid': { exit: 2, summary: 'The cost export is no table that can be read.' },
  'cost-row-invalid': { exit: 2, summary: 'A row of the cost export cannot be read.' },
  'cost-too-large': { exit: 2, summary: 'The input covers too many buckets or series to be held in memory.' },
  'currency-mixed': { exit: 2, summary: 'The input has several currencies, and no rates to add them up.' },
  'dimension-unknown': { exit: 2, summary: 'The cost export has no such dimension.' },
  'granularity-mixed': { exit: 2, summary: 'The series have different granularities.' },
  'growth-too-large': { exit: 2, summary: 'The known changes together multiply the cost beyond any bill.' },
  'instant-invalid': { exit: 2, summary: 'A time is no day and no instant.' },
  'no-usable-rows': { exit: 2, summary: 'The cost export holds no row that counts.' },
  'series-too-short': { exit: 2, summary: 'There are too few values.' },
  'timezone-unknown': { exit: 2, summary: 'There is no such time zone.' },
} as const satisfies Record<string, { exit: ErrorKind['exit']; summary: string }>;

export type CostErrorCode = keyof typeof COST_ERRORS;

/** The kind of problem that an error of this table is over HTTP: the request cannot be processed. Undefined for other codes. */
export function costProblemKind(code: string): { slug: CostErrorCode; status: 422; title: string } | undefined {
  return isCostError(code) ? { slug: code, status: 422, title: COST_ERRORS[code].summary.replace(/\.$/, '') } : undefined;
}

/**
 * What is wrong, and where in the request, as the problem of such an error says it. Messages of this table are of its own words and names, except
 * for that of an unknown dimension, which names what the request asked for.
 */
export function costProblemPlace(
  code: CostErrorCode,
  { path, line, message }: { path: string | undefined; line: number | undefined; message: string },
): { detail?: string; errors?: { path: string; message: string }[] } {
  const what = code === 'dimension-unknown' ? COST_ERRORS[code].summary : message;
  if (path !== undefined) return { errors: [{ path, message: what }] };
  return { detail: line === undefined ? what : `Line ${line} of the CSV: ${what}` };
}

function isCostError(code: string): code is CostErrorCode {
  return Object.hasOwn(COST_ERRORS, code);
}

export function costError(code: CostErrorCode, message: string, options: BylawErrorOptions = {}): BylawError {
  return new BylawError({ code, exit: COST_ERRORS[code].exit }, message, options);
}
