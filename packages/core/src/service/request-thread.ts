import { Worker } from 'node:worker_threads';
import { endThread } from '../evaluate/end-thread.js';
import type { FromRequestWorker, RequestMessage, ToRequestWorker, WorkerSetup } from './request-messages.js';
import { EvaluationMemoryError, isOutOfMemory, resourceLimits, watchHeap } from './thread-memory.js';

/** A thread of a pool. It has one request at a time. */
export interface RequestThread {
  /** Resolves when the thread has loaded its rules. */
  readonly ready: Promise<unknown>;
  /** The first message of the answer. @throws {EvaluationMemoryError}; any error that ends the thread */
  ask(message: RequestMessage): Promise<FromRequestWorker>;
  /** The next message of an answer in chunks. @throws as `ask` */
  next(): Promise<FromRequestWorker>;
  terminate(): Promise<unknown>;
}

/** Threads run the compiled file, also where the sources are run by a test runner. */
const WORKER_FILE = new URL('../../dist/service/request-worker.js', import.meta.url);

/** @param heapMb MiB that the objects of the thread may take */
export function startRequestThread(setup: WorkerSetup, heapMb: number): RequestThread {
  const worker = new Worker(WORKER_FILE, { workerData: setup, resourceLimits: resourceLimits(heapMb) });
  let pending: { resolve(answer: FromRequestWorker): void; reject(error: Error): void } | undefined;
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    pending?.reject(failure);
    pending = undefined;
  };
  worker.on('message', (answer: FromRequestWorker) => {
    if ('tooMuchMemory' in answer) return fail(new EvaluationMemoryError());
    pending?.resolve(answer);
    pending = undefined;
  });
  worker.on('error', (error) => fail(isOutOfMemory(error) ? new EvaluationMemoryError() : error));
  worker.on('exit', () => fail(new Error('a worker thread ended early')));
  const messageAfter = (message?: ToRequestWorker) =>
    new Promise<FromRequestWorker>((resolve, reject) => {
      if (failure) return reject(failure);
      pending = { resolve, reject };
      if (message) worker.postMessage(message, 'body' in message ? ownBuffer(message.body) : []);
    });
  const answerTo = async (message?: ToRequestWorker) => {
    const done = new AbortController();
    watchHeap(worker, heapMb, done.signal).catch((error: unknown) => error instanceof EvaluationMemoryError && fail(error));
    return messageAfter(message).finally(() => done.abort());
  };
  const ready = messageAfter();
  ready.catch(() => undefined); // told to the first request
  return {
    ready,
    ask: answerTo,
    next: () => answerTo({ more: true }),
    terminate: () => endThread(worker),
  };
}

/** The block of memory of the bytes, if it holds nothing else: it can then be handed over. */
function ownBuffer({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && byteLength === buffer.byteLength ? [buffer] : [];
}
