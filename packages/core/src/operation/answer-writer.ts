import type { Output } from '../report/reporter.js';

/** An answer up to this length is sent whole, in bytes; a longer one in chunks, so that nobody ever holds all of it. */
const WHOLE_BYTES = 16 * 1024 * 1024;

const CHUNK_CHARACTERS = 256 * 1024;

/** Takes the text of an answer, and sends it whole or in chunks. A chunk is sent when the one before has been taken. */
export class AnswerWriter implements Output {
  #text = '';
  /** What is not sent yet. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #streaming = false;
  #taken = Promise.resolve();

  /** @param send resolves when the chunk has been taken */
  constructor(private readonly send: (chunk: Uint8Array) => Promise<void>) {}

  write(text: string): void | Promise<void> {
    this.#text += text;
    if (this.#text.length < CHUNK_CHARACTERS) return;
    this.#hold();
    if (this.#streaming || this.#heldBytes > WHOLE_BYTES) return this.#send();
  }

  /** The whole answer; undefined if it was sent in chunks. */
  async end(): Promise<{ body: Uint8Array } | undefined> {
    this.#hold();
    if (!this.#streaming) return { body: joined(this.#held, this.#heldBytes) };
    await this.#send();
    return undefined;
  }

  #hold(): void {
    const bytes = new TextEncoder().encode(this.#text);
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    this.#text = '';
  }

  async #send(): Promise<void> {
    this.#streaming = true;
    for (const chunk of this.#held.splice(0)) {
      await this.#taken;
      this.#taken = this.send(chunk);
    }
    await this.#taken;
  }
}

/** In a block of memory of its own, which can be handed to another thread: small buffers of Node share one. */
function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
