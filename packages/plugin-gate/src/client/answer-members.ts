import { printable } from '@bylaw/core/report/printable';
import { isObject } from './decision.js';

// Reads members of an answer that may have any form: it may come from anything that listens at the address.

export type Members = { readonly [name: string]: unknown };

/** The value, or an empty object if it is not an object. */
export function asObject(value: unknown): Members {
  return isObject(value) ? value : {};
}

/** The items as objects; none if the value is not a list. */
export function asObjects(value: unknown): Members[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}

/** A text or number as one line that is safe to show; empty for any other value. */
export function printableScalar(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? printable(String(value)) : '';
}
