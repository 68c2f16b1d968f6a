import { MAX_KEPT_BYTES } from '../text/limits.js';
import { ReadError } from '../text/read-error.js';
import type { Input } from './input.js';

/**
 * A source that can be read only once, such as standard input or a pipe. Its bytes are kept while it may be opened again, up to a limit; the last
 * reader gets them as they come.
 */
export function onceInput(file: string, source: () => AsyncIterable<Uint8Array>): Input {
  const kept = new KeptBytes();
  let chunks: AsyncIterator<Uint8Array> | undefined;
  let state: 'reading' | 'ended' | 'too-large' | 'given-away' = 'reading';
  return {
    file,
    explicit: true,
    async *open({ last = false } = {}) {
      yield* kept.blocks();
      if (state === 'too-large') throw tooLarge();
      if (state === 'given-away') throw new Error('an input was opened again after its last reader');
      if (state === 'ended') return;
      chunks ??= source()[Symbol.asyncIterator]();
      if (last) state = 'given-away';
      try {
        for (let step = await chunks.next(); step.done !== true; step = await chunks.next()) {
          if (!last && !kept.add(step.value)) {
            state = 'too-large';
            throw tooLarge();
          }
          yield step.value;
        }
        state = 'ended';
      } finally {
        // Whoever writes to the pipe should not wait for a reader that does not come.
        if (state !== 'reading' && state !== 'ended') await chunks.return?.();
      }
    },
  };
}

function tooLarge(): ReadError {
  return new ReadError(
    'input-too-large',
    0,
    `This input is longer than ${MAX_KEPT_BYTES / 1024 / 1024} MiB and must be read twice, because some of the rules need all objects. Save it to a file and pass the file, which can have any length.`,
  );
}

const BLOCK_BYTES = 1024 * 1024;

/** Bytes in blocks of one size, however small the pieces are in which they come. */
class KeptBytes {
  private readonly full: Uint8Array[] = [];
  private block = Buffer.alloc(0);
  private used = 0;

  /** False if there is no room for them. */
  add(bytes: Uint8Array): boolean {
    if (this.full.length * BLOCK_BYTES + this.used + bytes.length > MAX_KEPT_BYTES) return false;
    for (let rest = bytes; rest.length > 0; ) {
      if (this.used === this.block.length) this.newBlock();
      const part = rest.subarray(0, this.block.length - this.used);
      this.block.set(part, this.used);
      this.used += part.length;
      rest = rest.subarray(part.length);
    }
    return true;
  }

  *blocks(): Generator<Uint8Array> {
    yield* this.full;
    if (this.used > 0) yield this.block.subarray(0, this.used);
  }

  private newBlock(): void {
    if (this.block.length > 0) this.full.push(this.block);
    this.block = Buffer.alloc(BLOCK_BYTES);
    this.used = 0;
  }
}
