import type { Rule } from './rule.js';

/** Whether a rule declares an edit. */
export function isFixable(rule: Rule): boolean {
  return rule.logic.some(({ edit }) => edit !== undefined);
}
