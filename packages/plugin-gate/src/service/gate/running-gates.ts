import type { Services } from '@bylaw/core/endpoint';
import type { Gate } from './gate.js';

/** Endpoints are there before the gate is started, and both are given the same services. */
const gates = new WeakMap<Services, Gate>();

export function keepGate(services: Services, gate: Gate): void {
  gates.set(services, gate);
}

/** @throws {Error} before the gate is started */
export function gateOf(services: Services): Gate {
  const gate = gates.get(services);
  if (!gate) throw new Error('a request arrived before the gate was started');
  return gate;
}
