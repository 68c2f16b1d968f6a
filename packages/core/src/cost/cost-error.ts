import { errorsOf, errorTable } from '../errors.js';

/**
 * Everything that can be wrong with cost input as a whole. `docs/reference/errors.md` is generated from it; over HTTP each is a problem of the
 * status 422 whose slug is the code.
 */
export const COST_ERRORS = errorTable({
  'cost-columns-missing': { exit: 2, summary: 'The cost export is missing required columns.' },
  'cost-file-invalid': { exit: 2, summary: 'The cost export cannot be read as a table.' },
  'cost-row-invalid': { exit: 2, summary: 'A row or series of the cost input is invalid.' },
  'cost-too-large': { exit: 2, summary: 'The input has too many buckets or series to fit in memory.' },
  'currency-mixed': { exit: 2, summary: 'The input has several currencies but no exchange rates to add them up.' },
  'dimension-unknown': { exit: 2, summary: 'The cost export does not have this dimension.' },
  'granularity-mixed': { exit: 2, summary: 'The series have different granularities.' },
  'growth-too-large': { exit: 2, summary: 'The known changes together multiply the cost by too much.' },
  'instant-invalid': { exit: 2, summary: 'A time is not a valid date or timestamp.' },
  'no-usable-rows': { exit: 2, summary: 'The cost export has no usable rows.' },
  'series-too-short': { exit: 2, summary: 'The series has too few values.' },
  'timezone-unknown': { exit: 2, summary: 'Unknown time zone.' },
});

export type CostErrorCode = keyof typeof COST_ERRORS;

/** The errors of this table that cost input can give, each with the problem that it is over HTTP. @param codes absent: all of them */
export function costProblems(codes: readonly CostErrorCode[] = COST_ERROR_CODES) {
  return codes.map((code) => ({
    error: code,
    problem: { slug: code, status: 422, title: COST_ERRORS[code].summary.replace(/\.$/, '') },
    say: (error: ErrorPlace) => problemDetails(code, error),
  }));
}

const COST_ERROR_CODES = Object.keys(COST_ERRORS) as CostErrorCode[]; // its own keys

interface ErrorPlace {
  message: string;
  path: string | undefined;
  line: number | undefined;
}

/**
 * What is wrong, and where in the request. Messages of this table are of its own words and names, except for that of an unknown dimension, which
 * names what the request asked for.
 */
function problemDetails(
  code: CostErrorCode,
  { path, line, message }: ErrorPlace,
): { detail?: string; errors?: { path: string; message: string }[] } {
  const what = code === 'dimension-unknown' ? COST_ERRORS[code].summary : message;
  if (path !== undefined) return { errors: [{ path, message: what }] };
  return { detail: line === undefined ? what : `Line ${line} of the CSV: ${what}` };
}

export const costError = errorsOf(COST_ERRORS);
