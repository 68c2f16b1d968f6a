import { evaluateWithEdits, partsRead, projectionPlan, type RunPlan } from '../evaluate/index.js';
import type { Catalogue, Rule } from '../rule/index.js';
import type { Fixer } from './fix-resource.js';

/**
 * What fixing needs to know of a run.
 * @param rules those of the plan, in the order of the catalogue
 * @param unsafe whether to make edits, too, that can stop a workload
 */
export function newFixer(catalogue: Catalogue, rules: readonly Rule[], plan: RunPlan, unsafe: boolean): Fixer {
  const shared = projectionPlan(rules);
  const ranks = new Map(rules.map(({ id }, index) => [id, index]));
  return {
    evaluate: evaluateWithEdits(plan, catalogue),
    unsafe,
    rank: (id) => ranks.get(id) ?? rules.length,
    sharedParts: (resource) => partsRead(shared, resource),
  };
}
