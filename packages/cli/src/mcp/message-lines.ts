/** A line of the input, or one that is longer than allowed: then what its member `id` says, where it has one. */
export type MessageLine = { text: string } | { tooLarge: true; id: string | number | undefined };

/** Splits the input into lines. Of a line that is too long nothing is kept, and the next one is read as any other. */
export class MessageLines {
  #parts: Buffer[] = [];
  #length = 0;
  #tooLarge: TopLevelId | undefined;

  /** @param maxBytes of one line, without its end */
  constructor(private readonly maxBytes: number) {}

  /** The lines that a piece of the input completes. */
  *push(chunk: Buffer): Generator<MessageLine, void, void> {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#add(chunk.subarray(start, end));
      start = end + 1;
      yield this.#take();
    }
    this.#add(chunk.subarray(start));
  }

  #add(part: Buffer): void {
    this.#length += part.length;
    if (!this.#tooLarge && this.#length > this.maxBytes) {
      this.#tooLarge = new TopLevelId();
      for (const known of this.#parts.splice(0)) this.#tooLarge.push(known);
    }
    if (this.#tooLarge) this.#tooLarge.push(part);
    else this.#parts.push(part);
  }

  #take(): MessageLine {
    const line: MessageLine = this.#tooLarge
      ? { tooLarge: true, id: this.#tooLarge.id }
      : { text: Buffer.concat(this.#parts).toString('utf8') };
    this.#parts = [];
    this.#length = 0;
    this.#tooLarge = undefined;
    return line;
  }
}

const LINE_FEED = 10;
const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Longer identifiers are not looked for. */
const MAX_TOKEN = 1000;

/** Finds the member `id` of a JSON object that is read piece by piece, without keeping it. Clients write it first or last. */
class TopLevelId {
  id: string | number | undefined;
  #depth = 0;
  #inText = false;
  #escaped = false;
  #key = '';
  /** The bytes of the key or the value that is being read. */
  #token: number[] = [];

  push(bytes: Buffer): void {
    for (let index = 0; index < bytes.length; index++) this.#next(bytes[index] ?? 0);
  }

  #next(byte: number): void {
    const inText = this.#inText;
    if (this.#escaped) this.#escaped = false;
    else if (inText && byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inText = !inText;
    else if (!inText && OPENING.has(byte)) this.#depth += 1;
    else if (!inText && CLOSING.has(byte)) this.#depth -= 1;
    if (this.#depth > 1) return;
    if (inText || this.#inText) this.#keep(byte);
    else if (byte === COLON) this.#key = this.#text();
    else if (byte === COMMA || CLOSING.has(byte)) this.#endMember();
    else this.#keep(byte);
  }

  #keep(byte: number): void {
    if (this.#token.length < MAX_TOKEN) this.#token.push(byte);
  }

  #endMember(): void {
    const [key, value] = [this.#key, this.#text()];
    if (key.endsWith('"id"')) this.id = identifierOf(value);
  }

  #text(): string {
    const text = Buffer.from(this.#token).toString('utf8').trim();
    this.#token = [];
    return text;
  }
}

function identifierOf(text: string): string | number | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' || typeof value === 'number' ? value : undefined;
  } catch {
    return undefined;
  }
}
