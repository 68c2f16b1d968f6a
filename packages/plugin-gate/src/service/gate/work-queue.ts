import { gateProblem } from '../http/problems.js';

/** Work that is counted, so that it cannot pile up without end. */
export interface WorkQueue {
  /** @throws {HttpProblem} AG-LIM-003 when there is too much already */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** What is under way. */
  readonly length: number;
}

/** @param what names the work to the caller, as `decisions` */
export function workQueue(limit: number, what: string): WorkQueue {
  let length = 0;
  return {
    get length() {
      return length;
    },
    run: async (work) => {
      if (length >= limit)
        throw gateProblem('AG-LIM-003', { detail: `Too many ${what} are waiting. Try again later.`, headers: { 'Retry-After': '1' } });
      length++;
      try {
        return await work();
      } finally {
        length--;
      }
    },
  };
}
