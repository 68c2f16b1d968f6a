import { failure, spend } from '../budget/budget.js';
import { spendOnText } from '../budget/costs.js';
import { isDuration, isUnsigned, libraryClasses } from '../library.js';

/**
 * CEL's order: numbers across int, uint and double; texts by code points; false before true; times and durations.
 * @throws when the values are not of one kind that has an order.
 */
export function compareValues(a: unknown, b: unknown): number {
  spend(PER_COMPARISON);
  const [left, right] = [orderable(a), orderable(b)];
  if (left.kind !== right.kind) throw failure(`cannot compare ${left.kind} with ${right.kind}`);
  if (typeof left.value === 'string' && typeof right.value === 'string') return compareText(left.value, right.value);
  return left.value < right.value ? -1 : left.value > right.value ? 1 : 0;
}

const PER_COMPARISON = 20;

/** The sum of numbers of one kind, or of durations. */
export function sumOf(list: readonly unknown[]): unknown {
  spend(2 * list.length);
  const [first, ...rest] = list;
  if (first === undefined) return 0n;
  return rest.reduce(add, add(first, undefined));
}

type Orderable = { kind: string; value: string | number | bigint };

function orderable(value: unknown): Orderable {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return { kind: 'number', value };
    case 'string':
      return { kind: 'string', value };
    case 'boolean':
      return { kind: 'bool', value: Number(value) };
    default:
  }
  if (isUnsigned(value)) return { kind: 'number', value: value.valueOf() };
  if (value instanceof Date) return { kind: 'timestamp', value: value.getTime() };
  if (isDuration(value)) return { kind: 'duration', value: value.seconds * 1_000_000_000n + BigInt(value.nanos) };
  if (value instanceof Uint8Array) return { kind: 'bytes', value: Buffer.from(value).toString('hex') };
  throw failure('only numbers, strings, bools, bytes, timestamps and durations can be ordered');
}

/** JavaScript orders by UTF-16 units, which differs above U+FFFF. */
function compareText(a: string, b: string): number {
  spendOnText(a);
  spendOnText(b);
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}

const MAX_INT = 2n ** 63n - 1n;

function add(a: unknown, b: unknown): unknown {
  if (typeof a === 'bigint' && (b === undefined || typeof b === 'bigint')) return checked(a + (b ?? 0n));
  if (typeof a === 'number' && (b === undefined || typeof b === 'number')) return a + (b ?? 0);
  if (isUnsigned(a) && (b === undefined || isUnsigned(b))) return new (libraryClasses().UnsignedInt)(a.valueOf() + (b?.valueOf() ?? 0n));
  if (isDuration(a) && (b === undefined || isDuration(b))) return b === undefined ? a : a.addDuration(b);
  throw failure('sum() needs numbers of one kind, or durations');
}

function checked(value: bigint): bigint {
  if (value > MAX_INT || value < -MAX_INT - 1n) throw failure('integer overflow');
  return value;
}
