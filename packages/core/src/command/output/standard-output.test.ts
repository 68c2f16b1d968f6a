import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { outputTo } from './standard-output.js';

/** A reader that takes each chunk only when it is let. */
function slowReader() {
  const waiting: (() => void)[] = [];
  const stream = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void waiting.push(() => done()) });
  return { stream, letOne: () => waiting.shift()?.() };
}

describe('an output', () => {
  it('waits for a slow reader, again and again, with the listeners that it began with', async () => {
    const { stream, letOne } = slowReader();
    const output = outputTo(stream);
    const listeners = () => stream.listenerCount('drain') + stream.listenerCount('error');
    const before = listeners();
    for (let round = 0; round < 100; round++) {
      const written = output.write('x');
      expect(written).toBeInstanceOf(Promise);
      setImmediate(letOne);
      await written;
    }
    expect(listeners()).toBe(before);
  });

  it('drops what is written once nobody reads, and keeps nobody waiting', async () => {
    const { stream } = slowReader();
    const output = outputTo(stream);
    const written = output.write('x');
    stream.destroy(new Error('gone'));
    await written;
    expect(output.write('y')).toBeUndefined();
  });
});
