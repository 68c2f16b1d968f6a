import { hash } from 'node:crypto';
import type { Json } from './json.js';

/** A value that was written before: its canonical text, which goes as it is into the text of what the value is part of. */
export class CanonicalText {
  constructor(readonly text: string) {}
}

/** What can be written: JSON, of which parts may be written already. */
export type Writable = Json | CanonicalText | { readonly [name: string]: Writable | undefined };

export interface CanonicalOptions {
  /**
   * What becomes of a number that is not finite and of a lone surrogate, which I-JSON does not have: they are refused, or written as
   * `JSON.stringify` writes them (`null`, and `\\ud800`), so that any input has a digest. Default: `refuse`.
   */
  beyondIJson?: 'refuse' | 'stringify';
}

/**
 * The canonical text of a value: RFC 8785 (JCS). Members are sorted by the UTF-16 code units of their names, numbers and
 * strings are written as ECMAScript writes them, and nothing else is added. A member that is undefined is left out.
 * @throws {RangeError} on a number that is not finite and on a text with a lone surrogate, unless the options say otherwise
 */
export function canonical(value: Writable, { beyondIJson = 'refuse' }: CanonicalOptions = {}): string {
  return writeValue(value, beyondIJson === 'stringify');
}

function writeValue(value: Writable, lenient: boolean): string {
  if (typeof value === 'string') return quoted(value, lenient);
  if (typeof value === 'number') return numeral(value, lenient);
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof CanonicalText) return value.text;
  // `Array.isArray` does not narrow a readonly list away.
  return Array.isArray(value) ? list(value, lenient) : object(value as { readonly [name: string]: Writable }, lenient);
}

/** Writes a value that will be part of several others. */
export function written(value: Json): CanonicalText {
  return new CanonicalText(canonical(value));
}

function list(values: readonly Json[], lenient: boolean): string {
  let text = '[';
  for (let index = 0; index < values.length; index++) {
    if (index > 0) text += ',';
    text += writeValue(values[index] ?? null, lenient);
  }
  return `${text}]`;
}

function object(members: { readonly [name: string]: Writable | undefined }, lenient: boolean): string {
  let text = '{';
  for (const name of sorted(Object.keys(members))) {
    const value = members[name];
    if (value === undefined) continue;
    if (text.length > 1) text += ',';
    text += label(name, lenient) + writeValue(value, lenient);
  }
  return `${text}}`;
}

/** Insertion sort: most objects have few members, and many come sorted; the comparison is that of UTF-16 code units. */
function sorted(names: string[]): string[] {
  if (names.length > 32) return names.sort();
  for (let end = 1; end < names.length; end++) {
    const name = names[end] ?? '';
    let place = end;
    for (; place > 0 && (names[place - 1] ?? '') > name; place--) names[place] = names[place - 1] ?? '';
    names[place] = name;
  }
  return names;
}

/** Names come again and again; what one looks like in JSON is remembered. Callers choose names, so the memory starts anew when it is full. */
const labels = new Map<string, string>();
const MAX_LABELS = 2048;
const MAX_LABEL_LENGTH = 64;

function label(name: string, lenient: boolean): string {
  const known = labels.get(name);
  if (known !== undefined) return known;
  const text = `${quoted(name, lenient)}:`;
  // A name that is not well-formed must be refused again.
  if (name.length > MAX_LABEL_LENGTH || (lenient && !name.isWellFormed())) return text;
  if (labels.size === MAX_LABELS) labels.clear();
  labels.set(name, text);
  return text;
}

/** All that JSON writes with a backslash, and halves of surrogate pairs. Without any, the quotes are all that a text needs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that JSON escapes
const AWKWARD = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Node's JSON writes strings as RFC 8785 asks. */
function quoted(text: string, lenient: boolean): string {
  if (!AWKWARD.test(text)) return `"${text}"`;
  if (!lenient && !text.isWellFormed()) throw new RangeError('A string with a lone surrogate has no canonical form.');
  return JSON.stringify(text);
}

function numeral(value: number, lenient: boolean): string {
  if (!Number.isFinite(value)) {
    if (lenient) return 'null';
    throw new RangeError('A number that is not finite has no canonical form.');
  }
  return value === 0 ? '0' : `${value}`;
}

/** SHA-256 as 64 hexadecimal digits in lower case. Texts are taken as UTF-8. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}
