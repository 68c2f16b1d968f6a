import { MAX_DOCUMENT_BYTES } from '../text/limits.js';

/**
 * go-yaml, and so Kubernetes, lets the lines of a bracketed or quoted value stand anywhere:
 *
 *     command: [
 *       "sh"
 *     ]
 *
 * The YAML specification and the parser want them further in than the key. Blanks at the start of such a line mean nothing, so the
 * parser is given the text with as many as it needs.
 */
export interface PaddedText {
  text: string;
  /** How many blanks were put before each line, by its number from 0; absent = none. */
  padding: ReadonlyMap<number, number>;
}

/**
 * The text with the lines inside of brackets and quotes moved in. Lines keep their number. Undefined when that would take more blanks than
 * a document may have bytes: many lines below a key that stands very far in.
 */
export function indentFlows(text: string): PaddedText | undefined {
  const lines = text.split('\n');
  const padding = new Map<number, number>();
  const reader: Reader = { lines, line: 0, at: 0 };
  while (reader.line < lines.length) readBlockLine(reader, padding);
  const blanks = padding.values().reduce((sum, count) => sum + count, 0);
  if (blanks > MAX_DOCUMENT_BYTES) return undefined;
  return { text: lines.map((line, index) => ' '.repeat(padding.get(index) ?? 0) + line).join('\n'), padding };
}

interface Reader {
  readonly lines: readonly string[];
  line: number;
  /** The column, from 0. */
  at: number;
}

/** Dashes, the colon after a quoted key, anchors and tags: what may come before a value. */
const BEFORE_VALUE = /^(?:[ \t]+|[-?](?=[ \t]|$)|:(?=[ \t]|$)|[&!][^ \t]+(?=[ \t]|$))+/;

/** A line outside of brackets and quotes: dashes, keys, and then a value whose first character tells what it is. */
function readBlockLine(reader: Reader, padding: Map<number, number>): void {
  let outer = indentOf(reader.lines[reader.line] ?? '') - 1;
  while (reader.line < reader.lines.length) {
    const rest = (reader.lines[reader.line] ?? '').slice(reader.at);
    const before = BEFORE_VALUE.exec(rest)?.[0] ?? '';
    const dash = Math.max(before.lastIndexOf('-'), before.lastIndexOf('?'));
    if (dash !== -1) outer = reader.at + dash;
    reader.at += before.length;
    const start = rest[before.length];
    if (start === '|' || start === '>') {
      skipBlockScalar(reader, outer);
      return;
    }
    if (start === '[' || start === '{') {
      skipBrackets(reader, padding);
    } else if (start === '"' || start === "'") {
      outer = reader.at;
      skipQuoted(reader, padding, start, reader.at);
    } else {
      const colon = colonAfterKey(rest.slice(before.length));
      if (colon === -1) break;
      outer = reader.at;
      reader.at += colon + 1;
    }
  }
  nextLine(reader);
}

function colonAfterKey(rest: string): number {
  if (rest === '' || rest.startsWith('#')) return -1;
  const end = /:(?=[ \t]|\r?$)|[ \t]#/.exec(rest);
  return end?.[0] === ':' ? end.index : -1;
}

function skipBrackets(reader: Reader, padding: Map<number, number>): void {
  const column = reader.at;
  let depth = 0;
  let atToken = true;
  while (reader.line < reader.lines.length) {
    const line = reader.lines[reader.line] ?? '';
    const char = line[reader.at];
    if (char === undefined) {
      nextLine(reader);
      pad(reader, padding, column);
      atToken = true;
    } else if (atToken && (char === '"' || char === "'")) {
      skipQuoted(reader, padding, char, column);
      atToken = false;
    } else if (char === '#' && (reader.at === 0 || /[ \t]/.test(line[reader.at - 1] ?? ''))) {
      reader.at = line.length;
    } else {
      reader.at++;
      if (char === '[' || char === '{') depth++;
      else if ((char === ']' || char === '}') && --depth === 0) return;
      // A quote opens a text only where a value may start: the one in `it's` does not.
      if (!/[ \t\r]/.test(char)) atToken = /[[{,:]/.test(char);
    }
  }
}

function skipQuoted(reader: Reader, padding: Map<number, number>, quote: string, column: number): void {
  reader.at++;
  while (reader.line < reader.lines.length) {
    const line = reader.lines[reader.line] ?? '';
    const char = line[reader.at];
    if (char === undefined) {
      nextLine(reader);
      pad(reader, padding, column);
    } else if (char === quote && quote === "'" && line[reader.at + 1] === "'") {
      reader.at += 2;
    } else {
      reader.at += char === '\\' && quote === '"' ? 2 : 1;
      if (char === quote) return;
    }
  }
}

/** The lines of a block scalar are those further in than the key or dash that it belongs to. */
function skipBlockScalar(reader: Reader, outer: number): void {
  nextLine(reader);
  while (reader.line < reader.lines.length) {
    const line = reader.lines[reader.line] ?? '';
    if (line.trim() !== '' && indentOf(line) <= outer) return;
    nextLine(reader);
  }
}

function pad(reader: Reader, padding: Map<number, number>, column: number): void {
  const line = reader.lines[reader.line];
  if (line === undefined) return;
  const missing = column + 1 - indentOf(line);
  if (missing > 0) padding.set(reader.line, missing);
}

function indentOf(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}

function nextLine(reader: Reader): void {
  reader.line++;
  reader.at = 0;
}
