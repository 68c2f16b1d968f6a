import { EvaluationError } from '@marcbachmann/cel-js';

/** An error for a function to throw: the library adds the place of the call, and the evaluator makes it a CelError. */
export function failure(message: string): Error {
  return new EvaluationError(message);
}
