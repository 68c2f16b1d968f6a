/** Longest record: what is longer is no table, but a file of another kind or a quote that never ends. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** A file that is no table of comma-separated values. `row` counts records from 1, the header included. */
export class CsvError extends Error {
  override readonly name = 'CsvError';

  constructor(
    message: string,
    readonly row: number,
  ) {
    super(message);
  }
}

/**
 * The records of a CSV text (RFC 4180) that arrives in pieces, each as the values of its fields. Quoted fields may hold separators, quotes and line
 * ends; lines end with CR LF or LF; empty lines are passed over; a byte order mark is dropped.
 *
 * A bill has millions of rows of dozens of columns, of which a reader needs ten: after `choose` only those are cut out of the text, which is
 * several times as fast as a general reader (`bench/focus.ts`).
 */
export class CsvRecords {
  #rest = '';
  #row = 0;
  #chosen: readonly number[] | undefined;
  #last = 0;

  constructor(private readonly separator: string) {}

  /** From the next record on, only these columns. They come in the order of their indexes. */
  choose(columns: Iterable<number>): void {
    this.#chosen = [...columns].sort((a, b) => a - b);
    this.#last = this.#chosen.at(-1) ?? -1;
  }

  /** Records read so far. */
  get row(): number {
    return this.#row;
  }

  /** The records that are complete with this piece; what is left waits for the next one. */
  *push(piece: string): Generator<string[], void, void> {
    const text = this.#rest === '' ? piece : this.#rest + piece;
    let start = 0;
    for (;;) {
      const end = this.#endOf(text, start);
      if (end < 0) break;
      const record = this.#record(text, start, end);
      start = end + 1;
      if (record) yield record;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > MOST_CHARACTERS) throw new CsvError('A record is longer than 4 MiB: a quote may be left open.', this.#row + 1);
  }

  /** The last record, where no line end follows it. */
  *end(): Generator<string[], void, void> {
    const text = this.#rest;
    this.#rest = '';
    if (quotesIn(text, 0, text.length) % 2 === 1) throw new CsvError('A quote is left open at the end of the file.', this.#row + 1);
    const record = this.#record(text, 0, text.length);
    if (record) yield record;
  }

  /** Index of the line feed that ends the record; -1 where it is not in the text yet. */
  #endOf(text: string, start: number): number {
    let end = text.indexOf('\n', start);
    if (end < 0) return -1;
    let quotes = quotesIn(text, start, end);
    while (quotes % 2 === 1) {
      const next = text.indexOf('\n', end + 1);
      if (next < 0) return -1;
      quotes += quotesIn(text, end, next);
      end = next;
    }
    return end;
  }

  #record(text: string, start: number, lineEnd: number): string[] | undefined {
    const end = lineEnd > start && text.charCodeAt(lineEnd - 1) === CR ? lineEnd - 1 : lineEnd;
    if (end === start) return undefined;
    this.#row += 1;
    const chosen = this.#chosen;
    const fields: string[] = [];
    let column = 0;
    let next = 0;
    for (let at = start; at <= end; column++) {
      const quoted = text.charCodeAt(at) === QUOTE;
      const close = quoted ? closingQuote(text, at, end) : -1;
      const found = text.indexOf(this.separator, quoted ? close : at);
      const stop = found < 0 || found > end ? end : found;
      if (chosen === undefined || chosen[next] === column) {
        fields.push(quoted ? text.slice(at + 1, close).replaceAll('""', '"') : text.slice(at, stop));
        next += 1;
      }
      at = stop + 1;
      if (chosen !== undefined && column >= this.#last) break;
    }
    while (chosen !== undefined && fields.length < chosen.length) fields.push('');
    return fields;
  }
}

const QUOTE = 34;
const CR = 13;

function quotesIn(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('"', start); at >= 0 && at < end; at = text.indexOf('"', at + 1)) count += 1;
  return count;
}

/** The quote that closes the field which starts at `at`; a doubled one does not. */
function closingQuote(text: string, at: number, end: number): number {
  let close = text.indexOf('"', at + 1);
  while (close >= 0 && close < end && text.charCodeAt(close + 1) === QUOTE) close = text.indexOf('"', close + 2);
  return close < 0 || close > end ? end : close;
}
