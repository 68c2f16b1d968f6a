import type { Rule } from './rule.js';

/** Identifiers of the rules that may be the cause of a failure of a rule, each once. */
export function causesOf({ logic }: Pick<Rule, 'logic'>): string[] {
  return [...new Set(logic.flatMap(({ caused_by: causes = [] }) => causes.flatMap(({ rules }) => rules)))];
}
