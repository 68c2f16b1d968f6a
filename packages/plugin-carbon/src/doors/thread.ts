import { Worker } from 'node:worker_threads';
import type { ProblemOptions } from '@bylaw/core/http';
import type { OperationName } from './operations.js';

/** What a thread was asked, and what it says. */
export interface ThreadRequest {
  operation: OperationName;
  body: Uint8Array;
}

export type ThreadAnswer =
  | { body: Uint8Array }
  | { problem: { code: 'invalid-json' | 'schema'; options: ProblemOptions } }
  | { error: { code: string; message: string; hint: string | undefined; path: string } };

/** As many requests are computed at a time; the others wait. */
const AT_ONCE = 2;

/** The compiled file, also where the sources are run by a test runner. */
const WORKER_FILE = new URL('../../dist/doors/worker.js', import.meta.url);

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Answers a body on a thread of its own, so that the thread that serves sockets is never busy for long.
 * @param signal ends the thread: nobody waits for the answer any more
 */
export async function answerInThread(request: ThreadRequest, signal?: AbortSignal): Promise<ThreadAnswer> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    signal?.throwIfAborted();
    return await answered(request, signal);
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

function answered(request: ThreadRequest, signal?: AbortSignal): Promise<ThreadAnswer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER_FILE, { workerData: request });
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
