import type { ASTNode } from '@marcbachmann/cel-js';
import { operands } from '../syntax.js';
import { spend } from './budget.js';

/**
 * What work costs, in steps of about ten nanoseconds (see budget.ts). `npm run bench:steps` measures it. Where the time depends on the input,
 * the cost is that of the worst one.
 */

/** Texts as short as this cost no more than the call that is given them. */
export const SHORT = 32;

/** An error is made, and set aside because something else may decide. */
export function spendOnError(): void {
  spend(800);
}

/** A text is read. */
export function spendOnText(text: string): void {
  if (text.length > SHORT) spend(text.length / 4);
}

/** Two texts are compared. */
export function spendOnEquality(left: string, right: string): void {
  if (left.length === right.length && left.length > SHORT) spend(left.length / 32);
}

/** A text is searched for another one: in the worst case each character is compared with each. */
export function spendOnSearch(text: string, part: string): void {
  if (text.length > SHORT) spend(text.length * (1 / 4 + part.length / 32));
}

/** A text becomes characters, or parts. */
export function spendOnParts(text: string): void {
  spend(text.length * 3);
}

/** A text of so many characters is made. */
export function spendOnNewText(length: number): void {
  spend(length);
}

/** A text of so many characters is read as JSON or YAML: it may be nothing but brackets. */
export function spendOnReading(length: number): void {
  spend(length * 20);
}

/** Each of so many items is looked at. */
export function spendOnItems(count: number): void {
  spend(count);
}

/** Several members of each of so many items are looked at. */
export function spendOnMembers(count: number): void {
  spend(count * 20);
}

/** A list of so many items is made of what is there. */
export function spendOnNewList(count: number): void {
  spend(count * 8);
}

/** Each of so many entries of a map is looked at. */
export function spendOnEntries(count: number): void {
  spend(count * 20);
}

/** So many objects are made. */
export function spendOnObjects(count: number): void {
  spend(count * 50);
}

/** The identity of a value is made, see `identityOf`; that of each part is paid for by itself. */
export function spendOnIdentity(value: unknown): void {
  spend(50);
  if (typeof value === 'string') spendOnParts(value);
}

/**
 * Two values are compared as the library does it: as far as they are alike.
 * @returns false where they differ for certain
 */
export function spendOnComparison(left: unknown, right: unknown): boolean {
  spend(3);
  if (left === right) return true;
  if (typeof left === 'string' && typeof right === 'string') spendOnEquality(left, right);
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return typeof left !== 'string' && typeof right !== 'string';
  if (Array.isArray(left))
    return Array.isArray(right) && left.length === right.length && left.every((item, index) => spendOnComparison(item, right[index]));
  const [members, others] = [membersOf(left), membersOf(right)];
  if (members === undefined || others === undefined) return true;
  spendOnEntries(members.size + others.size);
  return members.size === others.size && [...members].every(([key, value]) => others.has(key) && spendOnComparison(value, others.get(key)));
}

/** Every item of a list is compared with a value, until one is equal. */
export function spendOnMembership(value: unknown, list: unknown): void {
  if (Array.isArray(list)) list.some((item) => spendOnComparison(value, item));
}

function membersOf(value: object): ReadonlyMap<unknown, unknown> | undefined {
  if (value instanceof Map) return value;
  return value.constructor === Object ? new Map(Object.entries(value)) : undefined;
}

/** A value is walked through as a whole. */
export function spendOnWhole(value: unknown): void {
  spend(5);
  if (typeof value === 'string') spendOnText(value);
  else if (Array.isArray(value)) value.forEach(spendOnWhole);
  else if (value instanceof Map) value.forEach(spendOnWhole);
  else if (typeof value === 'object' && value !== null && value.constructor === Object) Object.values(value).forEach(spendOnWhole);
}

/** A list is searched for a text. */
export function spendOnLookUp(list: readonly unknown[]): void {
  spend(list.length / 4);
}

/** Selectors and labels of so many resources are compared. */
export function spendOnSearchedSet(resources: number): void {
  spend(20 * resources);
}

/** What a call costs beside `costOf`, by the values that it is given: the receiver first. */
export type CallCost = (...values: readonly unknown[]) => void;

/** Methods and functions that do not simply read each text that they are given. What they do with lists and maps, they count themselves. */
const CALLS: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ...['text', 'list', 'map', 'number', 'dyn', 'value', 'hasValue', 'or', 'orValue'].map((name) => [name, free] as const),
  ...['startsWith', 'endsWith'].map(
    (name) => [name, (_text: unknown, part: unknown) => typeof part === 'string' && spendOnText(part)] as const,
  ),
  ['contains', (text, part) => typeof text === 'string' && typeof part === 'string' && spendOnSearch(text, part)],
  ['join', spendOnJoin],
  ...['string', 'bytes', 'hex', 'base64', 'encode', 'decode'].map((name) => [name, spendOnCopies] as const),
  ['json', (bytes) => bytes instanceof Uint8Array && spendOnReading(bytes.length)],
  ['size', spendOnSize],
  // The library takes time by the third power of a text that is not one.
  ['duration', (text) => typeof text === 'string' && spend(text.length ** 3)],
  // With the name of a time zone, which is looked up each time.
  ...['Date', 'DayOfMonth', 'DayOfWeek', 'DayOfYear', 'FullYear', 'Hours', 'Minutes', 'Month', 'Seconds', 'Milliseconds'].map(
    (part) => [`get${part}`, (_time: unknown, zone: unknown) => zone !== undefined && spend(10_000)] as const,
  ),
]);

/** What calls of this name cost; undefined where that is what `spendOnText` says of each text. */
export function callCost(name: string): CallCost | undefined {
  return CALLS.get(name);
}

/** The cost of calls that take the same time whatever they are given. */
export function free(): void {}

function spendOnCopies(...values: readonly unknown[]): void {
  for (const value of values) if (typeof value === 'string' || value instanceof Uint8Array) spendOnNewText(2 * value.length);
}

function spendOnJoin(list: unknown, separator: unknown): void {
  if (!Array.isArray(list)) return;
  const between = typeof separator === 'string' ? separator.length : 0;
  for (const item of list) spend(2 + between + (typeof item === 'string' ? item.length : 0));
}

function spendOnSize(value: unknown): void {
  if (typeof value === 'string') spend(value.length);
  else if (typeof value === 'object' && value !== null && value.constructor === Object) spendOnEntries(Object.keys(value).length);
}

/** Calls that take no longer than an operator. */
const QUICK: ReadonlySet<string> = new Set(
  'text list map number dyn has size value hasValue or orValue contains startsWith endsWith bool bind all exists filter'.split(' '),
);

/** Calls that look at even a short text in many ways. */
const SLOW: ReadonlySet<string> = new Set(
  'isSecretName isSecretEntry isNoSecret hasConnectionPassword secretFlags secretSettings'.split(' '),
);

/** Steps of evaluating an expression once, without what `callCost` adds and without the further runs of its loops. */
export function costOf(node: ASTNode): number {
  return operands(node).reduce((sum, operand) => sum + costOf(operand), ownCost(node));
}

function ownCost(node: ASTNode): number {
  switch (node.op) {
    case 'value':
      return 0;
    case 'call':
    case 'rcall':
      return QUICK.has(node.args[0]) ? 3 : SLOW.has(node.args[0]) ? 100 : 30;
    case 'list':
      return 20 + 4 * node.args.length;
    case 'map':
      return 30 + 10 * node.args.length;
    case '-':
    case '*':
    case '/':
    case '%':
    case '-_':
      return 8;
    case '+':
      return 5;
    default:
      return 2;
  }
}
