import { isObject } from '../resource/index.js';
import type { JsonObject, JsonValue } from '../resource/text/json.js';

/** The way from the root of a document to a node: keys of mappings, indexes of lists. */
export type Path = readonly string[];

/** One difference between two values, as small as it can be told. */
export type Change =
  /** A new member of a mapping that is there, or another value in the place of a scalar. */
  | { readonly type: 'set'; readonly path: Path; readonly value: JsonValue }
  /** A member less. */
  | { readonly type: 'remove'; readonly path: Path }
  /** New items at the end of a list that is there. */
  | { readonly type: 'append'; readonly path: Path; readonly values: readonly JsonValue[] };

/** The changes that make one value of another, in the order of their members. `path` leads to the values. */
export function changesBetween(before: JsonValue, after: JsonValue, path: Path = []): Change[] {
  if (before === after) return [];
  if (isObject(before) && isObject(after)) return memberChanges(before, after, path);
  if (Array.isArray(before) && Array.isArray(after) && before.length <= after.length) return itemChanges(before, after, path);
  return [{ type: 'set', path, value: after }];
}

/** Whether a path leads to the node of another path, or to something in it. */
export function isWithin(path: Path, outer: Path): boolean {
  return outer.length <= path.length && outer.every((token, index) => token === path[index]);
}

function memberChanges(before: JsonObject, after: JsonObject, path: Path): Change[] {
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  return [
    ...removed.map((key): Change => ({ type: 'remove', path: [...path, key] })),
    ...Object.entries(after).flatMap(([key, value]): Change[] => {
      const at = [...path, key];
      const old = Object.hasOwn(before, key) ? before[key] : undefined;
      return old === undefined ? [{ type: 'set', path: at, value }] : changesBetween(old, value, at);
    }),
  ];
}

function itemChanges(before: readonly JsonValue[], after: readonly JsonValue[], path: Path): Change[] {
  const changed = before.flatMap((item, index) => changesBetween(item, after[index] ?? null, [...path, String(index)]));
  const values = after.slice(before.length);
  return values.length === 0 ? changed : [...changed, { type: 'append', path, values }];
}

/** Why a change is not made. The message completes a sentence about a finding that stays: a clause without a full stop. */
export class Refusal extends Error {}
