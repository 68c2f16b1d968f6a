import { spendOnEntries, spendOnItems } from '../budget/costs.js';
import { isOptional, Optional } from '../optional.js';

/**
 * Maps and lists as CEL sees them. A list is an array. A map is a plain object or, where a mapping has a key that would
 * confuse the library (`constructor`), a Map; every function of this floor takes both.
 */
export type CelMap = { readonly [key: string]: unknown } | ReadonlyMap<unknown, unknown>;

export function isMap(value: unknown): value is CelMap {
  if (typeof value !== 'object' || value === null) return false;
  // Nearly always true for a map, and quick; a map with a key `constructor` takes the long way.
  if (value.constructor === Object) return true;
  if (Array.isArray(value)) return false;
  if (value instanceof Map) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The value of an own key, or undefined. Total: any value may be asked. */
export function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof Map) return value.get(key);
  // Any object can be asked for any key. Most members that rules ask for are absent, so that is answered first.
  const found = (value as { readonly [key: string]: unknown })[key];
  return found !== undefined && Object.hasOwn(value, key) && isMap(value) ? found : undefined;
}

/** Follows own keys: `path(container, 'securityContext', 'privileged')`. */
export function path(value: unknown, ...keys: string[]): unknown {
  let current = value;
  for (const key of keys) current = member(current, key);
  return current;
}

/** The entries of a map in insertion order; none for any other value. They are counted as steps, because who asks looks at each. */
export function entriesOf(value: unknown): [string, unknown][] {
  if (!isMap(value)) return [];
  const entries = value instanceof Map ? [...value].map(([key, item]): [string, unknown] => [String(key), item]) : Object.entries(value);
  spendOnEntries(entries.length);
  return entries;
}

/** A map that CEL can hold, whatever its keys are. */
export function mapOf(entries: readonly (readonly [string, unknown])[]): CelMap {
  const awkward = entries.some(([key]) => key === 'constructor' || key === '__proto__');
  return awkward ? new Map(entries) : Object.fromEntries(entries);
}

/** The value inside an optional; undefined for an absent one; any other value as it is. */
export function present(value: unknown): unknown {
  return isOptional(value) ? value.orValue(undefined) : value;
}

/** The list, counted as steps, because who asks looks at each item; empty for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  const inner = present(value);
  if (!Array.isArray(inner)) return [];
  spendOnItems(inner.length);
  return inner;
}

export function textOrEmpty(value: unknown): string {
  const inner = present(value);
  return typeof inner === 'string' ? inner : '';
}

export function optionalOf(value: unknown): unknown {
  return Optional.of(value);
}

/**
 * A JSON value in the form that CEL can hold: mappings with a key `constructor` become Maps, all else stays as it is.
 * `value` must not be nested deeper than the readers allow.
 */
export function celValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(celValue);
  if (!isMap(value)) return value;
  return mapOf(entriesOf(value).map(([key, item]) => [key, celValue(item)] as const));
}
