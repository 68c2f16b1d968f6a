import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';

/**
 * The threads that were started in this process and have not ended. Call it at the top of a test file: each test begins when none of
 * an earlier one is left.
 */
export function liveThreads(): ReadonlySet<Worker> {
  const threads = new Set<Worker>();
  const onWorker = (worker: Worker) => {
    threads.add(worker);
    worker.once('exit', () => threads.delete(worker));
  };
  beforeAll(() => void process.on('worker', onWorker));
  beforeEach(() => expect.poll(() => threads.size).toBe(0));
  afterAll(() => void process.off('worker', onWorker));
  return threads;
}
