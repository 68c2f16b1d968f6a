import type { ActionProposal, BudgetState } from '../../proposal/index.js';

/**
 * A second interpreter of the combination, written against the design and not against `combine.ts`: slow, plain, and with
 * conditions as functions. Mandates come as the caller says them to be.
 */
export interface ReferencePolicy {
  id: string;
  stage: 'active' | 'draft';
  effect: 'allow' | 'deny' | 'require_approval';
  condition: keyof typeof CONDITIONS;
  environments: string[] | undefined;
  actions: string[] | undefined;
  mandate: boolean;
  obligations: string[];
  approval: { groups: string[]; quorum: number; ttl_seconds: number; grant_ttl_seconds: number };
}

export interface ReferenceBundle {
  default: 'deny' | 'allow' | 'require_approval';
  onExceed: 'deny' | 'require_approval';
  approval: ReferencePolicy['approval'];
  policies: ReferencePolicy[];
}

interface Case {
  proposal: ActionProposal;
  budget: BudgetState | undefined;
  mandate: 'absent' | 'valid' | 'invalid';
}

/** The same conditions in CEL and here. `error`: the expression fails. */
export const CONDITIONS: { readonly [name: string]: { cel: string | undefined; holds: (one: Case) => boolean | 'error' } } = {
  always: { cel: undefined, holds: () => true },
  never: { cel: 'false', holds: () => false },
  broken: { cel: 'proposal.context.missing == 1', holds: () => 'error' },
  costly: { cel: 'proposal.action.?cost.?amount.orValue(0) > 100', holds: ({ proposal }) => (proposal.action.cost?.amount ?? 0) > 100 },
  guarded: {
    cel: 'has(proposal.action.cost) && proposal.action.cost.amount >= 100',
    holds: ({ proposal }) => proposal.action.cost !== undefined && proposal.action.cost.amount >= 100,
  },
  unguarded: {
    cel: 'proposal.action.cost.amount >= 100',
    holds: ({ proposal }) => (proposal.action.cost === undefined ? 'error' : proposal.action.cost.amount >= 100),
  },
  mandated: { cel: 'mandate.valid', holds: ({ mandate }) => mandate === 'valid' },
  human: { cel: 'proposal.principal.?type.orValue("") == "human"', holds: ({ proposal }) => proposal.principal.type === 'human' },
  many: {
    cel: 'has(proposal.action.parameters.n) && proposal.action.parameters.n > 2.5',
    holds: ({ proposal }) => Number(proposal.action.parameters?.['n'] ?? 0) > 2.5,
  },
};

export interface ReferenceVerdict {
  decision: string;
  codes: string[];
  matched: string[];
  drafts: string[];
  obligations: string[];
  approval: ReferencePolicy['approval'] | null;
}

export function referenceVerdict(bundle: ReferenceBundle, one: Case): ReferenceVerdict {
  const denials: string[] = one.mandate === 'invalid' ? ['AG-POL-013'] : [];
  const asks: { code: string; approval: ReferencePolicy['approval'] }[] = [];
  const allows: string[] = [];
  const obligations: { [decision: string]: string[] } = { DENY: [], REQUIRE_APPROVAL: [], ALLOW: [] };
  const matched: string[] = [];
  const drafts: string[] = [];
  let spoken = false;
  for (const policy of bundle.policies) {
    if (policy.environments && !policy.environments.some((glob) => covers(glob, one.proposal.environment, '/'))) continue;
    if (policy.actions && !policy.actions.some((glob) => covers(glob, one.proposal.action.type, '.'))) continue;
    const held = CONDITIONS[policy.condition]?.holds(one);
    if (held === false) continue;
    const draft = policy.stage === 'draft';
    const ids = policy.obligations.map((_, index) => `${policy.id}/${index}`);
    if (held === 'error') {
      if (draft) continue;
      spoken = true;
      denials.push(`AG-POL-011 ${policy.id}`);
      obligations['DENY']?.push(...ids);
      continue;
    }
    const effect = policy.mandate && one.mandate !== 'valid' ? 'deny' : policy.effect;
    (draft ? drafts : matched).push(`${policy.id} ${effect}`);
    if (draft) continue;
    spoken = true;
    if (effect === 'deny') {
      denials.push(`${policy.mandate && one.mandate !== 'valid' ? 'AG-POL-012' : 'AG-POL-020'} ${policy.id}`);
      obligations['DENY']?.push(...ids);
    } else if (effect === 'require_approval') {
      asks.push({ code: `AG-POL-021 ${policy.id}`, approval: policy.approval });
      obligations['REQUIRE_APPROVAL']?.push(...ids);
    } else {
      allows.push(`AG-POL-022 ${policy.id}`);
      obligations['ALLOW']?.push(...ids);
    }
  }
  if (one.budget && overspent(one.budget, one.proposal)) {
    if (bundle.onExceed === 'deny') denials.push('AG-POL-018');
    else if (spoken || bundle.default !== 'deny') asks.push({ code: 'AG-POL-018', approval: bundle.approval });
  }
  if (!spoken && denials.length === 0) {
    if (bundle.default === 'deny') denials.push('AG-POL-010');
    if (bundle.default === 'require_approval') asks.push({ code: 'AG-POL-021', approval: bundle.approval });
    if (bundle.default === 'allow') allows.push('AG-POL-022');
  }
  const decision = denials.length > 0 ? 'DENY' : asks.length > 0 ? 'REQUIRE_APPROVAL' : 'ALLOW';
  const codes = { DENY: denials, REQUIRE_APPROVAL: asks.map(({ code }) => code), ALLOW: allows }[decision];
  return {
    decision,
    codes: [...codes].sort(),
    matched: matched.sort(),
    drafts: drafts.sort(),
    obligations: [...(obligations[decision] ?? [])].sort(),
    approval: decision === 'REQUIRE_APPROVAL' ? merged(asks.map(({ approval }) => approval)) : null,
  };
}

function covers(glob: string, text: string, separator: string): boolean {
  const expression = glob.replaceAll('.', '\\.').replaceAll('**', '\u0000').replaceAll('*', `[^${separator}]*`).replaceAll('\u0000', '.*');
  return new RegExp(`^(?:${expression})$`).test(text);
}

function overspent(budget: BudgetState, { action }: ActionProposal): boolean {
  return budget.spent + (budget.reserved ?? 0) + (action.cost?.amount ?? 0) > budget.limit;
}

function merged(needs: ReferencePolicy['approval'][]): ReferencePolicy['approval'] {
  let all: ReferencePolicy['approval'] | undefined;
  for (const need of needs)
    all = {
      groups: [...(all?.groups ?? []), ...need.groups],
      quorum: Math.max(all?.quorum ?? 0, need.quorum),
      ttl_seconds: Math.min(all?.ttl_seconds ?? Number.POSITIVE_INFINITY, need.ttl_seconds),
      grant_ttl_seconds: Math.min(all?.grant_ttl_seconds ?? Number.POSITIVE_INFINITY, need.grant_ttl_seconds),
    };
  if (all === undefined) throw new Error('nobody asks');
  return { ...all, groups: [...new Set(all.groups)].sort() };
}
