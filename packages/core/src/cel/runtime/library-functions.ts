import { isOptional, Optional } from '../optional.js';
import { giveUp } from './give-up.js';

type Call = (...args: never[]) => unknown;

/**
 * Functions of the library that rules call often, by the signatures that it gives them, each for values of just these types. They give up where
 * the library's function fails. A test compares both on arbitrary values.
 */
export const LIBRARY_FUNCTIONS: { readonly [signature: string]: Call | undefined } = {
  'string.startsWith(string): bool': (text: string, part: string) => text.startsWith(part),
  'string.endsWith(string): bool': (text: string, part: string) => text.endsWith(part),
  'string.contains(string): bool': (text: string, part: string) => text.includes(part),
  'list<string>.join(): string': (list: readonly unknown[]) => join(list, ''),
  'list<string>.join(string): string': join,
  'size(string): int': sizeOfText,
  'size(list<dyn>): int': sizeOfList,
  'size(map<dyn, dyn>): int': sizeOfMap,
  'string.size(): int': sizeOfText,
  'list<dyn>.size(): int': sizeOfList,
  'map<dyn, dyn>.size(): int': sizeOfMap,
  'double(double): double': (value: number) => value,
  'double(int): double': (value: bigint) => Number(value),
  'string(string): string': (value: string) => value,
  'string(bool): string': (value: boolean) => String(value),
  'string(int): string': (value: bigint) => String(value),
  'string(double): string': (value: number) => (Number.isFinite(value) ? String(value) : giveUp()),
  'bool(bool): bool': (value: boolean) => value,
  'dyn(dyn): dyn': (value: unknown) => value,
  'OptionalNamespace.of(A): optional<A>': (_optional: unknown, value: unknown) => (value === undefined ? giveUp() : Optional.of(value)),
  'optional<dyn>.hasValue(): bool': (optional: unknown) => (isOptional(optional) ? optional.hasValue() : giveUp()),
  'optional<A>.value(): A': (optional: unknown) => (isOptional(optional) && optional.hasValue() ? optional.value() : giveUp()),
};

function join(list: readonly unknown[], separator: string): string {
  return list.every((item) => typeof item === 'string') ? list.join(separator) : giveUp();
}

/** In code points. */
function sizeOfText(text: string): bigint {
  let size = 0;
  for (const _character of text) size += 1;
  return BigInt(size);
}

function sizeOfList(list: readonly unknown[]): bigint {
  return BigInt(list.length);
}

function sizeOfMap(map: object): bigint {
  return BigInt(map instanceof Map ? map.size : Object.keys(map).length);
}
