import { type AskOptions, SMALL, ThreadPool, type ThreadPoolOptions, threadHeapMb } from '../thread/index.js';
import type { ThreadAnswer, ThreadRequest } from './operation.js';
import { threadProblem } from './thread-problem.js';

/** Threads that answer long requests, so that the one that serves sockets is never busy for long. They start when they are needed. */
export interface OperationThreads {
  /**
   * Answers a body. It must not be used after the call.
   * @param module compiled file that exports the operation; a thread loads it with the first request for it
   * @throws {HttpProblem} `overloaded`, `evaluation-timeout`, `evaluation-memory`; what the operation throws as a defect; the reason of the signal
   */
  answer(module: URL, request: ThreadRequest, options?: AskOptions): Promise<ThreadAnswer>;
}

/** Threads run the compiled file, also where the sources are run by a test runner. */
const PROGRAM = new URL('../../dist/operation/operation-worker.js', import.meta.url);

/** As many requests are computed at a time, of which one is small. */
const SIZE = 3;

/** A thread is warm after its first answer. What its caches and its heap hold is given back after so many, or after a body so large. */
const MOST_ANSWERS = 64;
const LARGE_BODY = 4 << 20;

/** @param limits other limits than the usual ones */
export function operationThreads(limits: Partial<ThreadPoolOptions> = {}): OperationThreads {
  const pool = new ThreadPool<ThreadRequest & { module: string }, ThreadAnswer>({
    program: PROGRAM,
    size: SIZE,
    warm: false,
    small: SMALL,
    maxWaiting: 64,
    deadlineMs: 120_000,
    heapMb: threadHeapMb(SIZE, 16 * 1024 * 1024),
    retires: (answers, bytes) => answers === MOST_ANSWERS || bytes > LARGE_BODY,
    ...limits,
  });
  return {
    answer: ({ href }, request, options) =>
      pool.ask({ ...request, module: href }, options).catch((error: unknown) => {
        throw threadProblem(error);
      }),
  };
}
