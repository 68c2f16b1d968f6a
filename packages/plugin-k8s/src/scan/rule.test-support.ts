import { fixedClock } from '@bylaw/core/clock';
import { createEngine, type Engine } from '@bylaw/core/evaluate';
import { catalogueOf, packInMemory, type RuleDetail } from '@bylaw/core/rule';

/** A rule that always fails, on these targets. */
export function ruleOn(id: string, targets: string[], more: Partial<RuleDetail> & { expression?: string } = {}): RuleDetail {
  const { expression = 'false', ...rest } = more;
  return {
    id,
    category: id.slice(0, 2),
    severity: 'HIGH',
    title: `Title of ${id}`,
    description: 'd',
    targets,
    logic: [{ targets, expression }],
    fix: 'f',
    frameworks: [],
    references: [],
    peers: [],
    examples: [],
    ...rest,
  };
}

/** An engine that has these rules and no others. */
export function engineOf(rules: RuleDetail[]): Engine {
  const catalogue = catalogueOf([packInMemory({ name: 'p', settings: {}, constants: {}, rules })], { packs: [], ruleDirs: [] });
  return createEngine({ catalogue, clock: fixedClock('2026-11-21') });
}
