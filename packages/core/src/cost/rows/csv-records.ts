/** Longest record: what is longer is not a table, but a file of another kind or a quote that never ends. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** A file that is not a table of comma-separated values. `line` counts from 1. */
export class CsvError extends Error {
  override readonly name = 'CsvError';

  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

/** Takes a record: the values of its fields. The array is used again for the next record. */
type Take = (fields: readonly string[]) => void;

/**
 * The records of a CSV text (RFC 4180) that arrives in pieces. Quoted fields may hold separators, quotes and line ends; lines end with CR LF or LF;
 * empty lines are passed over.
 *
 * A bill has millions of rows of dozens of columns, of which a reader needs ten: after `choose` only those are cut out of the text, which is
 * several times as fast as a general reader (`bench/focus.ts`).
 */
export class CsvRecords {
  #rest = '';
  #width = 0;
  #columns = 0;
  #line = 0;
  #nextLine = 1;
  /** Place of each column in the fields, -1 for a column that nobody wants; undefined while all are wanted. */
  #places: Int32Array | undefined;
  #fields: string[] = [];
  /** First separator and first quote from where the reading stands: a piece is searched once, however its lines look. */
  #found = -1;
  #quote = -1;

  /** @param separator one character */
  constructor(private readonly separator: string) {}

  /** From the next record on, field 0 is empty, and field n is column `columns[n]`. */
  choose(columns: readonly number[]): void {
    this.#places = new Int32Array(Math.max(...columns, -1) + 1).fill(-1);
    for (const [place, column] of columns.entries()) if (place > 0 && column >= 0) this.#places[column] = place;
    this.#fields = columns.map(() => '');
  }

  /** Line on which the last record began. */
  get line(): number {
    return this.#line;
  }

  /** Takes the records that are complete with this piece; what is left waits for the next one. */
  push(piece: string, take: Take): void {
    let start = 0;
    // Only the record that was begun is joined: reading in a text that was joined takes twice as long. Each time that it is still not whole, twice
    // as much is added.
    while (this.#rest !== '' && start < piece.length) {
      const newline = piece.indexOf('\n', start + this.#rest.length - 1);
      const end = newline < 0 ? piece.length : newline + 1;
      const text = this.#rest + piece.slice(start, end);
      this.#keep(text, this.#records(text, 0, take, false));
      start = end;
    }
    if (start < piece.length) this.#keep(piece, this.#records(piece, start, take, false));
  }

  #keep(text: string, start: number): void {
    this.#rest = text.slice(start);
    if (this.#rest.length > MOST_CHARACTERS)
      throw new CsvError('A record is longer than 4 MiB. A quoted field may be missing its closing quote.', this.#nextLine);
  }

  /** Takes the last record, where no line end follows it. */
  end(take: Take): void {
    this.#records(this.#rest, 0, take, true);
    this.#rest = '';
  }

  /** Returns where the first record begins that is not complete. */
  #records(text: string, from: number, take: Take, last: boolean): number {
    this.#found = -1;
    this.#quote = -1;
    let start = from;
    while (start < text.length) {
      this.#line = this.#nextLine;
      const end = this.#record(text, start, last);
      if (end < 0) return start;
      this.#nextLine += 1;
      if (!isEmpty(text, start, end)) {
        if (end === text.length && this.#columns < this.#width) throw new CsvError('The file ends in the middle of a row.', this.#line);
        this.#width ||= this.#columns;
        take(this.#places === undefined ? this.#fields.splice(0) : this.#padded(this.#places));
      }
      start = end + 1;
    }
    return text.length;
  }

  /** Reads a record into the fields. Returns the index of its line end, -1 where the text ends before it does. */
  #record(text: string, start: number, last: boolean): number {
    const places = this.#places;
    let end = lineEnd(text, start, last);
    let lines = 0;
    let at = start;
    for (let column = 0; end >= 0; column++) {
      const place = places === undefined ? column : (places[column] ?? -1);
      let stop: number;
      if (text.charCodeAt(at) === QUOTE) {
        const close = closingQuote(text, at);
        // A quote at the very end may be the first of two.
        if (close < 0 || (close === text.length - 1 && !last)) return last ? this.#fail('A quoted field has no closing quote.') : -1;
        if (place >= 0) this.#fields[place] = text.slice(at + 1, close).replaceAll('""', '"');
        if (close > end) {
          lines += linesIn(text, end, close);
          end = lineEnd(text, close, last);
          if (end < 0) return -1;
        }
        stop = close + 1 === contentEnd(text, close, end) ? end : close + 1;
        if (stop < end && text[stop] !== this.separator) this.#fail('A quoted field has text after its closing quote.');
      } else {
        stop = Math.min(this.#separatorFrom(text, at), end);
        if (this.#quoteFrom(text, at) < stop) this.#fail('An unquoted field contains a quote.');
        if (place >= 0) this.#fields[place] = text.slice(at, stop === end ? contentEnd(text, at, end) : stop);
      }
      if (stop === end) {
        this.#columns = column + 1;
        this.#nextLine += lines;
        return end;
      }
      at = stop + 1;
    }
    return -1;
  }

  #separatorFrom(text: string, at: number): number {
    if (this.#found < at) this.#found = foundFrom(text, this.separator, at);
    return this.#found;
  }

  #quoteFrom(text: string, at: number): number {
    if (this.#quote < at) this.#quote = foundFrom(text, '"', at);
    return this.#quote;
  }

  /** The chosen fields, empty where the record is shorter than the header. */
  #padded(places: Int32Array): readonly string[] {
    for (let column = this.#columns; column < places.length; column++) {
      const place = places[column] ?? -1;
      if (place >= 0) this.#fields[place] = '';
    }
    return this.#fields;
  }

  #fail(message: string): never {
    throw new CsvError(message, this.#line);
  }
}

const QUOTE = 34;
const CR = 13;

/** Index of the next line feed, of the end of the text where the last line does not have one; -1 where it may still come. */
function lineEnd(text: string, at: number, last: boolean): number {
  const end = text.indexOf('\n', at);
  return end < 0 && last ? text.length : end;
}

/** Where the content of a line ends, which may be before a carriage return. */
function contentEnd(text: string, start: number, end: number): number {
  return end > start && text.charCodeAt(end - 1) === CR ? end - 1 : end;
}

function isEmpty(text: string, start: number, end: number): boolean {
  return contentEnd(text, start, end) === start;
}

function foundFrom(text: string, what: string, at: number): number {
  const found = text.indexOf(what, at);
  return found < 0 ? Number.POSITIVE_INFINITY : found;
}

/** The quote that closes the field which starts at `at`; a doubled one does not. */
function closingQuote(text: string, at: number): number {
  let close = text.indexOf('"', at + 1);
  while (close >= 0 && text.charCodeAt(close + 1) === QUOTE) close = text.indexOf('"', close + 2);
  return close;
}

function linesIn(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
