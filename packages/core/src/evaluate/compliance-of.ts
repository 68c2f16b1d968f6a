import { type ComplianceReport, complianceReport, type RuleResult } from '../compliance/index.js';
import type { Catalogue, Rule } from '../rule/index.js';
import type { Summary } from './findings/evaluation.js';
import type { Counts } from './run/counts.js';
import type { Selection } from './select.js';

/** What a run means for the controls of frameworks. @param rules those that the run used */
export function complianceOf(
  catalogue: Catalogue,
  rules: readonly Rule[],
  counts: Counts,
  { resources, unchecked, errors }: Summary,
  filter: Selection | undefined,
): ComplianceReport {
  return complianceReport({
    rules: catalogue.rules,
    results: new Map(rules.map(({ id }) => [id, resultOf(id, counts)])),
    resources,
    unchecked: unchecked.reduce((sum, { count }) => sum + count, 0),
    errors,
    frameworks: filter?.frameworks,
  });
}

function resultOf(id: string, { tally, byRule }: Counts): RuleResult {
  const counted = Object.hasOwn(tally.rules, id) ? tally.rules[id] : undefined;
  const findings = byRule.get(id);
  return {
    applied: counted?.applicable ?? 0,
    failed: findings?.fail ?? 0,
    waived: findings?.suppressed ?? 0,
    undecided: (findings?.error ?? 0) + (counted?.unknown ?? 0),
  };
}
