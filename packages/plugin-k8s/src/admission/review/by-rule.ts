import type { Finding } from '@bylaw/core/evaluate';

/** The findings of one rule on an object: the first of them, and how many more places there are. */
export interface RuleFindings {
  first: Finding;
  more: number;
}

/** In the order in which the rules come first. */
export function byRule(findings: readonly Finding[]): RuleFindings[] {
  return [...Map.groupBy(findings, ({ rule_id }) => rule_id).values()].flatMap(([first, ...others]) =>
    first ? [{ first, more: others.length }] : [],
  );
}

/** Where the findings are: ` (at /spec/hostPID and 2 more places)`. */
export function placesOf({ first, more }: RuleFindings): string {
  const others = more === 0 ? '' : ` and ${more} more ${more === 1 ? 'place' : 'places'}`;
  return ` (at ${first.path === '' ? 'the object' : first.path}${others})`;
}
