import type { Unknown, UnknownValue } from '../../undecided.js';
import type { JsonObject, JsonValue } from '../text/json.js';
import { formatPointer, getPointer, parsePointer } from '../text/pointer.js';
import { type UnknownMembers, withUnknown } from './unknown-members.js';

/**
 * Two things in a value need another form before CEL may see it, and both are rare: everything else costs one look-up.
 * - A mapping may have a key named `constructor`. The CEL library tells types apart by `value.constructor`, so such a mapping would look like an unknown
 *   type to it.
 * - A value that is not known must not look absent.
 */

/** Every mapping and list that needs another form, or holds one that does, with its copy for CEL once that was asked for. */
const noted = new WeakMap<object, unknown>();

/** What is not known of a mapping or list, by the member or item that it would be; under `undefined` what all of it would be. */
const unknownIn = new WeakMap<object, UnknownMembers>();

/** Notes each value in this tree that is, or holds, a mapping with an own key `constructor`. */
export function noteShadowed(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  let found = !Array.isArray(value) && Object.hasOwn(value, 'constructor');
  for (const child of Object.values(value)) if (noteShadowed(child)) found = true;
  if (found) noted.set(value, undefined);
  return found;
}

/**
 * Notes which values of an object are not known. If the object has no place for one, what would hold it is not known.
 * @param raised what reading such a value throws; absent: the value itself
 */
export function noteUnknown(
  object: JsonObject,
  unknown: readonly UnknownValue[],
  raised: (value: UnknownValue) => Unknown = (value) => value,
): void {
  for (const value of unknown) {
    let holder: JsonObject | JsonValue[] = object;
    let missing: string | undefined;
    noted.set(object, undefined);
    for (const token of parsePointer(value.pointer)) {
      const child: JsonValue | undefined = getPointer(holder, formatPointer([token]));
      missing = token;
      if (typeof child !== 'object' || child === null) break;
      holder = child;
      missing = undefined;
      noted.set(holder, undefined);
    }
    const members: UnknownMembers = unknownIn.get(holder) ?? new Map();
    unknownIn.set(holder, members.set(missing, raised(value)));
  }
}

/**
 * The form of a value read by this package that may be handed to CEL: the value itself, unless something in it was noted; then a deep copy in which
 * mappings with an own key `constructor` are `Map`s, and reading what is not known throws. The same value gives the same copy.
 */
export function forCel(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !noted.has(value)) return value;
  const known = noted.get(value);
  if (known !== undefined) return known;
  const copy = copyForCel(value);
  noted.set(value, copy);
  return copy;
}

function copyForCel(value: object): unknown {
  const unknown = unknownIn.get(value);
  const copy = knownCopy(value);
  return unknown === undefined ? copy : withUnknown(copy, unknown);
}

function knownCopy(value: object): object {
  if (Array.isArray(value)) return value.map(forCel);
  const entries = Object.entries(value).map(([key, member]) => [key, forCel(member)] as const);
  return Object.hasOwn(value, 'constructor') ? new Map(entries) : Object.fromEntries(entries);
}
