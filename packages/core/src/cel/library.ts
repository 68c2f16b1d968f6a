import type { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { type LibraryClasses, libraryState } from './library-state.js';

/**
 * The classes of the CEL library.
 * @throws when it is not loaded: then only code runs that was made ahead of time, and it gives up
 */
export function libraryClasses(): LibraryClasses {
  if (libraryState.classes === undefined) throw new Error('the CEL library is not loaded');
  return libraryState.classes;
}

/** There is no such value before the library is loaded. */
export function isUnsigned(value: unknown): value is UnsignedInt {
  return libraryState.classes !== undefined && value instanceof libraryState.classes.UnsignedInt;
}

/** There is no such value before the library is loaded. */
export function isDuration(value: unknown): value is Duration {
  return libraryState.classes !== undefined && value instanceof libraryState.classes.Duration;
}
