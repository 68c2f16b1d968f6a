import { isDeepStrictEqual } from 'node:util';
import { formatPointer, isObject, parsePointer } from '../resource/index.js';
import type { JsonObject, JsonValue } from '../resource/text/json.js';
import type { RuleEdit } from '../rule/index.js';
import { Refusal } from './change.js';

/**
 * The object with the changes of an edit; the object given stays as it is.
 * @param base where the pointers of the edit start
 * @throws {Refusal} where the object has something else in a place than the edit expects
 */
export function applyEdit(object: JsonObject, base: string, edit: RuleEdit): JsonObject {
  const at = (pointer: string) => parsePointer(base + pointer);
  let root: JsonValue = object;
  for (const [pointer, value] of Object.entries(edit.set ?? {}))
    root = changed(root, at(pointer), 0, (old, path) => merged(old, value, path));
  for (const [pointer, values] of Object.entries(edit.add ?? {}))
    root = changed(root, at(pointer), 0, (old, path) => united(old, values, path));
  for (const pointer of edit.remove ?? []) root = without(root, at(pointer), 0);
  return isObject(root) ? root : refuse([]);
}

type Make = (old: JsonValue | undefined, path: readonly string[]) => JsonValue;

/** A copy of the value with another one at the end of the path. Missing mappings are made. */
function changed(value: JsonValue | undefined, path: readonly string[], depth: number, make: Make): JsonValue {
  const token = path[depth];
  if (token === undefined) return make(value, path);
  if (Array.isArray(value)) {
    const index = indexOf(value, token, path.slice(0, depth + 1));
    return value.with(index, changed(value[index], path, depth + 1, make));
  }
  if (value !== undefined && !isObject(value)) refuse(path.slice(0, depth));
  const old = value !== undefined && Object.hasOwn(value, token) ? value[token] : undefined;
  return withMember(value ?? {}, token, changed(old, path, depth + 1, make));
}

/** Mappings are merged, scalars take the place of scalars. */
function merged(old: JsonValue | undefined, value: JsonValue, path: readonly string[]): JsonValue {
  if (old === undefined || isDeepStrictEqual(old, value)) return value;
  if (isObject(old) && isObject(value)) {
    let result = old;
    for (const [key, member] of Object.entries(value))
      result = withMember(result, key, merged(Object.hasOwn(result, key) ? result[key] : undefined, member, [...path, key]));
    return result;
  }
  return isScalar(old) && isScalar(value) ? value : refuse(path);
}

/** The list with those of the values that it lacks. */
function united(old: JsonValue | undefined, values: readonly JsonValue[], path: readonly string[]): JsonValue {
  if (old === undefined) return [...values];
  if (!Array.isArray(old)) return refuse(path);
  return [...old, ...values.filter((value) => !old.some((item) => isDeepStrictEqual(item, value)))];
}

/** What is not there needs no removal. */
function without(value: JsonValue, path: readonly string[], depth: number): JsonValue {
  const token = path[depth];
  const last = depth === path.length - 1;
  if (token === undefined) return refuse(path);
  if (Array.isArray(value)) {
    const index = indexOf(value, token, path);
    // The items behind it would move to other places, where other findings point to them.
    return last ? refuse(path.slice(0, depth)) : value.with(index, without(value[index] ?? null, path, depth + 1));
  }
  if (!isObject(value) || !Object.hasOwn(value, token)) return value;
  if (!last) return withMember(value, token, without(value[token] ?? null, path, depth + 1));
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== token));
}

/** Also for the name `__proto__`, which an assignment would not make a member. */
function withMember(object: JsonObject, key: string, value: JsonValue): JsonObject {
  if (!Object.hasOwn(object, key)) return Object.fromEntries([...Object.entries(object), [key, value]]);
  return Object.fromEntries(Object.entries(object).map(([name, old]) => [name, name === key ? value : old]));
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null;
}

function indexOf(list: readonly JsonValue[], token: string, path: readonly string[]): number {
  return /^(0|[1-9]\d*)$/.test(token) && Number(token) < list.length ? Number(token) : refuse(path);
}

function refuse(path: readonly string[]): never {
  throw new Refusal(`the value at ${formatPointer(path) || 'the root'} is not what the fix expects`);
}
