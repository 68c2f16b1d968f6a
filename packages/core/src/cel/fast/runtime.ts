import type { ASTNode } from '@marcbachmann/cel-js';
import { spendOnEquality, spendOnLookUp } from '../budget/costs.js';
import { entriesOf, isMap, member } from '../standard/values.js';
import { fault } from './library.js';
import { quoted } from './writer.js';

/** Equality of scalars; undefined where one of them is not a scalar. */
export function equalScalars(left: unknown, right: unknown): boolean | undefined {
  if (typeof left === 'string' && typeof right === 'string') return equalTexts(left, right);
  if (left === null || right === null) return left === right;
  const kind = typeof left;
  const other = typeof right;
  if (kind === 'object' || other === 'object') return undefined;
  if (kind === other) return left === right;
  // An int and a double are equal when they are the same number, which is what == says.
  // biome-ignore lint/suspicious/noDoubleEquals: see above
  return isNumber(left) && isNumber(right) && left == right;
}

export function equalTexts(left: string, right: string): boolean {
  spendOnEquality(left, right);
  return left === right;
}

export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Whether a list or map contains a text; undefined for what is neither, or for what is not a text. */
export function contains(left: unknown, right: unknown): boolean | undefined {
  if (typeof left !== 'string') return undefined;
  if (Array.isArray(right)) {
    spendOnLookUp(right);
    return right.includes(left);
  }
  if (!isMap(right)) return undefined;
  return right instanceof Map ? right.has(left) : Object.hasOwn(right, left);
}

/** An item of a list, or what a map holds under the number. */
export function itemAt(list: unknown, index: number): unknown {
  return Array.isArray(list) ? list[index] : member(list, String(index));
}

/** What a loop runs over: the items of a list, the keys of a map. */
export function itemsOf(range: unknown, node: ASTNode): readonly unknown[] {
  if (Array.isArray(range)) return range;
  if (isMap(range)) return entriesOf(range).map(([key]) => key);
  throw fault('only a list or a map has elements', node);
}

/** @throws for what is neither true nor false */
export function truth(value: unknown, message: string, node: ASTNode): boolean {
  if (typeof value === 'boolean') return value;
  throw fault(message, node);
}

/** The map of a literal: as the library makes it, without the keys that could confuse it. */
export function mapOfLiteral(entries: readonly (readonly [unknown, unknown])[]): { [key: string]: unknown } {
  const made: { [key: string]: unknown } = {};
  for (const [key, value] of entries) {
    const name = String(key);
    if (name !== '__proto__' && name !== 'constructor' && name !== 'prototype') made[name] = value;
  }
  return made;
}

type Getter = (value: unknown) => unknown;

/** `member` for one key, of all expressions. Code of its own for each key lets the engine remember where such a key stands. */
const getters = new Map<string, Getter>();
const MAX_GETTERS = 5_000;

export function getterOf(key: string): Getter {
  const known = getters.get(key);
  if (known !== undefined) return known;
  if (getters.size >= MAX_GETTERS) return (value) => member(value, key);
  const getter = makeGetter(key);
  getters.set(key, getter);
  return getter;
}

function makeGetter(key: string): Getter {
  // What every object inherits could be taken for a member.
  if (key in Object.prototype) return (value) => member(value, key);
  const source = `return (function (value) {
    if (typeof value !== "object" || value === null) return undefined;
    const found = value[${quoted(key)}];
    if (found === undefined) return value instanceof Map ? value.get(${quoted(key)}) : undefined;
    return value.constructor === Object ? found : member(value, ${quoted(key)});
  });`;
  return new Function('member', source)(member);
}
