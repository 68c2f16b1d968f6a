/** Where a map that a function made was taken from: `path` is a JSON Pointer below `parent`. */
export interface Origin {
  readonly parent: object;
  readonly path: string;
}

/** A key that no document can have, and that nothing which lists the keys of a map sees. A WeakMap would take several times as long. */
const ORIGIN = Symbol('origin');

/**
 * Remembers that `made`, a map that stands nowhere in the input, speaks about the value at `path` below `parent`. With it a
 * finding on one entry of a mapping is located at that entry.
 */
export function madeFrom<T extends object>(made: T, parent: unknown, path: string): T {
  if (typeof parent === 'object' && parent !== null) (made as Marked)[ORIGIN] = { parent, path };
  return made;
}

/** Where a value was taken from, if a function made it from a part of the input. */
export function originOf(value: object): Origin | undefined {
  return (value as Marked)[ORIGIN];
}

interface Marked {
  [ORIGIN]?: Origin;
}
