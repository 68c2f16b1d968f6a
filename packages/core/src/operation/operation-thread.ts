import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type HttpProblem, problem } from '../http/index.js';
import { FairQueue, PoolBusyError } from '../service/fair-queue.js';
import { EvaluationMemoryError, isOutOfMemory, resourceLimits, threadHeapMb, watchHeap } from '../service/thread-memory.js';
import type { ThreadAnswer, ThreadRequest } from './operation.js';

/** As many requests are computed at a time in this process, of which one is small; the others wait. */
const AT_ONCE = 3;

/** Requests of each size that may wait, and for how many milliseconds. */
const [MOST_WAITING, MOST_WAIT_MS] = [64, 120_000];

const SMALL_BODY = 64 * 1024;

const HEAP_MB = threadHeapMb(AT_ONCE, 16 * 1024 * 1024);

/** A thread is warm after its first answer. What its caches and its heap hold is given back after so many, or after a body so large. */
const MOST_ANSWERS = 64;
const LARGE_BODY = 4 << 20;

const queue = new FairQueue({ threads: AT_ONCE, maxWaiting: MOST_WAITING, maxWaitMs: MOST_WAIT_MS });

/** One warm thread for each worker file and its data. It does not keep the process from ending. */
const idle = new Map<string, { worker: Worker; answers: number }>();

export interface ThreadOptions {
  /** Aborted when nobody waits for the answer any more: the request leaves the queue, or its thread is ended. */
  signal?: AbortSignal;
  /** Whom the request is from; see `FairQueue` for its share. */
  client?: string;
  /** What the worker file finds in `workerData`: threads that have the same are used again. */
  data?: string;
}

/**
 * Answers a body on another thread, so that the one that serves sockets is never busy for long.
 * @param file compiled file that calls `serveOperation`
 * @throws {HttpProblem} `overloaded`, `evaluation-memory`; what the operation throws as a defect; the reason of the signal
 */
export async function answerInThread(file: URL, request: ThreadRequest, { signal, client, data }: ThreadOptions = {}): Promise<ThreadAnswer> {
  const size = request.body.byteLength > SMALL_BODY ? 'large' : 'small';
  const turn = await queue.enter({ client, size }, signal).catch((error: unknown) => {
    throw threadProblem(error) ?? error;
  });
  try {
    const kind = { file, data };
    const { worker, answers } = threadOf(kind);
    const large = request.body.byteLength > LARGE_BODY;
    const answer = await answered(worker, request, signal);
    if (large || answers + 1 === MOST_ANSWERS || idle.has(keyOf(kind))) void worker.terminate();
    else rest(kind, { worker, answers: answers + 1 });
    return answer;
  } catch (error) {
    throw threadProblem(error) ?? error;
  } finally {
    turn.leave();
  }
}

function threadProblem(error: unknown): HttpProblem | undefined {
  if (error instanceof PoolBusyError)
    return problem('overloaded', { detail: 'Too many requests wait. Try again.', headers: { 'Retry-After': '1' } });
  const outOfMemory = error instanceof EvaluationMemoryError || isOutOfMemory(error);
  return outOfMemory ? problem('evaluation-memory', { detail: 'Send less at a time.' }) : undefined;
}

interface ThreadKind {
  file: URL;
  data: string | undefined;
}

function keyOf({ file, data }: ThreadKind): string {
  return JSON.stringify([file.href, data]);
}

function threadOf(kind: ThreadKind): { worker: Worker; answers: number } {
  const key = keyOf(kind);
  const warm = idle.get(key);
  idle.delete(key);
  if (warm) {
    warm.worker.ref();
    return warm;
  }
  const worker = new Worker(kind.file, { resourceLimits: resourceLimits(HEAP_MB), workerData: kind.data });
  // A thread that ends while it rests is none any more.
  const gone = () => {
    if (idle.get(key)?.worker === worker) idle.delete(key);
  };
  worker.once('exit', gone).once('error', gone);
  return { worker, answers: 0 };
}

function rest(kind: ThreadKind, warm: { worker: Worker; answers: number }): void {
  idle.set(keyOf(kind), warm);
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
    const [answer] = await Promise.race([once(worker, 'message', { signal: until }), ended(), watchHeap(worker, HEAP_MB, until)]);
    return answer as ThreadAnswer; // `serveOperation` says nothing else
  } catch (error) {
    void worker.terminate();
    throw signal?.aborted ? signal.reason : error;
  } finally {
    over.abort();
  }
}
