import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EVALUATIONS, type ThreadKind } from '@bylaw/core/endpoint';
import { operationThreads, type ThreadAnswer, wholeBody } from '@bylaw/core/operation';
import { liveThreads } from '@bylaw/core/testing/live-threads';
import { type AskOptions, SMALL } from '@bylaw/core/thread';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { evaluate as evaluation, validate } from './index.js';

let folder: string;
let endless: string;

const threads = liveThreads();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bylaw-pool-'));
  const file = join(folder, 'compare.mjs');
  await writeFile(file, 'export default () => () => { for (;;); };');
  endless = pathToFileURL(file).href;
  await mkdir(join(folder, 'rules'));
  await writeFile(join(folder, 'rules', 'ACME-001.yaml'), RULE);
});

const RULE = `id: ACME-001
severity: LOW
title: Pods have a name
description: For the pool there is one rule.
targets: [Pod]
expression: object.metadata.name != ""
fix: Name it.
examples:
  - { fail: { apiVersion: v1, kind: Pod, metadata: { name: '' } } }
  - { pass: { apiVersion: v1, kind: Pod, metadata: { name: p } } }
`;

afterAll(() => rm(folder, { recursive: true }));

/** Threads of a server. */
interface Pool {
  request(operation: 'evaluate' | 'validate', body: Uint8Array, options?: AskOptions): Promise<ThreadAnswer>;
  close(): Promise<void>;
}

const MODULES = { evaluate: evaluation.thread?.module ?? '', validate: validate.thread?.module ?? '' };

/** Threads on which comparisons never end, and evaluations do. */
function pool(size: number, maxWaiting = 10, limits: ThreadKind['limits'] = {}): Pool {
  const comparing = { config: { workloads: {} }, base: folder, modules: [{ member: 'cost', module: endless } as const] };
  const pool = operationThreads();
  pool.prepare({ version: '1.2.3', origin: { packs: [], ruleDirs: [join(folder, 'rules')] }, defaults: {}, comparing, readers: [] });
  pool.open(EVALUATIONS, { size, warm: true, maxWaiting, ...limits }, Object.values(MODULES));
  onTestFinished(() => pool.close());
  return {
    request: (operation, body, options) => pool.answer({ module: MODULES[operation], operation, body, now: NOW }, options, EVALUATIONS),
    close: () => pool.close(),
  };
}

const problem = (slug: string) => ({ kind: { slug } });

const bytes = (value: object) => new TextEncoder().encode(JSON.stringify(value));
const NOW = '2026-11-22T00:00:00.000Z';
const compare = (pool: Pool, signal?: AbortSignal, client?: string) =>
  pool.request('validate', bytes({ current: { manifests: [] }, proposed: { manifests: [] } }), optionsOf(signal, client));
const evaluate = (pool: Pool, signal?: AbortSignal, client?: string) =>
  pool.request('evaluate', bytes({ manifests: [pod('a')] }), optionsOf(signal, client));
const optionsOf = (signal?: AbortSignal, client?: string) => ({ signal, ...(client !== undefined && { client }) });
const pod = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name } });

/** Every rule passes or fails on every Pod; `include_passed` makes an answer long. */
const manyPods = (count: number, more: object = {}) => bytes({ manifests: Array.from({ length: count }, () => pod('')), ...more });

describe('a pool of threads', () => {
  it('frees the thread of a request that nobody waits for any more', async () => {
    const one = pool(1);
    const abort = new AbortController();
    const left = compare(one, abort.signal);
    const next = evaluate(one);
    abort.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(await next).toHaveProperty('body');
  });

  it('holds as many threads as it is to have, however many requests were left', async () => {
    const two = pool(2);
    for (let round = 0; round < 5; round++) {
      const abort = new AbortController();
      const left = [compare(two, abort.signal), compare(two, abort.signal), compare(two, abort.signal)];
      abort.abort(new Error('gone'));
      for (const one of left) await expect(one).rejects.toThrow('gone');
    }
    expect(await Promise.all([evaluate(two), evaluate(two), evaluate(two)])).toHaveLength(3);
    await expect.poll(() => threads.size).toBe(2);
    await two.close();
    expect(threads.size).toBe(0);
  });

  it('lets a request that waits leave the queue, and gives its place to others', async () => {
    const one = pool(1, 1);
    await evaluate(one); // its thread is ready
    const [running, waiting] = [new AbortController(), new AbortController()];
    const endless = compare(one, running.signal);
    const queued = evaluate(one, waiting.signal);
    await expect(evaluate(one)).rejects.toMatchObject(problem('overloaded'));
    waiting.abort(new Error('gone'));
    await expect(queued).rejects.toThrow('gone');
    const last = evaluate(one);
    running.abort(new Error('gone as well'));
    await expect(endless).rejects.toThrow('gone as well');
    expect(await last).toHaveProperty('body');
  });

  it('takes no request of a client that has gone already', async () => {
    const one = pool(1);
    await expect(compare(one, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(await evaluate(one, new AbortController().signal)).toHaveProperty('body');
  });

  it('is not disturbed by a client that goes when it has its answer', async () => {
    const one = pool(1);
    const abort = new AbortController();
    expect(await evaluate(one, abort.signal)).toHaveProperty('body');
    const [thread] = threads;
    abort.abort();
    expect(await evaluate(one)).toHaveProperty('body');
    expect([...threads]).toEqual([thread]);
  });

  it('ends requests that run or wait when it is closed', async () => {
    const one = pool(1);
    const requests = Promise.allSettled([compare(one), evaluate(one)]);
    await one.close();
    expect((await requests).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(threads.size).toBe(0);
  });
});

describe('a long answer', () => {
  const count = 50_000;

  it('comes in chunks, which are made as they are taken, and then frees its thread', async () => {
    const one = pool(1, 10, { heapMb: 256 });
    const answer = await one.request('evaluate', manyPods(count, { limit: 0 }));
    const body = 'body' in answer ? answer.body : expect.fail(JSON.stringify(answer));
    expect(body).not.toBeInstanceOf(Uint8Array);
    const next = evaluate(one);
    const { findings, summary } = JSON.parse(Buffer.from((await wholeBody(body, 1 << 30)) ?? []).toString());
    expect([findings.length, summary.findings]).toEqual([count, count]);
    expect(await next).toHaveProperty('body');
    expect(threads.size).toBe(1);
  });

  it('that nobody takes to its end gives its thread back', async () => {
    const one = pool(1);
    const answer = await one.request('evaluate', manyPods(count, { limit: 0 }));
    if (!('body' in answer) || answer.body instanceof Uint8Array) expect.fail('the answer is whole');
    for await (const _ of answer.body) break;
    expect(await evaluate(one)).toHaveProperty('body');
  });

  it('whose client goes before it takes any of it gives its thread back', async () => {
    const one = pool(1);
    const abort = new AbortController();
    const answer = await one.request('evaluate', manyPods(count, { limit: 0 }), { signal: abort.signal });
    expect(answer).toHaveProperty('body');
    const next = evaluate(one);
    abort.abort(new Error('gone'));
    expect(await next).toHaveProperty('body');
  });

  it('holds at most as many findings as the request or the default says', async () => {
    const one = pool(1);
    const count = 12_000;
    for (const [more, shown] of [
      [{}, 10_000],
      [{ limit: 3 }, 3],
    ] as const) {
      const answer = await one.request('evaluate', manyPods(count, more));
      const body = 'body' in answer ? answer.body : expect.fail(JSON.stringify(answer));
      const { findings, summary, truncated } = JSON.parse(Buffer.from((await wholeBody(body, 1 << 30)) ?? []).toString());
      expect([findings.length, summary.findings, truncated.findings]).toEqual([shown, count, { shown, total: count }]);
    }
  });
});

describe('a request that needs more than it may have', () => {
  it('of memory fails alone, and its thread is replaced', async () => {
    const two = pool(2, 10, { heapMb: 64 });
    const other = evaluate(two);
    const body = bytes({
      manifests: Array.from({ length: 100_000 }, () => ({ ...pod('a'), spec: { containers: [{ env: [{}, {}, {}, {}, {}] }] } })),
    });
    await expect(two.request('evaluate', body)).rejects.toMatchObject(problem('evaluation-memory'));
    expect(await other).toHaveProperty('body');
    expect(await Promise.all([evaluate(two), evaluate(two)])).toHaveLength(2);
    await expect.poll(() => threads.size).toBe(2);
  });

  it('of time is ended, and its thread is replaced', async () => {
    const one = pool(1, 10, { small: { ...SMALL, ms: 1 }, deadlineMs: 3_000 });
    await expect(compare(one)).rejects.toMatchObject(problem('evaluation-timeout'));
    expect(await evaluate(one)).toHaveProperty('body');
  });
});

describe('small requests', () => {
  /** One that never ends, and whose body is not small. */
  const compareLarge = (pool: Pool, signal: AbortSignal) =>
    pool.request('validate', bytes({ current: { content: '#'.repeat(70_000) }, proposed: { manifests: [] } }), { signal });

  it('have a thread when large ones wait for theirs', async () => {
    const two = pool(2);
    const abort = new AbortController();
    const large = Promise.allSettled([compareLarge(two, abort.signal), compareLarge(two, abort.signal), compareLarge(two, abort.signal)]);
    expect(await evaluate(two)).toHaveProperty('body');
    abort.abort(new Error('gone'));
    expect((await large).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('that take as long as large ones leave the thread of the small ones', async () => {
    const two = pool(2, 10, { small: { ...SMALL, ms: 3_000 } });
    const abort = new AbortController();
    const endless = Promise.allSettled([compare(two, abort.signal), compare(two, abort.signal)]);
    expect(await evaluate(two)).toHaveProperty('body');
    abort.abort(new Error('gone'));
    await endless;
  });
});
