import type { Output } from '../report/reporter.js';
import type { FromRequestWorker } from './request-messages.js';

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
  #onTaken: (() => void) | undefined;

  constructor(private readonly post: (message: FromRequestWorker) => void) {}

  write(text: string): void | Promise<void> {
    this.#text += text;
    if (this.#text.length < CHUNK_CHARACTERS) return;
    this.#hold();
    if (this.#streaming || this.#heldBytes > WHOLE_BYTES) return this.#send();
  }

  /** The last message of the answer. */
  async end(): Promise<FromRequestWorker> {
    this.#hold();
    if (!this.#streaming) return { body: joined(this.#held, this.#heldBytes) };
    await this.#send();
    return { end: true };
  }

  /** The last chunk has been taken. */
  goOn(): void {
    this.#onTaken?.();
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
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#taken = promise;
      this.#onTaken = resolve;
      this.post({ chunk });
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
