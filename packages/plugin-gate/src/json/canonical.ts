import type { Json } from './json.js';

/**
 * The canonical text of a value: RFC 8785 (JCS). Members are sorted by the UTF-16 code units of their names, numbers and
 * strings are written as ECMAScript writes them, and nothing else is added.
 * @throws {RangeError} on a number that is not finite and on a text with a lone surrogate, which I-JSON does not have
 */
export function canonical(value: Json): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return numeral(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  // `Array.isArray` does not narrow a readonly list away.
  const object = value as { readonly [name: string]: Json };
  const members = Object.keys(object)
    .sort()
    .map((name) => `${quoted(name)}:${canonical(object[name] ?? null)}`);
  return `{${members.join(',')}}`;
}

/** Node's default sort compares UTF-16 code units, and its JSON writes strings as RFC 8785 asks. */
function quoted(text: string): string {
  if (!text.isWellFormed()) throw new RangeError('A text with a lone surrogate has no canonical form.');
  return JSON.stringify(text);
}

function numeral(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('A number that is not finite has no canonical form.');
  return JSON.stringify(value);
}
