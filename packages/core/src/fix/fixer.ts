import { evaluateWithEdits, partsRead, projectionPlan, type RunPlan } from '../evaluate/index.js';
import { type Catalogue, type Rule, SEVERITIES } from '../rule/index.js';
import type { Fixer } from './fix-resource.js';

/**
 * What fixing needs to know of a run.
 * @param rules those of the run, in the order of the catalogue
 * @param unsafe whether to make edits, too, that can stop a workload
 */
export function newFixer(catalogue: Catalogue, rules: readonly Rule[], run: RunPlan, unsafe: boolean): Fixer {
  const plans = SEVERITIES.map((severity) => ({ severity, plan: projectionPlan(rules.filter((rule) => rule.severity === severity)) }));
  const ranks = new Map(rules.map(({ id }, index) => [id, index]));
  return {
    evaluate: evaluateWithEdits(run, catalogue),
    unsafe,
    rank: (id) => ranks.get(id) ?? rules.length,
    sharedParts: (resource) => plans.flatMap(({ severity, plan }) => partsRead(plan, resource).map((path) => ({ path, severity }))),
  };
}
