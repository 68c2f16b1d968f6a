import { HttpProblem, type ProblemKind, type ProblemOptions } from '@bylaw/core/http';
import { plural } from '@bylaw/core/plural';

/**
 * Every problem of the gate: its code, status, last segment of `type`, and the title, which is that of the type. `detail`
 * says what sets the codes of one type apart.
 */
export const GATE_PROBLEMS = {
  'AG-IDN-001': { status: 401, slug: 'unauthenticated', title: 'Request is not authenticated' },
  'AG-IDN-002': { status: 401, slug: 'unauthenticated', title: 'Request is not authenticated' },
  'AG-IDN-003': { status: 401, slug: 'unauthenticated', title: 'Request is not authenticated' },
  'AG-IDN-004': { status: 401, slug: 'unauthenticated', title: 'Request is not authenticated' },
  'AG-IDN-005': { status: 401, slug: 'unknown-adapter', title: 'Unknown adapter' },
  'AG-IDN-006': { status: 403, slug: 'not-your-proposal', title: 'A different adapter submitted the proposal' },
  'AG-IDN-010': { status: 503, slug: 'not-ready', title: 'Not ready' },
  'AG-SCH-001': { status: 422, slug: 'invalid-json', title: 'Body is not valid JSON' },
  'AG-SCH-002': { status: 422, slug: 'schema', title: 'Request does not match the schema' },
  'AG-SCH-003': { status: 415, slug: 'media-type', title: 'Media type is not supported' },
  'AG-SCH-004': { status: 413, slug: 'too-large', title: 'Body is too large' },
  'AG-SCH-005': { status: 422, slug: 'bad-query', title: 'Query is not valid' },
  'AG-SCH-006': { status: 422, slug: 'bad-time', title: 'requested_at is too far from the request time' },
  'AG-SCH-008': { status: 422, slug: 'bad-binding', title: 'Adapter or enforcement contradicts the registration' },
  'AG-RPL-001': { status: 409, slug: 'replayed-proposal', title: 'Proposal id was already used' },
  'AG-RPL-002': { status: 409, slug: 'result-final', title: 'A final result was already reported' },
  'AG-LIM-001': { status: 429, slug: 'rate-limited', title: 'Rate limit exceeded' },
  'AG-LIM-002': { status: 429, slug: 'rate-limited', title: 'Rate limit exceeded' },
  'AG-LIM-003': { status: 503, slug: 'overloaded', title: 'Server is busy' },
  'AG-EVD-001': { status: 503, slug: 'no-signing-key', title: 'No evidence signing key exists' },
  'AG-EVD-002': { status: 503, slug: 'store-unavailable', title: 'Evidence store is not available' },
  'AG-EVD-003': { status: 404, slug: 'not-found', title: 'Not found' },
  'AG-EVD-004': { status: 503, slug: 'chain-unusable', title: 'Evidence chain cannot be continued' },
  'AG-EVD-005': { status: 422, slug: 'oscal-filter', title: 'OSCAL export cannot be filtered by record type' },
  'AG-EVD-006': { status: 503, slug: 'not-sequenced', title: 'Not in the chain yet' },
  'AG-EVD-007': { status: 404, slug: 'not-found', title: 'Not found' },
  'AG-EVD-009': { status: 503, slug: 'outcome-unknown', title: 'Outcome is not known' },
  'AG-POL-001': { status: 503, slug: 'policy-error', title: 'Policy bundle has errors' },
  'AG-POL-002': { status: 503, slug: 'no-policy', title: 'No policy bundle is configured' },
  'AG-INT-001': { status: 500, slug: 'internal', title: 'Internal error' },
} as const satisfies Record<string, { status: number; slug: string; title: string }>;

export type GateProblemCode = keyof typeof GATE_PROBLEMS;

export function isGateProblemCode(code: string): code is GateProblemCode {
  return Object.hasOwn(GATE_PROBLEMS, code);
}

/** To throw anywhere below a route of the gate. Nothing of a request may be in the options. */
export function gateProblem(code: GateProblemCode, options: ProblemOptions = {}): HttpProblem {
  const kind = kindOf(code);
  const challenge = kind.status === 401 ? { 'WWW-Authenticate': 'SVC-HMAC' } : {};
  return new HttpProblem(kind, { ...options, headers: { ...challenge, ...options.headers } });
}

/** Kinds for the list of problems that a route answers. */
export function kindsOf(...codes: GateProblemCode[]): ProblemKind[] {
  return codes.map(kindOf);
}

/** The gate's codes for what the HTTP layer refuses by itself. */
export const SHARED_CODES = {
  'media-type': 'AG-SCH-003',
  'too-large': 'AG-SCH-004',
  'bad-query': 'AG-SCH-005',
  overloaded: 'AG-LIM-003',
  internal: 'AG-INT-001',
} as const;

function kindOf(code: GateProblemCode): ProblemKind {
  return { code, ...GATE_PROBLEMS[code] };
}

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
