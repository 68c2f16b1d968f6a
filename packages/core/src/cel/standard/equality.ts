import { spendOnIdentity } from '../budget/costs.js';
import type { Comparable } from '../function.js';
import { isDuration, isUnsigned } from '../library.js';
import { entriesOf, isMap } from './values.js';

/** CEL's equality: numbers compare across int, uint and double, lists and maps by their parts, values of two kinds never. */
export function sameValue(a: unknown, b: unknown): boolean {
  return !Number.isNaN(a) && identityOf(a) === identityOf(b);
}

/** A text that is the same for equal values only, so that a list can be searched in linear time. */
export function identityOf(value: unknown): string {
  spendOnIdentity(value);
  switch (typeof value) {
    case 'string':
      return `s${JSON.stringify(value)}`;
    case 'number':
      return `n${Number.isInteger(value) ? BigInt(value) : value}`;
    case 'bigint':
      return `n${value}`;
    case 'object':
      return identityOfObject(value);
    default:
      return `${value}`;
  }
}

function identityOfObject(value: object | null): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map(identityOf).join(',')}]`;
  if (isMap(value)) {
    const entries = entriesOf(value).map(([key, item]) => `${JSON.stringify(key)}:${identityOf(item)}`);
    return `{${entries.sort().join(',')}}`;
  }
  if (isUnsigned(value)) return `n${value.valueOf()}`;
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('hex')}`;
  if (value instanceof Date) return `t${value.getTime()}`;
  if (isDuration(value)) return `d${value.seconds}.${value.nanos}`;
  return `${value.constructor.name}(${isComparable(value) ? value.identity : String(value)})`;
}

function isComparable(value: object): value is Comparable {
  return 'identity' in value && typeof value.identity === 'string';
}
