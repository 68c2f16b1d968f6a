import { escapeToken, isObject } from '../resource/index.js';
import type { JsonObject, JsonValue } from '../resource/text/json.js';

/** The JSON Pointers at which two values differ: the deepest ones that still tell what changed, in the order of the first value. */
export function differences(before: JsonValue | undefined, after: JsonValue | undefined, pointer = ''): string[] {
  if (isObject(before) && isObject(after)) return differentMembers(before, after, pointer);
  if (Array.isArray(before) && Array.isArray(after)) return differentItems(before, after, pointer);
  return before === after ? [] : [pointer];
}

function differentMembers(before: JsonObject, after: JsonObject, pointer: string): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => differences(own(before, key), own(after, key), `${pointer}/${escapeToken(key)}`));
}

function differentItems(before: JsonValue[], after: JsonValue[], pointer: string): string[] {
  const length = Math.max(before.length, after.length);
  return Array.from({ length }, (_, index) => differences(before[index], after[index], `${pointer}/${index}`)).flat();
}

function own(mapping: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}
