import { problem } from '../http/index.js';
import { PoolBusyError, ThreadMemoryError, ThreadTimeoutError } from '../thread/index.js';

export interface ThreadProblemWords {
  /** The message when too many requests wait, and after how many seconds the client may try again. */
  busy?: string;
  retryAfter?: number;
  /** The message when there is too little memory. */
  memory?: string;
}

/** The one rule of all pools of threads for what a client is told: the problem that an error of a pool is. Any other error is returned as it is. */
export function threadProblem(
  error: unknown,
  { busy = 'Too many requests wait. Try again.', retryAfter = 1, memory = 'Send less at a time.' }: ThreadProblemWords = {},
): unknown {
  if (error instanceof PoolBusyError) return problem('overloaded', { detail: busy, headers: { 'Retry-After': String(retryAfter) } });
  if (error instanceof ThreadTimeoutError)
    return problem('evaluation-timeout', {
      detail: 'Send less at a time, or try again when the server has less to do.',
      headers: { 'Retry-After': '10' },
    });
  if (error instanceof ThreadMemoryError) return problem('evaluation-memory', { detail: memory });
  return error;
}
