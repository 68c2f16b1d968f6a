import type { UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { failure } from '../budget/budget.js';
import { type CelFunction, celNamespace } from '../function.js';
import { isUnsigned, libraryClasses } from '../library.js';
import { compareValues } from './order.js';

export const mathNamespace = celNamespace('math');

const MAX_ARGUMENTS = 8;

/** The CEL math extensions. Numbers of a document are doubles; where a whole number is needed, a whole double will do. */
export const math: readonly CelFunction[] = [
  ...extremes(
    'greatest',
    1,
    'The largest of the numbers, or of a list of numbers.',
    'math.greatest(1, 2.5) == 2.5 && math.greatest([3, 1]) == 3',
  ),
  ...extremes('least', -1, 'The smallest of the numbers, or of a list of numbers.', 'math.least(1, 2.5) == 1 && math.least([3, 1]) == 1'),
  double('ceil', 'The number rounded up.', 'math.ceil(1.2) == 2.0', Math.ceil),
  double('floor', 'The number rounded down.', 'math.floor(1.8) == 1.0', Math.floor),
  double('round', 'The number rounded to the nearest whole number, halves away from zero.', 'math.round(-1.5) == -2.0', roundAway),
  double('trunc', 'The number without its fraction.', 'math.trunc(-1.8) == -1.0', Math.trunc),
  double('sqrt', 'The square root.', 'math.sqrt(9) == 3.0', Math.sqrt),
  predicate('isNaN', 'Whether the number is NaN.', 'math.isNaN(0.0 / 0.0)', Number.isNaN),
  predicate('isInf', 'Whether the number is infinite.', 'math.isInf(1.0 / 0.0)', (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
  predicate('isFinite', 'Whether the number is finite.', 'math.isFinite(1.5)', Number.isFinite),
  {
    signature: 'bylaw.math.abs(dyn): dyn',
    summary: 'The absolute value.',
    example: 'math.abs(-3) == 3',
    call: (_math: object, value: unknown) => {
      if (typeof value === 'number') return Math.abs(value);
      if (isUnsigned(value)) return value;
      return inRange(absolute(whole(value)));
    },
  },
  {
    signature: 'bylaw.math.sign(dyn): dyn',
    summary: 'The sign of the number: -1, 0 or 1.',
    example: 'math.sign(-3.5) == -1',
    call: (_math: object, value: unknown) => {
      if (typeof value === 'number') return Math.sign(value);
      if (isUnsigned(value)) return new (libraryClasses().UnsignedInt)(value.valueOf() > 0n ? 1n : 0n);
      const number = whole(value);
      return number === 0n ? 0n : number > 0n ? 1n : -1n;
    },
  },
  bits('bitAnd', 'The bits that are set in both numbers.', 'math.bitAnd(6, 3) == 2', (a, b) => a & b),
  bits('bitOr', 'The bits that are set in at least one of the numbers.', 'math.bitOr(6, 3) == 7', (a, b) => a | b),
  bits('bitXor', 'The bits that are set in exactly one of the numbers.', 'math.bitXor(6, 3) == 5', (a, b) => a ^ b),
  bits('bitShiftLeft', 'The first number shifted left by the given number of bits.', 'math.bitShiftLeft(1, 3) == 8', (a, b) =>
    shift(b) > 63 ? 0n : BigInt.asIntN(64, a << b),
  ),
  bits(
    'bitShiftRight',
    'The first number shifted right by the given number of bits, filled with zeros.',
    'math.bitShiftRight(8, 3) == 1',
    (a, b) => (shift(b) > 63 ? 0n : BigInt.asIntN(64, BigInt.asUintN(64, a) >> b)),
  ),
  {
    signature: 'bylaw.math.bitNot(dyn): dyn',
    summary: 'The number with every bit inverted.',
    example: 'math.bitNot(0) == -1',
    call: (_math: object, value: unknown) => (isUnsigned(value) ? unsigned(~value.valueOf()) : ~whole(value)),
  },
];

function extremes(name: string, sign: 1 | -1, summary: string, example: string): CelFunction[] {
  return Array.from({ length: MAX_ARGUMENTS }, (_, count) => ({
    signature: `bylaw.math.${name}(${Array.from({ length: count + 1 }, () => 'dyn').join(', ')}): dyn`,
    summary,
    example,
    call: (_math: object, ...values: unknown[]) => {
      const numbers = values.length === 1 && Array.isArray(values[0]) ? values[0] : values;
      if (numbers.length === 0) throw failure(`math.${name}() of an empty list`);
      if (!numbers.every(isNumber)) throw failure(`math.${name}() needs numbers`);
      return numbers.reduce((best: unknown, number: unknown) => (Math.sign(compareValues(number, best)) === sign ? number : best));
    },
  }));
}

function double(name: string, summary: string, example: string, call: (value: number) => number): CelFunction {
  return {
    signature: `bylaw.math.${name}(dyn): double`,
    summary,
    example,
    call: (_math: object, value: unknown) => call(real(value, name)),
  };
}

function predicate(name: string, summary: string, example: string, call: (value: number) => boolean): CelFunction {
  return { signature: `bylaw.math.${name}(dyn): bool`, summary, example, call: (_math: object, value: unknown) => call(real(value, name)) };
}

function bits(name: string, summary: string, example: string, call: (a: bigint, b: bigint) => bigint): CelFunction {
  return {
    signature: `bylaw.math.${name}(dyn, dyn): dyn`,
    summary,
    example,
    call: (_math: object, a: unknown, b: unknown) => {
      if (isUnsigned(a)) return unsigned(call(a.valueOf(), isUnsigned(b) ? b.valueOf() : whole(b)));
      return call(whole(a), whole(b));
    },
  };
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint' || isUnsigned(value);
}

function real(value: unknown, name: string): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint' || isUnsigned(value)) return Number(value.valueOf());
  throw failure(`math.${name}() needs a number`);
}

const MAX_INT = 2n ** 63n - 1n;

function whole(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  throw failure('bit operations need whole numbers');
}

function inRange(value: bigint): bigint {
  if (value > MAX_INT) throw failure('integer overflow');
  return value;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function shift(count: bigint): number {
  if (count < 0n) throw failure('the shift count must be 0 or more');
  return count > 63n ? 64 : Number(count);
}

function unsigned(value: bigint): UnsignedInt {
  return new (libraryClasses().UnsignedInt)(BigInt.asUintN(64, value));
}

function roundAway(value: number): number {
  return Number.isFinite(value) ? Math.sign(value) * Math.round(Math.abs(value)) : value;
}
