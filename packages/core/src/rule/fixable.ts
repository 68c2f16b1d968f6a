import type { Rule } from './rule.js';

/** Whether a rule declares an edit. */
export function isFixable(rule: Rule): boolean {
  return rule.logic.some(({ edit }) => edit !== undefined);
}

/** Whether every edit that a rule declares can stop a workload, so that only `--fix-unsafe` makes it. */
export function isFixedUnsafelyOnly(rule: Rule): boolean {
  const edits = rule.logic.flatMap(({ edit }) => edit ?? []);
  return edits.length > 0 && edits.every(({ test_after }) => test_after !== undefined);
}

/** What to test after the edits of a rule, each sentence once. */
export function testsAfter(rule: Rule): string[] {
  return [...new Set(rule.logic.flatMap(({ edit }) => edit?.test_after ?? []))];
}
