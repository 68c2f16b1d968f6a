import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PageList, prefetched } from './prefetched.js';

/** Lists whose pages are named, and what happened to them. */
function lists(sizes: readonly number[]) {
  const log: string[] = [];
  const list = (name: number, size: number): PageList<string> =>
    async function* (signal) {
      log.push(`start ${name}`);
      signal.addEventListener('abort', () => log.push(`abort ${name}`));
      for (let page = 0; page < size; page++) {
        log.push(`fetch ${name}.${page}`);
        yield `${name}.${page}`;
      }
    };
  return { log, lists: sizes.map((size, name) => list(name, size)) };
}

async function all(source: AsyncIterable<string>): Promise<string[]> {
  const pages: string[] = [];
  for await (const page of source) pages.push(page);
  return pages;
}

describe('pages that are fetched ahead', () => {
  it('come in the order of the lists, whatever is under way', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 8 }), fc.integer({ min: 1, max: 5 }), async (sizes, ahead) => {
        const expected = sizes.flatMap((size, name) => Array.from({ length: size }, (_, page) => `${name}.${page}`));
        expect(await all(prefetched(lists(sizes).lists, ahead))).toEqual(expected);
      }),
    );
  });

  it('are at most one of each of so many lists', async () => {
    const { log, lists: sources } = lists([3, 3, 3, 3]);
    const pages = prefetched(sources, 2);
    expect((await pages.next()).value).toBe('0.0');
    await new Promise(setImmediate);
    expect(log.filter((line) => line.startsWith('fetch'))).toEqual(['fetch 0.0', 'fetch 1.0', 'fetch 0.1']);
    await pages.return();
  });

  it('stop when nobody wants more', async () => {
    const { log, lists: sources } = lists([2, 2, 2]);
    for await (const _ of prefetched(sources, 2)) break;
    expect(log).toEqual(expect.arrayContaining(['abort 0', 'abort 1']));
    expect(log).not.toContain('start 2');
  });

  it('stop when the signal says so', async () => {
    const { log, lists: sources } = lists([2, 2]);
    const stop = new AbortController();
    const pages = prefetched(sources, 2, stop.signal);
    await pages.next();
    stop.abort();
    expect(log).toEqual(expect.arrayContaining(['abort 0', 'abort 1']));
    await pages.return();
  });

  it('fail when their turn comes, and not before', async () => {
    const failing: PageList<string> = async function* () {
      yield* [];
      throw new Error('no such list');
    };
    const pages = prefetched([...lists([2]).lists, failing], 2);
    expect((await pages.next()).value).toBe('0.0');
    expect((await pages.next()).value).toBe('0.1');
    await expect(pages.next()).rejects.toThrow('no such list');
  });
});
