import type { Json } from './json.js';

/** A value that was written before: its canonical text, which goes as it is into the text of what the value is part of. */
export class CanonicalText {
  constructor(readonly text: string) {}
}

/** What can be written: JSON, of which parts may be written already. */
export type Writable = Json | CanonicalText | { readonly [name: string]: Writable | undefined };

/**
 * The canonical text of a value: RFC 8785 (JCS). Members are sorted by the UTF-16 code units of their names, numbers and
 * strings are written as ECMAScript writes them, and nothing else is added. A member that is undefined is left out.
 * @throws {RangeError} on a number that is not finite and on a text with a lone surrogate, which I-JSON does not have
 */
export function canonical(value: Writable): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return numeral(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof CanonicalText) return value.text;
  // `Array.isArray` does not narrow a readonly list away.
  return Array.isArray(value) ? list(value) : object(value as { readonly [name: string]: Writable });
}

/** Writes a value that will be part of several others. */
export function written(value: Json): CanonicalText {
  return new CanonicalText(canonical(value));
}

function list(values: readonly Json[]): string {
  let text = '[';
  for (let index = 0; index < values.length; index++) {
    if (index > 0) text += ',';
    text += canonical(values[index] ?? null);
  }
  return `${text}]`;
}

function object(members: { readonly [name: string]: Writable | undefined }): string {
  let text = '{';
  for (const name of sorted(Object.keys(members))) {
    const value = members[name];
    if (value === undefined) continue;
    if (text.length > 1) text += ',';
    text += label(name) + canonical(value);
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

function label(name: string): string {
  const known = labels.get(name);
  if (known !== undefined) return known;
  const text = `${quoted(name)}:`;
  if (name.length > MAX_LABEL_LENGTH) return text;
  if (labels.size === MAX_LABELS) labels.clear();
  labels.set(name, text);
  return text;
}

/** All that JSON writes with a backslash, and halves of surrogate pairs. Without any, the quotes are all that a text needs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that JSON escapes
const AWKWARD = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Node's JSON writes strings as RFC 8785 asks. */
function quoted(text: string): string {
  if (!AWKWARD.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new RangeError('A string with a lone surrogate has no canonical form.');
  return JSON.stringify(text);
}

function numeral(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('A number that is not finite has no canonical form.');
  return value === 0 ? '0' : `${value}`;
}
