import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ThreadAnswer, ThreadRequest } from './operation.js';

/** As many requests are computed at a time in this process; the others wait. */
const AT_ONCE = 2;

/** A thread is warm after its first answer. What its caches and its heap hold is given back after so many, or after a body so large. */
const MOST_ANSWERS = 64;
const LARGE_BODY = 4 << 20;

let running = 0;
const waiting = new Set<() => void>();

/** One warm thread for each worker file. It does not keep the process from ending. */
const idle = new Map<string, { worker: Worker; answers: number }>();

/**
 * Answers a body on another thread, so that the one that serves sockets is never busy for long.
 * @param file compiled file that calls `serveOperation`
 * @param signal nobody waits for the answer any more: the request leaves the queue, or its thread is ended
 * @throws what the operation throws as a defect; the reason of the signal
 */
export async function answerInThread(file: URL, request: ThreadRequest, signal?: AbortSignal): Promise<ThreadAnswer> {
  signal?.throwIfAborted();
  if (running >= AT_ONCE) await turn(signal);
  running += 1;
  try {
    const { worker, answers } = threadOf(file);
    const large = request.body.byteLength > LARGE_BODY;
    const answer = await answered(worker, request, signal);
    if (large || answers + 1 === MOST_ANSWERS || idle.has(file.href)) void worker.terminate();
    else rest(file, { worker, answers: answers + 1 });
    return answer;
  } finally {
    running -= 1;
    for (const next of waiting) {
      next();
      break;
    }
  }
}

/** Resolves when one of those before has ended. */
function turn(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.delete(enter);
      reject(signal?.reason);
    };
    const enter = () => {
      waiting.delete(enter);
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    signal?.addEventListener('abort', leave, { once: true });
    waiting.add(enter);
  });
}

function threadOf({ href }: URL): { worker: Worker; answers: number } {
  const warm = idle.get(href);
  idle.delete(href);
  if (warm) {
    warm.worker.ref();
    return warm;
  }
  const worker = new Worker(new URL(href));
  // A thread that ends while it rests is none any more.
  const gone = () => {
    if (idle.get(href)?.worker === worker) idle.delete(href);
  };
  worker.once('exit', gone).once('error', gone);
  return { worker, answers: 0 };
}

function rest({ href }: URL, warm: { worker: Worker; answers: number }): void {
  idle.set(href, warm);
  warm.worker.unref();
}

/** The answer; the thread is ended where there is none. */
async function answered(worker: Worker, request: ThreadRequest, signal?: AbortSignal): Promise<ThreadAnswer> {
  const over = new AbortController();
  const until = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  const ended = async () => {
    await once(worker, 'exit', { signal: until });
    throw new Error('the thread ended without an answer');
  };
  try {
    worker.postMessage(request);
    const [answer] = await Promise.race([once(worker, 'message', { signal: until }), ended()]);
    return answer as ThreadAnswer; // `serveOperation` says nothing else
  } catch (error) {
    void worker.terminate();
    throw signal?.aborted ? signal.reason : error;
  } finally {
    over.abort();
  }
}
