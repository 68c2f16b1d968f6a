import { gateError } from '../error-table.js';
import { StoreError } from '../store/index.js';

/** The error that ends a command, where the store is what failed; every other error as it is. */
export function endingError(error: unknown): unknown {
  return error instanceof StoreError ? gateError(error.code, error.message, { cause: error }) : error;
}
