import { type AskOptions, SMALL, ThreadPool, type ThreadPoolOptions, threadHeapMb } from '../thread/index.js';
import type { Refusal, ThreadAnswer, ThreadRequest } from './operation.js';
import type { ProgramSetup } from './run-context.js';
import type { ThreadKind, ThreadSetup } from './thread-kind.js';
import { threadProblem } from './thread-problem.js';

/**
 * Threads that answer whole requests, from the bytes of a body to the bytes of the answer, so that the thread that serves sockets never parses a
 * large body and is never busy for long. They start when they are needed.
 */
export interface OperationThreads {
  /** Says what threads that start from now on know of the program. */
  prepare(setup: ProgramSetup): void;
  /**
   * Starts the threads of a kind, so that the first request does not wait for what they load.
   * @param limits other limits than those of the kind
   * @param modules what they load
   */
  open(kind: ThreadKind, limits: ThreadKind['limits'], modules?: readonly string[]): void;
  /** Whether a thread of a kind that was opened can work. */
  ready(kind: ThreadKind): boolean;
  /**
   * Answers a request. Its body must not be used after the call.
   * @param kind absent: requests that have no threads of their own
   * @throws {HttpProblem} `overloaded`, `evaluation-timeout`, `evaluation-memory`; what the operation throws as a defect; the reason of the signal.
   * Chunks of an answer throw what `ThreadPool.ask` throws
   */
  answer(request: ThreadRequest, options?: AskOptions, kind?: ThreadKind): Promise<ThreadAnswer>;
  /** Ends all threads; requests that still run or wait fail. */
  close(): Promise<void>;
}

/** Threads run the compiled file, also where the sources are run by a test runner. */
const PROGRAM = new URL('../../dist/operation/operation-worker.js', import.meta.url);

/** As many requests are computed at a time, of which one is small. */
const SIZE = 3;

/** The default of `api.max_body_bytes`. */
const DEFAULT_BODY_BYTES = 16 * 1024 * 1024;

/** A thread is warm after its first answer. What its caches and its heap hold is given back after so many, or after a body so large. */
const MOST_ANSWERS = 64;
const LARGE_BODY = 4 << 20;

/** The threads shared by requests without their own. */
const OTHERS: ThreadKind = { limits: { retires: (answers, bytes) => answers === MOST_ANSWERS || bytes > LARGE_BODY } };

type Pool = ThreadPool<ThreadRequest, { body: Uint8Array } | Refusal | AsyncIterable<Uint8Array>>;

/** @param limits other limits than the usual ones, of requests that have no threads of their own */
export function operationThreads(limits: Partial<ThreadPoolOptions> = {}): OperationThreads {
  const pools = new Map<ThreadKind, Pool>();
  let program: ProgramSetup | undefined;
  const start = (kind: ThreadKind, more: ThreadKind['limits'], modules?: readonly string[]): Pool => {
    void pools.get(kind)?.close();
    const pool = poolOf(kind, more, { program, preload: modules });
    pools.set(kind, pool);
    return pool;
  };
  return {
    prepare(setup) {
      program = setup;
    },
    open: (kind, more, modules) => void start(kind, more, modules),
    ready: (kind) => (pools.get(kind)?.ready ?? 0) > 0,
    async answer(request, options, kind = OTHERS) {
      const pool = pools.get(kind) ?? start(kind, kind === OTHERS ? limits : {});
      try {
        const answer = await pool.ask(request, options);
        return 'body' in answer || 'problem' in answer || 'error' in answer ? answer : { body: answer };
      } catch (error) {
        throw threadProblem(error, kind.words);
      }
    },
    async close() {
      const all = [...pools.values()];
      pools.clear();
      await Promise.all(all.map((pool) => pool.close()));
    },
  };
}

function poolOf(kind: ThreadKind, more: ThreadKind['limits'], setup: ThreadSetup): Pool {
  const { size = SIZE, ...limits } = { ...kind.limits, ...more };
  return new ThreadPool({
    program: PROGRAM,
    setup,
    size,
    warm: false,
    small: SMALL,
    maxWaiting: 64,
    deadlineMs: 120_000,
    heapMb: threadHeapMb(size, DEFAULT_BODY_BYTES),
    ...limits,
  });
}
