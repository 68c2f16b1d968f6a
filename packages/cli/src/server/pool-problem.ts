import { type HttpProblem, problem } from '@bylaw/core/http';
import { EvaluationMemoryError, EvaluationTimeoutError, PoolBusyError } from '@bylaw/core/service';

/** The problem that an error of a pool of threads is; undefined for a defect. */
export function poolProblem(error: unknown): HttpProblem | undefined {
  if (error instanceof PoolBusyError)
    return problem('overloaded', { detail: 'Too many evaluations wait. Try again.', headers: { 'Retry-After': '1' } });
  if (error instanceof EvaluationTimeoutError)
    return problem('evaluation-timeout', {
      detail: 'Send less at a time, or try again when the server has less to do.',
      headers: { 'Retry-After': '10' },
    });
  if (error instanceof EvaluationMemoryError) return problem('evaluation-memory', { detail: 'Send less at a time, or a lower `limit`.' });
  return undefined;
}
