import { readInstant } from '../json/index.js';
import type { Bundle, Subject } from '../policy/index.js';
import type { Scope } from './apply.js';
import type { CheckInput, ManifestEvaluator } from './check-input.js';
import { type FilledEnvelope, withDefaults } from './defaults.js';
import { type BudgetRuling, ruleOnBudget } from './mandate/budget.js';
import { type MandateRuling, ruleOnMandate } from './mandate/mandate.js';
import { type EvaluatedManifests, evaluateManifests } from './manifest-evaluator.js';
import { scopeOf, subjectOf } from './scope.js';

/** All that policies are applied to, and what is ruled before any of them is. */
export interface Prepared {
  envelope: FilledEnvelope;
  mandate: MandateRuling;
  budget: BudgetRuling;
  evaluated: EvaluatedManifests | undefined;
  subject: Subject;
  scope: Scope;
}

export async function prepare(input: CheckInput, bundle: Bundle, evaluator: ManifestEvaluator): Promise<Prepared> {
  const envelope = withDefaults(input);
  const time = readInstant(envelope.proposal.requested_at ?? input.at) ?? Number.NaN;
  const mandate = ruleOnMandate(envelope, bundle, time);
  const budget = ruleOnBudget(envelope, bundle, time);
  const evaluated = await evaluateManifests(envelope, evaluator);
  return {
    envelope,
    mandate,
    budget,
    evaluated,
    subject: subjectOf(envelope),
    scope: scopeOf({ envelope, mandate, budget, evaluated, time }),
  };
}
