import { isUtf8 } from 'node:buffer';
import type { CoreErrorCode, InputError } from '../../errors.js';
import { MAX_DOCUMENT_BYTES } from '../text/limits.js';
import { countLineBreaks, lastLineLength } from '../text/lines.js';
import { type JsonBoundary, jsonBoundary } from './json-boundary.js';
import type { SourceDocument } from './source-document.js';

type Item = SourceDocument | InputError;

const NEWLINE = 0x0a;
const DASH = 0x2d;
/** `---` or `...` and the byte after it. */
const MARKER_BYTES = 4;

/** A line that may come before the content of a document: blank, a comment, a directive or a marker. */
const PRELUDE_LINE = /(?:[ \t]*(?:#[^\r\n\0]*)?|%[^\r\n\0]*|(?:---|\.\.\.)[ \t]*(?:#[^\r\n\0]*)?)(?:\r\n?|\n|$)/y;

/** Cuts the bytes of one file into documents. Its life is one file: `push` for each chunk, then `end`. */
export class DocumentCutter {
  /** The file is not readable as text: the rest of it need not be read. */
  finished = false;

  private readonly file: string;
  /** The start of the last line, as long as it is too short to tell whether it is a marker. */
  private held: Buffer = Buffer.alloc(0);
  private started = false;
  private atLineStart = true;

  // The current document.
  private parts: Buffer[] = [];
  private size = 0;
  private hasMarker = false;
  private boundary: JsonBoundary = jsonBoundary();
  private refusal: { code: keyof typeof MESSAGES; line: number } | undefined;
  private droppedBreaks = 0;

  private index = 0;
  private line = 1;
  private column = 1;

  constructor(file: string) {
    this.file = file;
  }

  push(chunk: Uint8Array): Item[] {
    return this.cut(this.join(chunk), false);
  }

  end(): Item[] {
    const items = this.cut(this.join(Buffer.alloc(0)), true);
    if (!this.finished) this.flush(items);
    return items;
  }

  private join(chunk: Uint8Array): Buffer {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const joined = this.held.length === 0 ? bytes : Buffer.concat([this.held, bytes]);
    this.held = Buffer.alloc(0);
    return joined;
  }

  private cut(bytes: Buffer, atEnd: boolean): Item[] {
    if (!this.started && !atEnd && bytes.length < MARKER_BYTES) {
      this.held = bytes;
      return [];
    }
    const items: Item[] = [];
    const data = this.holdBack(this.started ? bytes : this.start(bytes, items), atEnd);
    if (this.finished) return items;
    let from = 0;
    for (const at of markers(data, this.atLineStart)) {
      const opens = data[at] === DASH;
      // A `---` below nothing but comments and directives begins the document that they belong to.
      if (opens && !this.hasMarker && !this.hasContent(data.subarray(from, at))) {
        this.hasMarker = true;
        continue;
      }
      this.append(data.subarray(from, at), items);
      this.flush(items);
      this.column = 1;
      this.hasMarker = opens;
      from = at;
    }
    this.append(data.subarray(from), items);
    if (data.length > 0) this.atLineStart = data[data.length - 1] === NEWLINE;
    return items;
  }

  /** Looks at the first bytes of the file: a mark of UTF-8 is dropped, one of UTF-16 ends the reading. */
  private start(bytes: Buffer, items: Item[]): Buffer {
    this.started = true;
    const [a, b, c] = bytes;
    if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) {
      this.finished = true;
      const location = { file: this.file, line: 1, column: 1 };
      items.push({ code: 'not-utf8', message: 'The file is UTF-16 text. Save it as UTF-8.', location });
    }
    return a === 0xef && b === 0xbb && c === 0xbf ? bytes.subarray(3) : bytes;
  }

  private holdBack(bytes: Buffer, atEnd: boolean): Buffer {
    const lastLine = bytes.lastIndexOf(NEWLINE) + 1;
    if (atEnd || bytes.length - lastLine >= MARKER_BYTES || (lastLine === 0 && !this.atLineStart)) return bytes;
    this.held = bytes.subarray(lastLine);
    return bytes.subarray(0, lastLine);
  }

  private hasContent(more: Buffer): boolean {
    if (this.refusal !== undefined || this.size + more.length > 65_536) return true;
    return !isPrelude(Buffer.concat([...this.parts, more]).toString('latin1'));
  }

  private append(bytes: Buffer, items: Item[]): void {
    let rest = bytes;
    for (let cut = this.boundary.next(rest); cut !== -1; cut = this.boundary.next(rest)) {
      this.add(rest.subarray(0, cut));
      this.flush(items);
      rest = rest.subarray(cut);
    }
    this.add(rest);
  }

  private add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.refusal === undefined) {
      const zero = bytes.indexOf(0);
      if (zero !== -1) this.refuse('binary-content', bytes.subarray(0, zero));
      else if (this.size + bytes.length > MAX_DOCUMENT_BYTES) this.refuse('document-too-large', undefined);
    }
    if (this.refusal !== undefined) {
      this.droppedBreaks += countNewlines(bytes);
      return;
    }
    this.parts.push(bytes);
    this.size += bytes.length;
  }

  /** From here on the document's bytes are dropped. `before` leads to the offending byte; undefined blames the document as a whole. */
  private refuse(code: keyof typeof MESSAGES, before: Buffer | undefined): void {
    for (const part of this.parts) this.droppedBreaks += countNewlines(part);
    this.parts = [];
    this.refusal = { code, line: this.line + (before === undefined ? 0 : this.droppedBreaks + countNewlines(before)) };
  }

  /** Ends the current document. */
  private flush(items: Item[]): void {
    if (this.refusal !== undefined) {
      const { code, line } = this.refusal;
      items.push({ code, message: MESSAGES[code], location: { file: this.file, line, column: 1 } });
      this.index++;
      this.line += this.droppedBreaks;
    } else {
      this.flushText(items, this.parts.length === 1 && this.parts[0] !== undefined ? this.parts[0] : Buffer.concat(this.parts));
    }
    this.parts = [];
    this.size = 0;
    this.hasMarker = false;
    this.boundary = jsonBoundary();
    this.refusal = undefined;
    this.droppedBreaks = 0;
  }

  private flushText(items: Item[], bytes: Buffer): void {
    const text = withoutMark(bytes.toString('utf8'));
    const { file, line, column } = this;
    if (!isUtf8(bytes)) {
      const before = text.slice(0, text.indexOf('\ufffd'));
      const badLine = line + countLineBreaks(before);
      items.push({
        code: 'not-utf8',
        message: MESSAGES['not-utf8'],
        location: { file, line: badLine, column: lastLineLength(before) + 1 },
      });
      this.index++;
    } else if (!isPrelude(text)) {
      items.push({ file, index: this.index++, text: inOnePiece(text), line, ...(column === 1 ? {} : { column }) });
    }
    const breaks = countLineBreaks(text);
    this.line += breaks;
    this.column = lastLineLength(text) + (breaks === 0 ? column : 1);
  }
}

const MESSAGES = {
  'binary-content': 'This is binary data, not YAML or JSON text. Exclude the file.',
  'not-utf8': 'A character is not valid UTF-8. Save the file as UTF-8.',
  'document-too-large': `This document is larger than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MiB. Split it: put a line "---" between its objects.`,
} as const satisfies Partial<Record<CoreErrorCode, string>>;

/** The starts of the lines that are `---` or `...`, followed by a blank or by the end of the line. */
function* markers(data: Buffer, atLineStart: boolean): Generator<number> {
  if (atLineStart && isMarker(data, 0)) yield 0;
  let dashes = data.indexOf('\n---');
  let dots = data.indexOf('\n...');
  while (dashes !== -1 || dots !== -1) {
    const isDots = dashes === -1 || (dots !== -1 && dots < dashes);
    const at = isDots ? dots : dashes;
    if (isMarker(data, at + 1)) yield at + 1;
    if (isDots) dots = data.indexOf('\n...', at + 1);
    else dashes = data.indexOf('\n---', at + 1);
  }
}

function isMarker(data: Buffer, at: number): boolean {
  const first = data[at];
  if ((first !== DASH && first !== 0x2e) || data[at + 1] !== first || data[at + 2] !== first) return false;
  const after = data[at + 3];
  return after === undefined || after === NEWLINE || after === 0x0d || after === 0x20 || after === 0x09;
}

/**
 * Files that were joined to one, or a chart's templates, may each begin with a byte order mark. go-yaml passes over it at the start of a
 * line; the parser would make it part of the first key.
 */
/** A slice of a chunk, or chunks joined, is read half as fast as a text of its own. It came from UTF-8, so nothing is lost on the way. */
function inOnePiece(text: string): string {
  return Buffer.from(text).toString();
}

function withoutMark(text: string): string {
  if (!text.includes('\ufeff')) return text;
  const start = endOfPrelude(text);
  return text[start] === '\ufeff' ? text.slice(0, start) + text.slice(start + 1) : text;
}

function isPrelude(text: string): boolean {
  return endOfPrelude(text) === text.length;
}

function endOfPrelude(text: string): number {
  PRELUDE_LINE.lastIndex = 0;
  let end = 0;
  while (end < text.length && PRELUDE_LINE.test(text)) end = PRELUDE_LINE.lastIndex;
  return end;
}

function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
