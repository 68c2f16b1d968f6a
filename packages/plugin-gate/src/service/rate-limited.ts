import type { HttpProblem } from '@bylaw/core/http';
import { plural } from '@bylaw/core/plural';
import { gateProblem } from './problems.js';

/**
 * The refusal of a spent limit. It names the adapter, also where the limit is that of a principal: a principal is input.
 * @param wait seconds
 * @param rate requests per second
 */
export function rateLimited(scope: 'adapter' | 'principal', wait: number, rate: number, adapterId: string): HttpProblem {
  return gateProblem(scope === 'adapter' ? 'AG-LIM-001' : 'AG-LIM-002', {
    detail: `Adapter ${adapterId} exceeded the per-${scope} limit of ${plural(rate, 'request')} per second.`,
    members: { scope, retry_after_seconds: wait },
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(wait))) },
  });
}
