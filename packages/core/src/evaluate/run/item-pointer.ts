import { originOf } from '../../cel/index.js';
import { escapeToken, knownPartOf } from '../../resource/index.js';
import type { JsonValue } from '../../resource/text/json.js';

/**
 * Finds where the items of a CEL list are in the value they were taken from, by identity. An object that occurs in several
 * places (a YAML alias) gets its places in turn. An item that `entries` or `leaves` made has the place of what it was made from. An item
 * that the expression itself made does not have a place (undefined).
 */
export function itemPointers(root: unknown, base: string, list: readonly unknown[]): (string | undefined)[] {
  const items = knownPartOf(list);
  const wanted = new Map<object, string[]>();
  for (const item of items) {
    if (item === null || typeof item !== 'object') continue;
    wanted.set(item, []);
    const origin = originOf(item);
    if (origin) wanted.set(origin.parent, []);
  }
  if (wanted.size > 0) search(root as JsonValue, base, wanted, 0); // the root is a part of a resource, hence JSON
  return items.map((item) => (item !== null && typeof item === 'object' ? pointerOf(item, wanted) : undefined));
}

function pointerOf(item: object, wanted: Map<object, string[]>): string | undefined {
  const origin = originOf(item);
  if (!origin) return wanted.get(item)?.shift();
  const parent = wanted.get(origin.parent)?.[0];
  return parent === undefined ? undefined : parent + origin.path;
}

/** Deeper than any document the readers let through. */
const MAX_DEPTH = 200;

function search(value: JsonValue, pointer: string, wanted: Map<object, string[]>, depth: number): void {
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return;
  wanted.get(value)?.push(pointer);
  const known = knownPartOf(value);
  if (known instanceof Map) {
    for (const [key, member] of known as Map<string, JsonValue>) search(member, `${pointer}/${escapeToken(key)}`, wanted, depth + 1);
    return;
  }
  for (const key of Object.keys(known)) {
    const member = (known as { [key: string]: JsonValue })[key]; // arrays are indexed by their keys, too
    if (member !== undefined) search(member, `${pointer}/${escapeToken(key)}`, wanted, depth + 1);
  }
}
