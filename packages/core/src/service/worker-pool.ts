import type { Operation, Refusal } from './answer.js';
import { FairQueue, type Turn } from './fair-queue.js';
import type { FromRequestWorker, RequestMessage, WorkerSetup } from './request-messages.js';
import { type RequestThread, startRequestThread } from './request-thread.js';
import { threadHeapMb } from './thread-memory.js';

/** The bytes of an answer: whole, or in chunks if it is long. Whoever gets chunks takes all of them, or ends the iteration. */
export type PoolAnswer = { body: Uint8Array | AsyncIterable<Uint8Array> } | Refusal;

export interface WorkerPoolOptions {
  /** Worker threads. They start with the pool, so that the first request does not wait for the catalogue. */
  size: number;
  setup: WorkerSetup;
  /** Requests of each size (small, large) that may wait for a worker; one more is refused. */
  maxWaiting: number;
  limits?: Partial<PoolLimits>;
}

export interface PoolLimits {
  /** Bytes of the body of a small request. */
  smallBytes: number;
  /** Milliseconds after which a small request counts as a large one, and goes back to the queue if it keeps others from a thread. */
  smallMs: number;
  /** Milliseconds that a request has a thread, and with it those that a client takes to read an answer in chunks. */
  runMs: number;
  /** Milliseconds that a request waits for a thread. */
  waitMs: number;
  /** MiB that the objects of one thread may take; by default what `threadHeapMb` says for bodies of 16 MiB. */
  heapMb: number;
}

export interface RequestOptions {
  /** Aborted when nobody waits for the answer any more: the request leaves the queue, or its worker is replaced. */
  signal?: AbortSignal | undefined;
  /** Whom the request is from. One client has at most half of the threads for large requests, and half of the queue. */
  client?: string;
}

/** Thrown for a request that has had a thread for as long as it may. Its thread is replaced. */
export class EvaluationTimeoutError extends Error {
  override readonly name = 'EvaluationTimeoutError';
}

/** The default of `api.max_body_bytes`. */
const DEFAULT_BODY_BYTES = 16 * 1024 * 1024;

/** A small request takes as long, or answers as much, as a large one, and there is no room for one more of those. */
class NotSmallError extends Error {}

/**
 * Threads that answer whole requests, from the bytes of the body to the bytes of the answer, so that the thread that serves
 * sockets never parses a large body. A worker that dies is replaced, and only the request that it had is lost.
 */
export class WorkerPool {
  readonly #limits: PoolLimits;
  readonly #queue: FairQueue;
  /** As many as there are turns that nobody has. */
  readonly #idle: RequestThread[] = [];
  readonly #all = new Set<RequestThread>();
  #closed = false;

  constructor(private readonly options: WorkerPoolOptions) {
    const { size, maxWaiting, limits } = options;
    this.#limits = {
      smallBytes: 64 * 1024,
      smallMs: 2_000,
      runMs: 120_000,
      waitMs: 150_000,
      heapMb: threadHeapMb(size, DEFAULT_BODY_BYTES),
      ...limits,
    };
    this.#queue = new FairQueue({ threads: size, maxWaiting, maxWaitMs: this.#limits.waitMs });
    for (let i = 0; i < size; i++) this.#start();
  }

  /**
   * @param body its buffer is handed over to the worker: it must not be used after the call
   * @param today the day of the request, `YYYY-MM-DD` (UTC)
   * @throws {PoolBusyError} when too many requests wait, or this one has waited too long; {EvaluationTimeoutError};
   * {EvaluationMemoryError}; the reason of the signal. Chunks throw the last three as well
   */
  async request(operation: Operation, body: Uint8Array, today: string, { client, signal }: RequestOptions = {}): Promise<PoolAnswer> {
    if (body.byteLength > this.#limits.smallBytes) return this.#run({ operation, body, today }, { client, size: 'large' }, signal);
    const again = body.slice();
    try {
      return await this.#run({ operation, body, today }, { client, size: 'small' }, signal);
    } catch (error) {
      if (!(error instanceof NotSmallError)) throw error;
      return this.#run({ operation, body: again, today }, { client, size: 'large' }, signal);
    }
  }

  /** Stops all workers; requests that still run or wait fail. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.close();
    await Promise.all([...this.#all].map((thread) => thread.terminate()));
  }

  async #run(
    message: RequestMessage,
    claim: { client: string | undefined; size: 'small' | 'large' },
    signal: AbortSignal | undefined,
  ): Promise<PoolAnswer> {
    const turn = await this.#queue.enter(claim, signal);
    const thread = this.#idle.pop();
    if (!thread) throw new Error('there is a turn without a thread');
    const { until, startClock, stopClock } = this.#timeLimit(claim.size, turn, signal);
    let released = false;
    const release = (reusable: boolean) => {
      if (released) return;
      released = true;
      stopClock();
      if (reusable) this.#free(thread, turn);
      else void this.#replace(thread, turn);
    };
    until.addEventListener('abort', () => release(false), { once: true });
    try {
      await unlessAborted(until, () => thread.ready);
      startClock();
      const answer = await unlessAborted(until, () => thread.ask(message));
      if ('chunk' in answer) {
        if (!turn.grow()) throw new NotSmallError();
        return { body: chunks(answer.chunk, () => unlessAborted(until, () => thread.next()), release) };
      }
      release(true);
      return wholeAnswer(answer);
    } catch (error) {
      release(false);
      throw error;
    }
  }

  /** Aborted by the signal, or when a request has had its thread for too long. The clock starts when the thread is ready. */
  #timeLimit(size: 'small' | 'large', turn: Turn, signal: AbortSignal | undefined) {
    const { smallMs, runMs } = this.#limits;
    const over = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    let left = runMs;
    const startLong = () => {
      timer = setTimeout(() => over.abort(new EvaluationTimeoutError()), left);
    };
    const startShort = () => {
      timer = setTimeout(() => {
        left -= smallMs;
        if (turn.grow() || left <= 0) startLong();
        else if (turn.isWanted()) over.abort(new NotSmallError());
        else startShort();
      }, smallMs);
    };
    return {
      until: signal ? AbortSignal.any([signal, over.signal]) : over.signal,
      startClock: size === 'small' ? startShort : startLong,
      stopClock: () => clearTimeout(timer),
    };
  }

  /** A thread that is busy is ended, and another one is started when it has ended: there are never more than `size`. */
  async #replace(thread: RequestThread, turn: Turn): Promise<void> {
    await thread.terminate();
    this.#all.delete(thread);
    if (this.#closed) return;
    this.#start();
    turn.leave();
  }

  #start(): void {
    const thread = startRequestThread(this.options.setup, this.#limits.heapMb);
    this.#all.add(thread);
    this.#idle.push(thread);
  }

  #free(thread: RequestThread, turn: Turn): void {
    this.#idle.push(thread);
    turn.leave();
  }
}

function wholeAnswer(answer: FromRequestWorker): PoolAnswer {
  if ('body' in answer || 'problem' in answer) return answer;
  throw new Error('failure' in answer ? answer.failure : 'a worker thread gave the wrong answer');
}

/** @param release called once, with whether the thread has come to its end */
async function* chunks(
  first: Uint8Array,
  next: () => Promise<FromRequestWorker>,
  release: (reusable: boolean) => void,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield first;
    for (let message = await next(); !('end' in message); message = await next()) {
      if (!('chunk' in message)) throw new Error('failure' in message ? message.failure : 'a worker thread gave the wrong answer');
      yield message.chunk;
    }
    release(true);
  } finally {
    release(false);
  }
}

/** What comes of a task, or the reason of the signal, whichever is first. */
async function unlessAborted<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
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
