import { computeScore, type Score } from '../score.js';
import type { RecordedRun } from './recorded-run.js';

/** The score of a run on those of its rules that are given; absent: on all. */
export function scoreOfRun(run: RecordedRun, rules?: ReadonlySet<string>): Score {
  const counted = rules ? run.rules.filter(({ rule_id }) => rules.has(rule_id)) : run.rules;
  const { resources, found, unchecked } = run;
  return computeScore({ rules: counted, resources, found, unchecked });
}

/** The rules that every run had: scores on them can be compared though the catalogue has grown. */
export function commonRules(runs: readonly RecordedRun[]): Set<string> {
  const [first, ...others] = runs;
  let common = new Set(first?.rules.map(({ rule_id }) => rule_id));
  for (const { rules } of others) common = common.intersection(new Set(rules.map(({ rule_id }) => rule_id)));
  return common;
}
