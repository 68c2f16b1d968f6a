import { BylawError, type ErrorKind, type Location } from '../errors.js';

/**
 * Everything that can be wrong with cost input as a whole. `docs/reference/errors.md` is generated from it; over HTTP each is a problem of the
 * status 422 whose slug is the code.
 */
export const COST_ERRORS = {
  'cost-columns-missing': { exit: 2, summary: 'The cost export lacks columns that are needed.' },
  'cost-file-invalid': { exit: 2, summary: 'The cost export is no table that can be read.' },
  'cost-row-invalid': { exit: 2, summary: 'A row of the cost export cannot be read.' },
  'currency-mixed': { exit: 2, summary: 'The input has several currencies, and no rates to add them up.' },
  'dimension-unknown': { exit: 2, summary: 'The cost export has no such dimension.' },
  'granularity-mixed': { exit: 2, summary: 'The series have different granularities.' },
  'no-usable-rows': { exit: 2, summary: 'The cost export holds no row that counts.' },
  'series-too-short': { exit: 2, summary: 'There are too few values.' },
  'timezone-unknown': { exit: 2, summary: 'There is no such time zone.' },
} as const satisfies Record<string, { exit: ErrorKind['exit']; summary: string }>;

export type CostErrorCode = keyof typeof COST_ERRORS;

export function costError(
  code: CostErrorCode,
  message: string,
  options: { location?: Location; hint?: string; cause?: unknown } = {},
): BylawError {
  return new BylawError({ code, exit: COST_ERRORS[code].exit }, message, options);
}
