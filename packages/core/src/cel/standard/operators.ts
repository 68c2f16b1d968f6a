import type { Optional } from '../optional.js';
import { sameValue } from './equality.js';

/** An operator that CEL has and the library lacks. */
export interface Operator {
  readonly signature: string;
  // The library calls it with values of the types that the signature names.
  readonly call: (left: never, right: never) => boolean;
}

export const OPERATORS: readonly Operator[] = [
  { signature: 'optional == optional', call: sameOptional },
  { signature: 'bytes < bytes', call: (left: Uint8Array, right: Uint8Array) => Buffer.compare(left, right) < 0 },
  { signature: 'bytes <= bytes', call: (left: Uint8Array, right: Uint8Array) => Buffer.compare(left, right) <= 0 },
  { signature: 'bytes > bytes', call: (left: Uint8Array, right: Uint8Array) => Buffer.compare(left, right) > 0 },
  { signature: 'bytes >= bytes', call: (left: Uint8Array, right: Uint8Array) => Buffer.compare(left, right) >= 0 },
];

export function sameOptional(left: Optional, right: Optional): boolean {
  if (!left.hasValue() || !right.hasValue()) return left.hasValue() === right.hasValue();
  return sameValue(left.value(), right.value());
}
