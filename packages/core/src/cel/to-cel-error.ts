import { TypeError as CheckError, EvaluationError, ParseError } from '@marcbachmann/cel-js';
import { UnknownError } from '../undecided.js';
import { CelError, UndecidedError } from './evaluator.js';

/** The library's errors carry a picture of the source in their message; ours say what, and where as a number. */
export function toCelError(error: unknown): CelError {
  if (error instanceof CelError) return error;
  if (error instanceof UnknownError) return new UndecidedError(error.unknown);
  if (error instanceof EvaluationError || error instanceof ParseError || error instanceof CheckError) {
    const offset = error.range?.start;
    return new CelError(`${error.summary}${hintFor(error)}`, { cause: error, ...(offset === undefined ? {} : { offset }) });
  }
  return new CelError(error instanceof Error ? error.message : String(error), { cause: error });
}

/** The mistake that everyone makes first: `.?field` gives an optional, not the value. */
function hintFor(error: Error & { summary: string }): string {
  return error instanceof CheckError && error.summary.includes('optional<') ? ': add .orValue(…) to the optional' : '';
}
