import { isMap } from 'yaml';
import { isQuoted } from './style-of.js';
import { lineBefore } from './text-lines.js';
import type { FlowStyle, Style } from './yaml-style.js';
import { type Collection, extentOf, nodeOf, type YamlNode, type YamlTree } from './yaml-tree.js';

/** How a bracketed value is written, as far as it shows. */
export function flowStyleOf(collection: Collection, { text }: YamlTree, style: Style): FlowStyle {
  const { start } = extentOf(collection);
  const parts = flowParts(collection);
  const [first, second] = parts;
  const colon = first?.value && between(text, first.end, extentOf(first.value).start, /^: *$/, first.key);
  const comma = first && second && between(text, first.end, second.start, /^, *$/);
  const compact = colon === ':' || style.json?.compact === true;
  return {
    quoted: first?.key ? isQuoted(first.key) : style.json !== undefined,
    colon: colon ?? (compact ? ':' : ': '),
    comma: comma ?? (compact ? ',' : ', '),
    padded: parts.length === 0 ? !style.json : text[start + 1] === ' ',
    ownLines: ownLinesOf(collection, parts, text, style),
  };
}

/** A member or an item between brackets. */
export interface FlowPart {
  start: number;
  end: number;
  key: YamlNode | undefined;
  value: YamlNode | undefined;
}

export function flowParts(collection: Collection): FlowPart[] {
  if (!isMap(collection))
    return collection.items.flatMap((item) => {
      const value = nodeOf(item);
      return value ? [{ ...extentOf(value), key: undefined, value }] : [];
    });
  return collection.items.flatMap((pair) => {
    const key = nodeOf(pair.key);
    const value = nodeOf(pair.value);
    return key ? [{ start: extentOf(key).start, end: Math.max(extentOf(key).end, value ? extentOf(value).end : 0), key, value }] : [];
  });
}

/** The last part shows it: it begins its line, and the bracket that closes is below it. Empty brackets are like those of the document. */
function ownLinesOf(collection: Collection, parts: readonly FlowPart[], text: string, style: Style): FlowStyle['ownLines'] {
  const last = parts.at(-1);
  const { start, end } = extentOf(collection);
  const outer = /^[ \t]*/.exec(lineBefore(text, start))?.[0] ?? '';
  const empty = style.json?.step;
  if (!last) return empty === undefined ? undefined : { prefix: outer + empty, step: empty, newline: style.newline };
  const prefix = lineBefore(text, last.start);
  if (prefix.trim() !== '' || !text.slice(last.end, end).includes('\n')) return undefined;
  const step = prefix.length > outer.length && prefix.startsWith(outer) ? prefix.slice(outer.length) : '  ';
  return { prefix, step, newline: style.newline };
}

/** The text between two places, where it is what it should be. `key`: it starts behind that. */
function between(text: string, from: number, to: number, expected: RegExp, key?: YamlNode): string | undefined {
  const part = text.slice(key ? extentOf(key).end : from, to);
  return expected.test(part) ? part : undefined;
}
