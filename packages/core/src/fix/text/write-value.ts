import { isObject } from '../../resource/index.js';
import type { JsonObject, JsonValue } from '../../resource/text/json.js';
import { resolvePlain } from '../../resource/yaml/scalar.js';
import type { FlowStyle, Style } from './yaml-style.js';

/** The lines of a member of a block mapping of which the keys are at a column. */
export function memberLines(key: string, value: JsonValue, column: number, style: Style): string[] {
  const head = `${' '.repeat(column)}${scalarText(key)}:`;
  return hasMembers(value) ? [head, ...belowKey(value, column, style)] : [`${head} ${inlineText(value)}`];
}

/** The lines of a mapping or list that is below its key. `column` is that of the key. */
export function belowKey(value: JsonObject | JsonValue[], column: number, style: Style): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => itemLines(item, column + style.listStep, style));
  return Object.entries(value).flatMap(([key, member]) => memberLines(key, member, column + style.step, style));
}

/** The lines of an item of a block list of which the dashes are at a column. */
export function itemLines(value: JsonValue, column: number, style: Style): string[] {
  const dash = `${' '.repeat(column)}- `;
  if (!isObject(value) || !hasMembers(value)) return [dash + inlineText(value)];
  const [first = '', ...rest] = Object.entries(value).flatMap(([key, member]) => memberLines(key, member, column + 2, style));
  return [dash + first.trimStart(), ...rest];
}

/** A value between brackets. */
export function flowText(value: JsonValue, style: FlowStyle): string {
  if (Array.isArray(value))
    return bracketed(
      '[',
      ']',
      value.map((item) => flowText(item, inner(style))),
      { ...style, padded: false },
    );
  if (!isObject(value)) return scalarText(value, style.quoted ? 'double' : 'plain');
  return bracketed(
    '{',
    '}',
    Object.entries(value).map(([key, member]) => flowMember(key, member, inner(style))),
    style,
  );
}

/** A member of a mapping between brackets. `style` is that of the mapping. */
export function flowMember(key: string, value: JsonValue, style: FlowStyle): string {
  return `${scalarText(key, style.quoted ? 'double' : 'plain')}${style.colon}${flowText(value, style)}`;
}

export type Quoting = 'plain' | 'single' | 'double';

/** A scalar, quoted as wished, and better where it would mean something else. */
export function scalarText(value: JsonValue, quoting: Quoting = 'plain'): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (quoting === 'plain' && PLAIN.test(value) && resolvePlain(value) === value) return value;
  if (quoting === 'single' && /^[ -~]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return JSON.stringify(value).replace(UNPRINTABLE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Texts that need no quotes anywhere, whatever comes before and behind them. */
const PLAIN = /^[A-Za-z_/][A-Za-z0-9_./-]*$/;

/** What JSON may hold as it is, and YAML may not. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Whether a value is a mapping or list that needs lines of its own. */
export function hasMembers(value: JsonValue): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** A value that is behind its key or dash in a block. */
export function inlineText(value: JsonValue): string {
  return flowText(value, { quoted: false, colon: ': ', comma: ', ', padded: true, ownLines: undefined });
}

/** What is inside of a value with lines of their own stands one step further in. */
function inner(style: FlowStyle): FlowStyle {
  const { ownLines } = style;
  return ownLines ? { ...style, ownLines: { ...ownLines, prefix: ownLines.prefix + ownLines.step } } : style;
}

function bracketed(open: string, close: string, parts: readonly string[], style: FlowStyle): string {
  const { ownLines } = style;
  if (parts.length === 0) return open + close;
  if (!ownLines) return style.padded ? `${open} ${parts.join(style.comma)} ${close}` : open + parts.join(style.comma) + close;
  const lines = parts.map((part) => inner(style).ownLines?.prefix + part);
  return `${open}${ownLines.newline}${lines.join(`,${ownLines.newline}`)}${ownLines.newline}${ownLines.prefix}${close}`;
}
