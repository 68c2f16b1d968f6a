import { describe, expect, it } from 'vitest';
import { isInputError } from '../yaml/source-document.js';
import { onceInput } from './once-input.js';
import { splitDocuments } from './split.js';

/** A source of pieces that says how many were taken, and whether it was told that no more will be. */
function source(pieces: Iterable<string | Uint8Array>) {
  const state = { opened: 0, taken: 0, closed: false };
  const open = async function* () {
    state.opened += 1;
    try {
      for (const piece of pieces) {
        state.taken += 1;
        yield Buffer.from(piece);
      }
    } finally {
      state.closed = true;
    }
  };
  return { state, input: onceInput('<stdin>', open) };
}

async function textOf(chunks: AsyncIterable<Uint8Array>, most = Number.POSITIVE_INFINITY): Promise<string> {
  const read: Uint8Array[] = [];
  for await (const chunk of chunks) {
    read.push(chunk);
    if (read.length >= most) break;
  }
  return Buffer.concat(read).toString();
}

function* endless(piece: Uint8Array): Generator<Uint8Array> {
  for (;;) yield piece;
}

describe('an input that can be read only once', () => {
  it('is read as it is consumed, and read again from what was kept', async () => {
    const { input, state } = source(['a: ', '1\n', 'b: 2\n']);
    expect(state.opened).toBe(0);
    expect(await textOf(input.open(), 2)).toBe('a: 1\n');
    expect(state.taken).toBe(2);
    expect(await textOf(input.open())).toBe('a: 1\nb: 2\n');
    expect(await textOf(input.open({ last: true }))).toBe('a: 1\nb: 2\n');
    expect(state).toEqual({ opened: 1, taken: 3, closed: true });
  });

  it('gives the same bytes again however small and large the pieces were', async () => {
    const pieces = Array.from({ length: 3000 }, (_, index) => String(index).repeat(index % 7 === 0 ? 997 : 1));
    const { input } = source(pieces);
    const text = pieces.join('');
    expect(await textOf(input.open())).toBe(text);
    expect(await textOf(input.open())).toBe(text);
  });

  it('is closed when its last reader has seen enough', async () => {
    const { input, state } = source(endless(Buffer.from('x')));
    await textOf(input.open({ last: true }), 3);
    expect(state).toEqual({ opened: 1, taken: 3, closed: true });
    await expect(textOf(input.open())).rejects.toThrow('after its last reader');
  });

  it('is an error, and is closed, when more than 256 MiB would have to be kept; what came before is read', async () => {
    const piece = Buffer.alloc(8 * 1024 * 1024, 'a');
    piece.write('---\nx: ');
    piece.write('\n', piece.length - 1);
    const { input, state } = source(endless(piece));
    for (const options of [{}, { last: true }]) {
      const parts = await Array.fromAsync(splitDocuments(input, options));
      expect(parts.filter((part) => !isInputError(part))).toHaveLength(31);
      expect(parts.filter(isInputError)).toEqual([
        {
          code: 'input-too-large',
          message: expect.stringMatching(/longer than 256 MiB.*Save it to a file/),
          location: { file: '<stdin>', line: 1, column: 1 },
        },
      ]);
    }
    expect(state).toMatchObject({ opened: 1, closed: true });
  });

  it('has no limit for its last reader', async () => {
    const piece = Buffer.alloc(8 * 1024 * 1024, 'a');
    const { input } = source(Array.from({ length: 40 }, () => piece));
    let length = 0;
    for await (const chunk of input.open({ last: true })) length += chunk.length;
    expect(length).toBe(40 * piece.length);
  });
});
