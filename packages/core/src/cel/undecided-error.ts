import type { Unknown, UnknownValue } from '../undecided.js';
import { CelError } from './evaluator.js';

/** An expression whose result depends on something that cannot be known: it has no result, and that is nobody's mistake. */
export class UndecidedError extends CelError {
  constructor(readonly unknown: Unknown | UnknownValue) {
    super(unknown.message);
  }
}
