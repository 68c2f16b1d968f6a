import type { JsonValue } from './json.js';

/** JSON Pointers (RFC 6901): `''` is the whole value, `/spec/containers/0` an item; `~0` stands for `~` and `~1` for `/`. */

/** One reference token in the form it has inside a pointer. */
export function escapeToken(token: string): string {
  return token.includes('~') || token.includes('/') ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;
}

export function unescapeToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
}

/** The tokens of a pointer. A pointer that does not start with `/` is read as if it did, so that this never throws. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  return (pointer.startsWith('/') ? pointer.slice(1) : pointer).split('/').map(unescapeToken);
}

/** The pointer made of these tokens. */
export function formatPointer(tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${escapeToken(String(token))}`).join('');
}

/** `base` followed by further tokens, each escaped: `joinPointer('/spec', 'a/b', 0)` is `/spec/a~1b/0`. */
export function joinPointer(base: string, ...tokens: (string | number)[]): string {
  return base + formatPointer(tokens);
}

/** The value at a pointer, or undefined where there is none. Reads own members only. */
export function getPointer(value: JsonValue | undefined, pointer: string): JsonValue | undefined {
  let current = value;
  for (const token of parsePointer(pointer)) {
    current = childOf(current, token);
    if (current === undefined) return undefined;
  }
  return current;
}

function childOf(value: JsonValue | undefined, token: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, token) ? value[token] : undefined;
}

/** What is left of `pointer` below `base`; undefined when it is not at or below it. */
export function pointerBelow(base: string, pointer: string): string | undefined {
  if (pointer === base) return '';
  return pointer.startsWith(`${base}/`) ? pointer.slice(base.length) : undefined;
}
