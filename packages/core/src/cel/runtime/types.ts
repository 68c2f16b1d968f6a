import { TYPES } from '../functions.js';

const CLASSES: ReadonlyMap<string, unknown> = new Map(TYPES.map((type) => [type.name, type.constructor]));

/** Whether the values of a type are instances of a class of ours. */
export function hasClass(type: string): boolean {
  return CLASSES.has(type);
}

/** Whether the value is of that type, as the library tells it. */
export function isOfType(value: unknown, type: string): boolean {
  return typeof value === 'object' && value !== null && value.constructor === CLASSES.get(type);
}

/** Whether the library takes the value for a map. */
export function isMapValue(value: unknown): value is { readonly [key: string]: unknown } | ReadonlyMap<unknown, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  // Undefined for an object without a prototype.
  const maker: unknown = value.constructor;
  return maker === Object || maker === Map || maker === undefined;
}
