import type { CatalogueOrigin } from '../rule/index.js';
import { type AskOptions, SMALL, ThreadPool, type ThreadPoolOptions, threadHeapMb } from '../thread/index.js';
import type { Operation, Refusal } from './answer.js';
import type { Comparing } from './comparing.js';
import type { RequestDefaults } from './request.js';

/** What a thread loads once. */
export interface RequestSetup {
  origin: CatalogueOrigin;
  defaults: RequestDefaults;
  /** What plugins add to comparisons. */
  comparing: Comparing;
  /** Modules of what plugins read files with. */
  readers?: readonly string[];
}

export interface RequestMessage {
  operation: Operation;
  body: Uint8Array;
  /** The day of the request, `YYYY-MM-DD` (UTC). */
  today: string;
}

/** What may be set about the threads; all but their number and that of the requests that wait has a default. */
export type PoolLimits = Pick<ThreadPoolOptions, 'small' | 'deadlineMs' | 'maxWaitMs' | 'heapMb'>;

export type RequestPoolOptions = Pick<ThreadPoolOptions, 'size' | 'maxWaiting'> & Partial<PoolLimits>;

/** The bytes of an answer: whole, or in chunks if it is long. Whoever gets chunks takes all of them, or ends the iteration. */
export type PoolAnswer = { body: Uint8Array | AsyncIterable<Uint8Array> } | Refusal;

/** Threads that answer whole requests, from the bytes of the body to the bytes of the answer, so that the thread that serves sockets never parses a large body. */
export interface RequestPool {
  /**
   * @param body it must not be used after the call
   * @param today the day of the request, `YYYY-MM-DD` (UTC)
   * @throws what `ThreadPool.ask` throws, and chunks as well
   */
  request(operation: Operation, body: Uint8Array, today: string, options?: AskOptions): Promise<PoolAnswer>;
  /** Ends all threads; requests that still run or wait fail. */
  close(): Promise<void>;
}

/** Threads run the compiled file, also where the sources are run by a test runner. */
const PROGRAM = new URL('../../dist/service/request-worker.js', import.meta.url);

/** The default of `api.max_body_bytes`. */
const DEFAULT_BODY_BYTES = 16 * 1024 * 1024;

/** Its threads start at once, so that the first request does not wait for the catalogue. */
export function requestPool(setup: RequestSetup, options: RequestPoolOptions): RequestPool {
  const pool = new ThreadPool<RequestMessage, { body: Uint8Array } | Refusal | AsyncIterable<Uint8Array>>({
    program: PROGRAM,
    setup,
    warm: true,
    small: SMALL,
    deadlineMs: 120_000,
    heapMb: threadHeapMb(options.size, DEFAULT_BODY_BYTES),
    ...options,
  });
  return {
    async request(operation, body, today, asked) {
      const answer = await pool.ask({ operation, body, today }, asked);
      return 'body' in answer || 'problem' in answer ? answer : { body: answer };
    },
    close: () => pool.close(),
  };
}
