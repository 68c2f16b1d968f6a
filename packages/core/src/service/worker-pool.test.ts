import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { PoolBusyError, WorkerPool } from './worker-pool.js';

let folder: string;
let endless: string;

/** The threads that were started in this process and have not ended. */
const threads = new Set<Worker>();
const onWorker = (worker: Worker) => {
  threads.add(worker);
  worker.once('exit', () => threads.delete(worker));
};

beforeAll(async () => {
  process.on('worker', onWorker);
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

beforeEach(() => expect.poll(() => threads.size).toBe(0));

afterAll(async () => {
  process.off('worker', onWorker);
  await rm(folder, { recursive: true });
});

/** One in which comparisons never end, and evaluations do. */
function pool(size: number, maxWaiting = 10): WorkerPool {
  const comparing = { config: { workloads: {} }, base: folder, modules: [{ member: 'cost', module: endless } as const] };
  const pool = new WorkerPool({
    size,
    maxWaiting,
    setup: { origin: { packs: [], ruleDirs: [join(folder, 'rules')] }, defaults: {}, comparing },
  });
  onTestFinished(() => pool.close());
  return pool;
}

const bytes = (value: object) => new TextEncoder().encode(JSON.stringify(value));
const compare = (pool: WorkerPool, signal?: AbortSignal) =>
  pool.request('validate', bytes({ current: { manifests: [] }, proposed: { manifests: [] } }), '2026-11-22', signal);
const evaluate = (pool: WorkerPool, signal?: AbortSignal) =>
  pool.request('evaluate', bytes({ manifests: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }] }), '2026-11-22', signal);

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
    const [running, waiting] = [new AbortController(), new AbortController()];
    const endless = compare(one, running.signal);
    const queued = evaluate(one, waiting.signal);
    await expect(evaluate(one)).rejects.toThrow(PoolBusyError);
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
