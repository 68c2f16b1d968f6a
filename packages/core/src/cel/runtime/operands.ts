import type { ASTNode } from '@marcbachmann/cel-js';
import { UnknownError } from '../../undecided.js';
import { fault, MAX_STEPS, StepBudget } from '../budget/budget.js';
import { spendOnEquality, spendOnError, spendOnLookUp, spendOnNewList, spendOnNewText } from '../budget/costs.js';
import { entriesOf, isMap, member } from '../standard/values.js';

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

export function bothNumbers(left: unknown, right: unknown): boolean {
  return isNumber(left) && isNumber(right);
}

/** Two texts or lists joined; undefined for any other values. */
export function joined(left: unknown, right: unknown): unknown {
  if (typeof left === 'string' && typeof right === 'string') return joinedTexts(left, right);
  if (!Array.isArray(left) || !Array.isArray(right)) return undefined;
  spendOnNewList(left.length + right.length);
  return [...left, ...right];
}

export function joinedTexts(left: string, right: string): string {
  spendOnNewText(left.length + right.length);
  return left + right;
}

/** Runs an expression whose caller gave it no budget. */
export function withOwnBudget<Input, Output>(run: (input: Input) => Output, input: Input): Output {
  return new StepBudget(MAX_STEPS).run(() => run(input));
}

/** The first of the unknowns that are set aside. @throws what is not an unknown, and when the budget does not allow for another one */
export function setUnknownAside(thrown: unknown, first: unknown): unknown {
  if (!(thrown instanceof UnknownError)) throw thrown;
  spendOnError();
  return first ?? thrown;
}
