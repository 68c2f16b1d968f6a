import type { NotReady } from '@bylaw/core/http';
import type { Gate } from '../gate/gate.js';

/** Why the gate is not ready at this moment, as everyone may know it: codes, and no detail beyond them. */
export function readiness({ store, policies, registry, configProblems }: Gate): NotReady[] {
  const codes = new Set([
    ...store.problems().map(({ code }) => code),
    ...configProblems(),
    ...policies.errors.map(({ code }) => code),
    ...(registry.adapters.some(({ usable }) => usable) ? [] : ['AG-IDN-010']),
  ]);
  return [...codes].sort().map((code) => ({ code, message: MESSAGES[code] ?? 'the gate is not ready' }));
}

const MESSAGES: { readonly [code: string]: string } = {
  'AG-CFG-007': 'the configuration file cannot be loaded',
  'AG-EVD-001': 'no evidence signing key exists',
  'AG-EVD-002': 'the evidence store is not available',
  'AG-EVD-004': 'the evidence chain cannot be continued',
  'AG-EVD-006': 'accepted decisions wait for their sequence numbers',
  'AG-EVD-008': 'the evidence store does not match its chain',
  'AG-IDN-010': 'no usable adapter authentication exists',
  'AG-POL-001': 'the policy bundle has errors',
  'AG-POL-002': 'no policy bundle is configured',
};
