import { celValue } from '@bylaw/core/cel';
import { isJsonObject, type Json, type JsonObject } from '../json/index.js';
import type { Subject } from '../policy/index.js';
import type { FilledEnvelope } from './defaults.js';
import type { BudgetRuling } from './mandate/budget.js';
import type { MandateRuling } from './mandate/mandate.js';
import type { EvaluatedManifests } from './manifest-evaluator.js';

/** What of a proposal the globs of policies are matched with. */
export function subjectOf({ proposal }: FilledEnvelope): Subject {
  return {
    action: proposal.action.type,
    resource: proposal.action.resource,
    environment: proposal.environment,
    principal: proposal.principal.id,
    agent: proposal.agent?.id,
    adapter: proposal.adapter,
  };
}

/** The variables of conditions; `VARIABLES` of the policy floor describes them. Of a mandate that is not valid nothing is shown. */
export function scopeOf(input: {
  envelope: FilledEnvelope;
  mandate: MandateRuling;
  budget: BudgetRuling;
  evaluated: EvaluatedManifests | undefined;
  time: number;
}): { readonly [variable: string]: unknown } {
  const { envelope, mandate, budget, evaluated, time } = input;
  const { proposal } = envelope;
  const { action } = proposal;
  return {
    proposal: {
      ...proposal,
      action: { ...action, parameters: forCel(action.parameters ?? {}) },
      context: forCel(proposal.context ?? {}),
    },
    budget: { ...envelope.budget, status: budget.status, present: budget.status !== 'absent' },
    mandate: {
      ...(mandate.status === 'valid' && envelope.mandate),
      status: mandate.status,
      present: mandate.status !== 'absent',
      valid: mandate.status === 'valid',
    },
    governance: evaluated
      ? { present: true, ...evaluated.governance, findings: evaluated.findings, unchecked_kinds: evaluated.unchecked_kinds }
      : { present: false },
    request: { time: new Date(time) },
  };
}

/** Only a member called `constructor`, which CEL would take for the type of its object, makes a copy necessary. */
function forCel(value: Json | JsonObject): unknown {
  return hasConstructor(value) ? celValue(value) : value;
}

function hasConstructor(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasConstructor);
  if (!isJsonObject(value)) return false;
  for (const name in value) if (name === 'constructor' || hasConstructor(value[name] ?? null)) return true;
  return false;
}
