import { HttpProblem, type HttpResponse, json } from '@bylaw/core/http';
import type { Gate } from './gate.js';
import { NOT_READY } from './problems.js';

/** Why the gate cannot do its work at this moment, as everyone may know it: codes, and no detail beyond them. */
export function readiness({ store, policies, registry }: Gate): { code: string; message: string }[] {
  const codes = new Set([
    ...store.problems().map(({ code }) => code),
    ...policies.errors.map(({ code }) => code),
    ...(registry.adapters.some(({ usable }) => usable) ? [] : ['AG-IDN-010']),
  ]);
  return [...codes].sort().map((code) => ({ code, message: MESSAGES[code] ?? 'the gate cannot do its work' }));
}

const MESSAGES: { readonly [code: string]: string } = {
  'AG-EVD-001': 'no evidence signing key exists',
  'AG-EVD-002': 'the evidence store is not available',
  'AG-EVD-004': 'the evidence chain cannot be continued',
  'AG-IDN-010': 'no usable adapter authentication exists',
  'AG-POL-001': 'the policy bundle has errors',
  'AG-POL-002': 'no policy bundle is configured',
};

/** GET /readyz. */
export function readyz(gate: Gate): HttpResponse {
  const reasons = readiness(gate);
  if (reasons.length === 0) return json(200, { status: 'ready' });
  throw new HttpProblem(NOT_READY, { members: { reasons } });
}
