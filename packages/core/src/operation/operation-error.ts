import { BylawError } from '../errors.js';
import type { OperationError } from './operation.js';

/**
 * What an operation throws for input that it cannot use, as a value that can leave the thread.
 * @throws the error itself if it is a defect
 */
export function operationError(error: unknown): OperationError {
  if (!(error instanceof BylawError) || error.code === 'internal') throw error;
  const { code, message, hint, path, location } = error;
  return { code, message, hint, path, line: location?.line };
}
