import { Worker } from 'node:worker_threads';
import type { ThreadAnswer, ThreadRequest } from './operation.js';

/** As many requests are computed at a time in this process; the others wait. */
const AT_ONCE = 2;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Answers a body on a thread of its own, so that the thread that serves sockets is never busy for long.
 * @param worker a compiled file that calls `serveOperation`
 * @param signal ends the thread: nobody waits for the answer any more
 */
export async function answerInThread(worker: URL, request: ThreadRequest, signal?: AbortSignal): Promise<ThreadAnswer> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    signal?.throwIfAborted();
    return await answered(new Worker(worker, { workerData: request }), signal);
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

function answered(worker: Worker, signal?: AbortSignal): Promise<ThreadAnswer> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      void worker.terminate();
      reject(signal?.reason ?? new Error('no longer wanted'));
    };
    signal?.addEventListener('abort', stop, { once: true });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => {
      signal?.removeEventListener('abort', stop);
      reject(new Error('the thread ended without an answer'));
    });
  });
}
