import { threadProblem } from '@bylaw/core/operation';

/** The problem that an error of the threads that evaluate is; any other error as it is. */
export function evaluationProblem(error: unknown): unknown {
  return threadProblem(error, { busy: 'Too many evaluations wait. Try again.', memory: 'Send less at a time, or a lower `limit`.' });
}
