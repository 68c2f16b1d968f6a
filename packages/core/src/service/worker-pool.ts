import { Worker } from 'node:worker_threads';
import { endThread } from '../evaluate/end-thread.js';
import type { CatalogueOrigin } from '../rule/index.js';
import type { Answer, Operation } from './answer.js';
import type { Comparing } from './comparing.js';
import type { RequestDefaults } from './request.js';

/** What a worker loads once. */
export interface WorkerSetup {
  origin: CatalogueOrigin;
  defaults: RequestDefaults;
  /** What plugins add to comparisons. */
  comparing: Comparing;
}

export type ToRequestWorker = { operation: Operation; body: Uint8Array; today: string };
export type FromRequestWorker = { body: Uint8Array } | Exclude<Answer, { body: string }> | { failure: string };

export type PoolAnswer = Exclude<FromRequestWorker, { failure: string }>;

export interface WorkerPoolOptions {
  /** Worker threads. They start with the pool, so that the first request does not wait for the catalogue. */
  size: number;
  setup: WorkerSetup;
  /** Requests that may wait for a worker; one more is refused. */
  maxWaiting: number;
}

/** Thrown when as many requests wait as may. */
export class PoolBusyError extends Error {
  override readonly name = 'PoolBusyError';
}

/**
 * Threads that answer whole requests, from the bytes of the body to the bytes of the answer, so that the thread that serves
 * sockets never parses a large body. A worker that dies is replaced, and only the request that it had is lost.
 */
export class WorkerPool {
  readonly #idle: RequestWorker[] = [];
  readonly #all = new Set<RequestWorker>();
  /** Each is given a worker, or nothing when the pool is closed. */
  readonly #waiting = new Set<(worker: RequestWorker | undefined) => void>();
  #closed = false;

  constructor(private readonly options: WorkerPoolOptions) {
    for (let i = 0; i < options.size; i++) this.#start();
  }

  /**
   * @param body its buffer is handed over to the worker: it must not be used after the call
   * @param today the day of the request, `YYYY-MM-DD` (UTC)
   * @param signal aborted when nobody waits for the answer any more: the request leaves the queue, or its worker is replaced
   * @throws {PoolBusyError} when too many requests wait; the reason of the signal
   */
  async request(operation: Operation, body: Uint8Array, today: string, signal?: AbortSignal): Promise<PoolAnswer> {
    signal?.throwIfAborted();
    const worker = this.#idle.pop() ?? (await this.#wait(signal));
    let answer: FromRequestWorker;
    try {
      answer = await unlessAborted(signal, () => worker.ask({ operation, body, today }));
    } catch (error) {
      void this.#replace(worker);
      throw error;
    }
    this.#free(worker);
    if ('failure' in answer) throw new Error(answer.failure);
    return answer;
  }

  /** Stops all workers; requests that still run or wait fail. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const waiter of this.#waiting) waiter(undefined);
    this.#waiting.clear();
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #wait(signal: AbortSignal | undefined): Promise<RequestWorker> {
    if (this.#closed || this.#waiting.size >= this.options.maxWaiting)
      throw new PoolBusyError('too many requests are waiting for a worker');
    return new Promise((resolve, reject) => {
      // Leaves the queue at once, so that it is given no worker which it would not use.
      const leave = () => {
        this.#waiting.delete(waiter);
        reject(signal?.reason);
      };
      const waiter = (worker: RequestWorker | undefined) => {
        signal?.removeEventListener('abort', leave);
        if (worker) resolve(worker);
        else reject(new PoolBusyError('the server is stopping'));
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.add(waiter);
    });
  }

  /** A thread that is busy is ended, and another one is started when it has ended: there are never more than `size`. */
  async #replace(worker: RequestWorker): Promise<void> {
    await worker.terminate();
    this.#all.delete(worker);
    if (!this.#closed) this.#start();
  }

  #start(): void {
    const worker = startWorker(this.options.setup);
    this.#all.add(worker);
    this.#free(worker);
  }

  #free(worker: RequestWorker): void {
    const [waiter] = this.#waiting;
    if (!waiter) this.#idle.push(worker);
    else {
      this.#waiting.delete(waiter);
      waiter(worker);
    }
  }
}

/** What comes of a task, or the reason of the signal, whichever is first. */
async function unlessAborted<T>(signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T> {
  if (!signal) return task();
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([task(), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

interface RequestWorker {
  ask(message: ToRequestWorker): Promise<FromRequestWorker>;
  terminate(): Promise<unknown>;
}

/** Threads run the compiled file, also where the sources are run by a test runner. */
const WORKER_FILE = new URL('../../dist/service/request-worker.js', import.meta.url);

function startWorker(setup: WorkerSetup): RequestWorker {
  const worker = new Worker(WORKER_FILE, { workerData: setup });
  let pending: { resolve(answer: FromRequestWorker): void; reject(error: Error): void } | undefined;
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    pending?.reject(error);
    pending = undefined;
  };
  worker.on('message', (answer: FromRequestWorker) => {
    pending?.resolve(answer);
    pending = undefined;
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('a worker thread ended early')));
  return {
    ask: (message) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure);
        pending = { resolve, reject };
        const { buffer } = message.body;
        const whole = buffer instanceof ArrayBuffer && message.body.byteLength === buffer.byteLength;
        worker.postMessage(message, whole ? [buffer] : []);
      }),
    terminate: () => endThread(worker),
  };
}
