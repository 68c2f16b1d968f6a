import { isOptional } from '../optional.js';
import { sameOptional } from '../standard/operators.js';
import { member, optionalOf, present } from '../standard/values.js';
import { giveUp } from './give-up.js';
import { isNumber } from './operands.js';
import { isMapValue } from './types.js';

type StandIn = (...operands: never[]) => unknown;

/**
 * What the library's handlers of operators do, for the usual values. They give up on all others, among them all for which a handler fails. A test
 * compares both on arbitrary values.
 */
export const STAND_INS: { readonly [operator: string]: StandIn | undefined } = {
  '==': equal,
  '!=': (left: unknown, right: unknown) => !equal(left, right),
  '<': comparison((left, right) => left < right),
  '<=': comparison((left, right) => left <= right),
  '>': comparison((left, right) => left > right),
  '>=': comparison((left, right) => left >= right),
  '+': calculation(
    (left, right) => left + right,
    (left, right) => left + right,
  ),
  '-': calculation(
    (left, right) => left - right,
    (left, right) => left - right,
  ),
  '*': calculation(
    (left, right) => left * right,
    (left, right) => left * right,
  ),
  '/': calculation(
    (left, right) => (right === 0n ? giveUp() : left / right),
    (left, right) => left / right,
  ),
  '%': calculation(
    (left, right) => (right === 0n ? giveUp() : left % right),
    () => giveUp(),
  ),
  '-_': (value: unknown) => (typeof value === 'bigint' || typeof value === 'number' ? -value : giveUp()),
  '[]': item,
  '[?]': optionalItem,
  in: isItem,
};

const [MIN_INT, MAX_INT] = [-(2n ** 63n), 2n ** 63n - 1n];

function calculation(ints: (left: bigint, right: bigint) => bigint, doubles: (left: number, right: number) => number): StandIn {
  return (left: unknown, right: unknown) => {
    if (typeof left === 'number' && typeof right === 'number') return doubles(left, right);
    if (typeof left !== 'bigint' || typeof right !== 'bigint') return giveUp();
    const result = ints(left, right);
    return result <= MAX_INT && result >= MIN_INT ? result : giveUp();
  };
}

function comparison(texts: (left: string, right: string) => boolean): StandIn {
  return (left: unknown, right: unknown) => (typeof left === 'string' && typeof right === 'string' ? texts(left, right) : giveUp());
}

/** An item of a list, or what a map holds under a text. */
function item(from: unknown, key: unknown): unknown {
  const found =
    Array.isArray(from) && typeof key === 'bigint'
      ? from[Number(key)]
      : typeof key === 'string' && isMapValue(from)
        ? from instanceof Map
          ? from.get(key)
          : Object.hasOwn(from, key)
            ? from[key as keyof typeof from]
            : undefined
        : undefined;
  return found === undefined ? giveUp() : found;
}

/** The same as an optional, which is absent where nothing is selected; `from` may be an optional, too. */
function optionalItem(from: unknown, key: unknown): unknown {
  const inner = present(from);
  const kind = inner === undefined ? 'scalar' : kindOf(inner);
  if (typeof key !== 'string' && typeof key !== 'bigint') return giveUp();
  if (kind === 'list') return optionalOf(typeof key === 'bigint' ? (inner as unknown[])[Number(key)] : undefined); // see `kindOf`
  if (kind === 'scalar') return optionalOf(undefined);
  return typeof key === 'string' ? optionalOf(member(inner, key)) : giveUp();
}

function isItem(value: unknown, list: unknown): boolean {
  return Array.isArray(list) ? list.some((one) => equalParts(value, one)) : giveUp();
}

/** Equality of values of which one is a list, a map or an optional. */
function equal(left: unknown, right: unknown): boolean {
  if (isOptional(left) && isOptional(right)) return sameOptional(left, right);
  const [kind, other] = [kindOf(left), kindOf(right)];
  if (left === right) return true;
  if (kind === 'list' && other === 'list') return equalLists(left as unknown[], right as unknown[]); // see `kindOf`
  if (kind === 'map' && other === 'map') return equalMaps(left as MapValue, right as MapValue); // see `kindOf`
  return false;
}

type MapValue = { readonly [key: string]: unknown } | ReadonlyMap<unknown, unknown>;

function kindOf(value: unknown): 'scalar' | 'list' | 'map' {
  if (typeof value !== 'object' || value === null) return typeof value === 'undefined' ? giveUp() : 'scalar';
  if (value.constructor === Array) return 'list';
  return isMapValue(value) ? 'map' : giveUp();
}

function equalLists(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((one, index) => equalParts(one, right[index]));
}

function equalMaps(left: MapValue, right: MapValue): boolean {
  const [entries, others] = [mapEntries(left), new Map(mapEntries(right))];
  return entries.length === others.size && entries.every(([key, value]) => others.has(key) && equalParts(value, others.get(key)));
}

function mapEntries(map: MapValue): [unknown, unknown][] {
  return map instanceof Map ? [...map] : Object.entries(map);
}

/** Equality of items and members. */
function equalParts(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left === 'object') return typeof right === 'object' && equal(left, right);
  if (left === undefined) return giveUp();
  // An int and a double are equal when they are the same number, which is what == says.
  // biome-ignore lint/suspicious/noDoubleEquals: see above
  return isNumber(left) && isNumber(right) && left == right;
}
