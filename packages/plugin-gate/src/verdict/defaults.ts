import type { ActionProposal, AdapterClass, BudgetState, Envelope, Mandate } from '../proposal/index.js';

/** An envelope in which what has a constant default is written out. The instant is not part of it: it is not the caller's word. */
export interface FilledEnvelope extends Envelope {
  proposal: ActionProposal & { enforcement: AdapterClass };
  budget?: BudgetState & { reserved: number };
  mandate?: Mandate;
}

export function withDefaults({ proposal, budget, mandate }: Envelope): FilledEnvelope {
  return {
    proposal: { ...proposal, enforcement: proposal.enforcement ?? 'advisory' },
    ...(budget && { budget: { ...budget, reserved: budget.reserved ?? 0 } }),
    ...(mandate && { mandate }),
  };
}
