import type { JsonValue } from './resource.js';

/**
 * A mapping may have a key named `constructor`. The CEL library tells types apart by `value.constructor`, so such a mapping would
 * look like an unknown type to it. The readers note the rare values that hold one; everything else costs one look-up.
 */

/** Every mapping with an own `constructor`, and everything that holds one, with its copy for CEL once that was asked for. */
const shadowed = new WeakMap<object, unknown>();

/** Notes each value in this tree that is, or holds, a mapping with an own key `constructor`. */
export function noteShadowed(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  let found = !Array.isArray(value) && Object.hasOwn(value, 'constructor');
  for (const child of Object.values(value)) if (noteShadowed(child)) found = true;
  if (found) shadowed.set(value, undefined);
  return found;
}

/**
 * The form of a value read by this package that may be handed to CEL: the value itself, unless a mapping in it has an own key
 * `constructor`; then a deep copy in which such mappings are `Map`s. The same value gives the same copy.
 */
export function forCel(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !shadowed.has(value)) return value;
  const known = shadowed.get(value);
  if (known !== undefined) return known;
  const copy = copyForCel(value);
  shadowed.set(value, copy);
  return copy;
}

function copyForCel(value: object): unknown {
  if (Array.isArray(value)) return value.map(forCel);
  const entries = Object.entries(value).map(([key, member]) => [key, forCel(member)] as const);
  return Object.hasOwn(value, 'constructor') ? new Map(entries) : Object.fromEntries(entries);
}
