import type { EvaluationError, Optional, ParseError } from '@marcbachmann/cel-js';
import type { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';

/** Classes of the CEL library that values and errors of ours are made of. */
export interface LibraryClasses {
  readonly Optional: typeof Optional;
  readonly EvaluationError: typeof EvaluationError;
  readonly ParseError: typeof ParseError;
  readonly Duration: typeof Duration;
  readonly UnsignedInt: typeof UnsignedInt;
}

/** What is loaded of the library: nothing, until something is compiled. See compiler.ts. */
export const libraryState: { classes: LibraryClasses | undefined } = { classes: undefined };
