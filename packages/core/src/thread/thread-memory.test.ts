import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { resourceLimits, threadHeapMb, watchHeap } from './thread-memory.js';

const [MIB, GIB] = [1024 ** 2, 1024 ** 3];

it.each([
  [2, 16, 23 * GIB, 768],
  [2, 4, 2 * GIB, 512],
  [8, 4, 4 * GIB, 256],
  [8, 16, GIB / 2, 576],
  [2, 64, 23 * GIB, 2304],
])('%i threads for bodies of %i MiB in a memory of %i bytes have %i MiB each', (threads, body, memory, expected) => {
  expect(threadHeapMb(threads, body * MIB, memory)).toBe(expected);
});

describe('a thread that is watched', () => {
  it.each([
    ['a list', 'const all = []; for (;;) all.push({ all });'],
    ['texts', 'const all = []; for (let i = 0; ; i++) all.push("text ".repeat(100) + i);'],
  ])('is found out when it fills its memory with %s, before the engine ends the process', async (_, code) => {
    const worker = new Worker(code, { eval: true, resourceLimits: resourceLimits(200) });
    onTestFinished(async () => void (await worker.terminate()));
    await expect(exceeded(worker, 200)).resolves.toBeUndefined();
  });

  it('is left alone when its work is done', async () => {
    const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
    onTestFinished(async () => void (await worker.terminate()));
    let told = 0;
    const stop = watchHeap(worker, 0, () => told++);
    stop();
    await exceeded(worker, 0);
    expect(told).toBe(0);
  });
});

/** Resolves when the watch finds that the thread has too much. */
async function exceeded(worker: Worker, heapMb: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = watchHeap(worker, heapMb, resolve);
  await promise;
  stop();
}
