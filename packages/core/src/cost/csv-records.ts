/** Longest record: what is longer is no table, but a file of another kind or a quote that never ends. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** A file that is no table of comma-separated values. `line` counts from 1. */
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
  #line = 0;
  #nextLine = 1;
  /** Place of each column in the fields; -1 for a column that nobody wants. */
  #places: Int32Array | undefined;
  #fields: string[] = [];
  /** First quote and first separator from where the reading stands: each piece is searched once, however its lines look. */
  #quote = -1;
  #found = -1;

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
    const text = this.#rest === '' ? piece : this.#rest + piece;
    const start = this.#records(text, take, false);
    this.#rest = text.slice(start);
    if (this.#rest.length > MOST_CHARACTERS) throw new CsvError('A record is longer than 4 MiB: a quote may be left open.', this.#nextLine);
  }

  /** Takes the last record, where no line end follows it. */
  end(take: Take): void {
    this.#records(this.#rest, take, true);
    this.#rest = '';
  }

  /** Returns where the first record begins that is not complete. */
  #records(text: string, take: Take, last: boolean): number {
    this.#quote = -1;
    this.#found = -1;
    let start = 0;
    while (start < text.length) {
      const newline = text.indexOf('\n', start);
      if (newline < 0 && !last) return start;
      const end = newline < 0 ? text.length : newline;
      this.#line = this.#nextLine;
      if (isEmpty(text, start, end)) {
        this.#nextLine += 1;
        start = end + 1;
        continue;
      }
      const stop = this.#quoteFrom(text, start) > end ? this.#plain(text, start, end) : this.#quoted(text, start, last);
      if (stop < 0) return start;
      if (stop === text.length && this.#columns < this.#width) throw new CsvError('The file ends in the middle of a row.', this.#line);
      this.#width ||= this.#columns;
      take(this.#taken());
      start = stop + 1;
    }
    return text.length;
  }

  /** Columns of the current record, as far as they were read. */
  #columns = 0;

  /** A record without quotes, up to its line end. */
  #plain(text: string, start: number, lineEnd: number): number {
    const end = text.charCodeAt(lineEnd - 1) === CR ? lineEnd - 1 : lineEnd;
    // The last line may be cut off: its columns are counted to the end.
    const most = this.#places && lineEnd < text.length ? this.#places.length : Number.POSITIVE_INFINITY;
    let at = start;
    let column = 0;
    while (column < most) {
      const stop = Math.min(this.#separatorFrom(text, at), end);
      if (this.#wants(column)) this.#put(column, text.slice(at, stop));
      column += 1;
      at = stop + 1;
      if (stop === end) break;
    }
    this.#columns = column;
    return lineEnd;
  }

  /** A record with quotes; -1 where the text ends before it does. */
  #quoted(text: string, start: number, last: boolean): number {
    const place = this.#nextLine;
    let at = start;
    for (let column = 0; ; column++) {
      let stop: number;
      if (text.charCodeAt(at) === QUOTE) {
        const close = closingQuote(text, at);
        // A quote at the very end may be the first of two.
        if (close < 0 || (close === text.length - 1 && !last)) {
          if (last) throw new CsvError('A quote is left open.', place);
          return -1;
        }
        stop = text.charCodeAt(close + 1) === CR && text.charCodeAt(close + 2) === LF ? close + 2 : close + 1;
        if (stop < text.length && text.charCodeAt(stop) !== LF && text[stop] !== this.separator) {
          if (text.charCodeAt(stop) === CR && stop === text.length - 1 && !last) return -1;
          throw new CsvError('A quoted field goes on after its closing quote.', place);
        }
        if (this.#wants(column)) this.#put(column, text.slice(at + 1, close).replaceAll('""', '"'));
      } else {
        const newline = text.indexOf('\n', at);
        stop = Math.min(this.#separatorFrom(text, at), newline < 0 ? text.length : newline);
        if (stop === text.length && !last) return -1;
        if (this.#quoteFrom(text, at) < stop) throw new CsvError('A quote stands inside a field that is not quoted.', place);
        const end = stop > at && stop === newline && text.charCodeAt(stop - 1) === CR ? stop - 1 : stop;
        if (this.#wants(column)) this.#put(column, text.slice(at, end));
      }
      if (stop >= text.length || text.charCodeAt(stop) === LF) {
        if (stop >= text.length && !last) return -1;
        this.#columns = column + 1;
        this.#nextLine += linesIn(text, start, stop);
        return stop;
      }
      at = stop + 1;
    }
  }

  #wants(column: number): boolean {
    return this.#places === undefined || (this.#places[column] ?? -1) >= 0;
  }

  #put(column: number, value: string): void {
    this.#fields[this.#places === undefined ? column : (this.#places[column] ?? 0)] = value;
  }

  /** The fields of the record, empty where it is shorter than the header. */
  #taken(): string[] {
    this.#nextLine += 1;
    const { length } = this.#fields;
    if (this.#places === undefined) return this.#fields.splice(0, length);
    for (let column = this.#columns; column < this.#places.length; column++) if (this.#wants(column)) this.#put(column, '');
    return this.#fields;
  }

  #quoteFrom(text: string, at: number): number {
    if (this.#quote < at) this.#quote = foundFrom(text, '"', at);
    return this.#quote;
  }

  #separatorFrom(text: string, at: number): number {
    if (this.#found < at) this.#found = foundFrom(text, this.separator, at);
    return this.#found;
  }
}

const QUOTE = 34;
const CR = 13;
const LF = 10;

function isEmpty(text: string, start: number, end: number): boolean {
  return end === start || (end === start + 1 && text.charCodeAt(start) === CR);
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
