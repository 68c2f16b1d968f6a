import type { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { failure } from '../budget/budget.js';
import { type CelFunction, celNamespace } from '../function.js';
import { isUnsigned, libraryClasses } from '../library.js';
import { Optional } from '../optional.js';
import { isMap } from '../standard/values.js';

export const base64Namespace = celNamespace('base64');

/** Standard conversions and small extensions that the library lacks or gets wrong. */
export const conversions: readonly CelFunction[] = [
  {
    signature: 'int(dyn): int',
    summary: 'A number without its fraction, or the integer that a string or timestamp represents; an error for any other value.',
    example: 'int(2.9) == 2 && int("-7") == -7 && int(3u) == 3',
    replaces: true,
    call: (value: unknown) => toInt(value),
  },
  {
    signature: 'uint(dyn): uint',
    summary: 'The same as an unsigned integer.',
    example: 'uint(2.9) == 2u && uint("7") == 7u',
    replaces: true,
    call: (value: unknown) => toUint(value),
  },
  {
    signature: 'string(google.protobuf.Timestamp): string',
    summary: 'The timestamp in RFC 3339 format.',
    example: 'string(timestamp("2009-02-13T23:31:30Z")) == "2009-02-13T23:31:30Z"',
    call: (time: Date) => time.toISOString().replace(/\.?0*Z$/, 'Z'),
  },
  {
    signature: 'string(google.protobuf.Duration): string',
    summary: 'The duration in seconds.',
    example: 'string(duration("1h")) == "3600s"',
    call: (duration: Duration) => String(duration),
  },
  {
    signature: 'OptionalNamespace.ofNonZeroValue(dyn): optional<dyn>',
    summary: 'An optional with the value; absent for null, false, zero and empty values.',
    example: 'optional.ofNonZeroValue("a").hasValue() && !optional.ofNonZeroValue("").hasValue()',
    call: (_optional: object, value: unknown) => Optional.of(isZero(value) ? undefined : value),
  },
  {
    signature: 'bylaw.base64.encode(bytes): string',
    summary: 'Bytes in base64.',
    example: 'base64.encode(b"hello") == "aGVsbG8="',
    call: (_base64: object, bytes: Uint8Array) => Buffer.from(bytes).toString('base64'),
  },
  {
    signature: 'bylaw.base64.decode(string): bytes',
    summary: 'The bytes of a base64 string, with or without padding; an error if the string is not valid (see base64Decode).',
    example: 'base64.decode("aGVsbG8") == b"hello"',
    call: (_base64: object, text: string) => {
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.replace(/=+$/, '').length % 4 === 1) throw failure('not valid base64');
      return new Uint8Array(Buffer.from(text, 'base64'));
    },
  },
];

const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;

function toInt(value: unknown): bigint {
  const number = wholeNumber(value, 'int');
  // 2^63 itself is the double nearest to the largest int, so a double must stay below it.
  const bound = typeof value === 'number' ? Math.abs(value) < 2 ** 63 : number <= MAX_INT && number >= -MAX_INT - 1n;
  if (!bound) throw failure('int() out of range');
  return number;
}

function toUint(value: unknown): UnsignedInt {
  const number = wholeNumber(value, 'uint');
  if (number < 0n || number > MAX_UINT) throw failure('uint() out of range');
  return new (libraryClasses().UnsignedInt)(number);
}

function wholeNumber(value: unknown, name: string): bigint {
  if (typeof value === 'bigint') return value;
  if (isUnsigned(value)) return value.valueOf();
  if (value instanceof Date) return BigInt(Math.floor(value.getTime() / 1000));
  if (typeof value === 'number' && Number.isFinite(value)) return BigInt(Math.trunc(value));
  if (typeof value === 'string' && /^[-+]?\d{1,20}$/.test(value)) return BigInt(value.replace(/^\+/, ''));
  throw failure(`${name}() cannot convert the value`);
}

function isZero(value: unknown): boolean {
  if (isUnsigned(value)) return value.valueOf() === 0n;
  if (value instanceof Uint8Array || Array.isArray(value)) return value.length === 0;
  if (isMap(value)) return (value instanceof Map ? value.size : Object.keys(value).length) === 0;
  return value === null || value === false || value === '' || value === 0 || value === 0n;
}
