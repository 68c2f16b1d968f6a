import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { liveThreads } from '../testing/live-threads.test-support.js';
import { PoolBusyError, ProgramError, SMALL, ThreadPool, type ThreadPoolOptions, ThreadTimeoutError } from './index.js';

const CODE = `
  import { existsSync, writeFileSync } from 'node:fs';
  import { serveThread } from ${JSON.stringify(new URL('../../dist/thread/index.js', import.meta.url).href)};
  serveThread(({ name, brokenUntil }) => {
    if (brokenUntil && !existsSync(brokenUntil)) { writeFileSync(brokenUntil, ''); throw new Error('cannot start'); }
    let asked = 0;
    return async ({ ask, body }, send) => {
      if (ask === 'count') return { name, asked: ++asked };
      if (ask === 'length') return body.byteLength;
      if (ask === 'throw') throw new RangeError('a defect');
      if (ask === 'exit') process.exit(3);
      if (ask === 'never') for (;;);
      if (ask === 'chunks') for (const byte of [1, 2, 3]) await send(new Uint8Array([byte]));
      if (ask === 'broken chunks') { await send(new Uint8Array([1])); throw new TypeError('a defect'); }
    };
  });`;

interface Question {
  ask: string;
  body?: Uint8Array;
}

let folder: string;
let program: URL;

const threads = liveThreads();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bylaw-threads-'));
  program = pathToFileURL(join(folder, 'program.mjs'));
  await writeFile(program, CODE);
});

afterAll(() => rm(folder, { recursive: true }));

function poolOf(options: Partial<ThreadPoolOptions> = {}): ThreadPool<Question, unknown> {
  const all = { program, setup: { name: 'a' }, size: 1, warm: false, maxWaiting: 5, deadlineMs: 60_000, ...options };
  const pool = new ThreadPool<Question, unknown>(all);
  onTestFinished(() => pool.close());
  return pool;
}

describe('a thread of a pool', () => {
  it('is prepared once, and answers one message after another', async () => {
    const pool = poolOf();
    expect(await Promise.all([pool.ask({ ask: 'count' }), pool.ask({ ask: 'count' })])).toEqual([
      { name: 'a', asked: 1 },
      { name: 'a', asked: 2 },
    ]);
  });

  it('starts when it is needed, or with a warm pool', async () => {
    const [cold, warm] = [poolOf(), poolOf({ warm: true, size: 2 })];
    expect(warm.ready).toBe(0);
    await warm.started;
    expect([threads.size, warm.ready]).toEqual([2, 2]);
    await cold.ask({ ask: 'count' });
    expect(threads.size).toBe(3);
  });

  it('goes on when its program throws, and whoever asked gets the error', async () => {
    const pool = poolOf();
    const error = await pool.ask({ ask: 'throw' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProgramError);
    expect(error).toMatchObject({ name: 'RangeError', message: 'a defect', stack: expect.stringContaining('program.mjs') });
    const [thread] = threads;
    expect(await pool.ask({ ask: 'count' })).toEqual({ name: 'a', asked: 1 });
    expect([...threads]).toEqual([thread]);
  });

  it.each([true, false])('is replaced when it dies, and only its own message fails (warm: %s)', async (warm) => {
    const lost: unknown[] = [];
    const pool = poolOf({ warm, size: 2, onLost: (error) => lost.push(error) });
    const [dying, others] = [pool.ask({ ask: 'exit' }), Promise.all([1, 2, 3].map(() => pool.ask({ ask: 'count' })))];
    await expect(dying).rejects.toThrow('a thread ended early');
    expect(await others).toHaveLength(3);
    expect(lost).toHaveLength(1);
  });

  it.each([true, false])('is replaced when it dies while it waits for a message (warm: %s)', async (warm) => {
    const pool = poolOf({ warm });
    await pool.ask({ ask: 'count' });
    const [thread] = threads;
    await thread?.terminate();
    expect(await pool.ask({ ask: 'count' })).toEqual({ name: 'a', asked: 1 });
  });

  it.each([undefined, { bytes: 10, ms: 60 }, SMALL])('is replaced when it is past its deadline (small messages: %o)', async (small) => {
    const pool = poolOf({ deadlineMs: 100, ...(small && { small }) });
    const [stuck, next] = [pool.ask({ ask: 'never' }), pool.ask({ ask: 'count' })];
    await expect(stuck).rejects.toThrow(ThreadTimeoutError);
    expect(await next).toEqual({ name: 'a', asked: 1 });
  });

  it('is replaced when nobody waits for its answer any more', async () => {
    const pool = poolOf();
    const abort = new AbortController();
    const left = pool.ask({ ask: 'never' }, { signal: abort.signal, onStart: () => abort.abort(new Error('gone')) });
    await expect(left).rejects.toThrow('gone');
    expect(await pool.ask({ ask: 'count' })).toEqual({ name: 'a', asked: 1 });
    await expect.poll(() => threads.size).toBe(1);
  });

  it('may work on then, until its deadline', async () => {
    const lost: unknown[] = [];
    const pool = poolOf({ worksOn: true, deadlineMs: 300, onLost: (error) => lost.push(error) });
    const left = (ask: string) => {
      const abort = new AbortController();
      return pool.ask({ ask }, { signal: abort.signal, onStart: () => abort.abort(new Error('gone')) });
    };
    await expect(left('count')).rejects.toThrow('gone');
    expect(await pool.ask({ ask: 'count' })).toEqual({ name: 'a', asked: 2 });
    await expect(left('never')).rejects.toThrow('gone');
    expect(lost).toEqual([]);
    expect(await pool.ask({ ask: 'count' })).toEqual({ name: 'a', asked: 1 });
    expect(lost).toEqual([expect.any(ThreadTimeoutError)]);
  });

  it('ends after as many answers, or as large a body, as its pool says', async () => {
    const pool = poolOf({ small: { bytes: 10, ms: 60_000 }, retires: (answers, bytes) => answers === 2 || bytes > 10 });
    const asked = async (bytes: number) => ((await pool.ask({ ask: 'count', body: new Uint8Array(bytes) })) as { asked: number }).asked;
    expect([await asked(1), await asked(1), await asked(11), await asked(1)]).toEqual([1, 2, 1, 1]);
  });

  it('is given bytes: small ones as a copy, large ones themselves', async () => {
    const pool = poolOf({ small: { bytes: 10, ms: 1_000 } });
    for (const [bytes, left] of [
      [10, 10],
      [11, 0],
    ] as const) {
      const body = new Uint8Array(bytes);
      expect(await pool.ask({ ask: 'length', body })).toBe(bytes);
      expect(body.byteLength).toBe(left);
    }
  });
});

describe('a pool of threads', () => {
  it('refuses what finds too many waiting, and what it has not begun when it closes', async () => {
    const pool = poolOf({ maxWaiting: 1 });
    const all = Promise.allSettled([pool.ask({ ask: 'never' }), pool.ask({ ask: 'count' })]);
    await expect(pool.ask({ ask: 'count' })).rejects.toThrow(PoolBusyError);
    await pool.close();
    expect(await all).toMatchObject([
      { status: 'rejected', reason: { message: 'the server is stopping' } },
      { status: 'rejected', reason: { name: 'PoolBusyError' } },
    ]);
    await expect(pool.ask({ ask: 'count' })).rejects.toThrow(PoolBusyError);
    await expect.poll(() => threads.size).toBe(0);
  });

  it('that is warm tells that a thread cannot start, tries again, and lets messages wait for it', async () => {
    const lost: unknown[] = [];
    const brokenUntil = join(folder, 'broken');
    const pool = poolOf({ warm: true, setup: { name: 'b', brokenUntil }, onLost: (error) => lost.push(error) });
    await expect(pool.started).rejects.toThrow('cannot start');
    expect([pool.ready, lost]).toEqual([0, [expect.objectContaining({ message: 'cannot start' })]]);
    expect(await pool.ask({ ask: 'count' })).toEqual({ name: 'b', asked: 1 });
    expect(pool.ready).toBe(1);
  });

  it('that is not warm fails the message for which a thread cannot start', async () => {
    const pool = poolOf({ setup: { name: 'c', brokenUntil: join(folder, 'broken-once') } });
    await expect(pool.ask({ ask: 'count' })).rejects.toThrow('cannot start');
    expect(await pool.ask({ ask: 'count' })).toEqual({ name: 'c', asked: 1 });
  });
});

describe('an answer in chunks', () => {
  const chunksOf = async (pool: ThreadPool<Question, unknown>, ask: string, most = Number.POSITIVE_INFINITY) => {
    const got: number[] = [];
    for await (const [byte = 0] of (await pool.ask({ ask })) as AsyncIterable<Uint8Array>) {
      got.push(byte);
      if (got.length === most) break;
    }
    return got;
  };

  it('comes in order, and its thread then has the next message', async () => {
    const pool = poolOf();
    expect(await chunksOf(pool, 'chunks')).toEqual([1, 2, 3]);
    const [thread] = threads;
    expect(await chunksOf(pool, 'chunks')).toEqual([1, 2, 3]);
    expect([...threads]).toEqual([thread]);
  });

  it('that is left, or breaks, gives its thread or another one to the next message', async () => {
    const pool = poolOf();
    expect(await chunksOf(pool, 'chunks', 1)).toEqual([1]);
    expect(await chunksOf(pool, 'chunks')).toEqual([1, 2, 3]);
    await expect(chunksOf(pool, 'broken chunks')).rejects.toThrow('a defect');
    expect(await chunksOf(pool, 'chunks')).toEqual([1, 2, 3]);
  });
});
