import { failure } from './budget/budget.js';
import { type LibraryClasses, libraryState } from './library-state.js';

/**
 * A value, or its absence. The class of the CEL library does the same, but code that was compiled ahead of time runs without the library.
 * See `adoptOptional` for how both get along.
 */
export class Optional {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  static of(value: unknown): Optional {
    return value === undefined ? NONE : new Optional(value);
  }

  hasValue(): boolean {
    return this.#value !== undefined;
  }

  /** @throws when it is absent */
  value(): unknown {
    if (this.#value === undefined) throw failure('Optional value is not present');
    return this.#value;
  }

  or(other: Optional): Optional {
    return this.#value === undefined ? other : this;
  }

  orValue(otherwise: unknown): unknown {
    return this.#value === undefined ? otherwise : this.#value;
  }
}

const NONE = new Optional(undefined);

/** Whether a value is an optional, of this class or of the library's. */
export function isOptional(value: unknown): value is Optional {
  return value instanceof (libraryState.classes?.Optional ?? Optional);
}

/**
 * Makes optionals of ours, those that exist and those to come, optionals of the library: it recognizes them by `instanceof` and by `constructor`, and
 * otherwise only calls their methods.
 */
export function adoptOptional(library: LibraryClasses): void {
  Object.setPrototypeOf(Optional.prototype, library.Optional.prototype);
  Object.defineProperty(Optional.prototype, 'constructor', { value: library.Optional });
}
