import type { Bundle, Policy } from '../../policy/index.js';
import { tracePolicy } from '../explain.js';
import { prepare } from '../prepare.js';
import { readTestInput, testEvaluator } from './run-tests.js';

/** What the tests of a bundle have seen of its policies. */
export interface Coverage {
  /** 0 to 100: outcomes that some test brought about, of all that there are. 100 where there is no policy. */
  percent: number;
  policies: { id: string; matched: boolean; unmatched: boolean | null }[];
}

/**
 * Every policy has two outcomes that a test can bring about: it matches, and it does not. For a policy with a condition only
 * a condition that was looked at and false counts as not matching; for one without, a glob that does not cover. A policy
 * without both matches everything, so its second outcome is null.
 */
export async function coverageOf(bundle: Bundle): Promise<Coverage> {
  const seen = new Map(bundle.policies.map(({ id }) => [id, { matched: false, unmatched: false }]));
  for (const test of bundle.tests) {
    const input = readTestInput(test);
    if ('problems' in input) continue;
    const prepared = await prepare(input, bundle, testEvaluator(test));
    for (const policy of bundle.policies) {
      const { condition, misses } = tracePolicy(policy, prepared);
      const outcomes = seen.get(policy.id);
      if (outcomes === undefined) continue;
      if (condition === true) outcomes.matched = true;
      if (policy.when === undefined ? misses.length > 0 : condition === false) outcomes.unmatched = true;
    }
  }
  const policies = bundle.policies.map((policy) => {
    const { matched, unmatched } = seen.get(policy.id) ?? { matched: false, unmatched: false };
    return { id: policy.id, matched, unmatched: matchesEverything(policy) ? null : unmatched };
  });
  const outcomes = policies.flatMap(({ matched, unmatched }) => (unmatched === null ? [matched] : [matched, unmatched]));
  const percent = outcomes.length === 0 ? 100 : Math.floor((outcomes.filter(Boolean).length * 100) / outcomes.length);
  return { percent, policies };
}

function matchesEverything({ when, match }: Policy): boolean {
  return when === undefined && match.lists.length === 0;
}
