import { CelError, type Program } from '@bylaw/core/cel';
import { type Bundle, conditionParts, type MatchList, type Policy } from '../policy/index.js';
import { holds, type Scope } from './apply.js';
import type { CheckInput, ManifestEvaluator } from './check-input.js';
import { type Prepared, prepare } from './prepare.js';

/** Why a policy says something of a proposal, or does not. */
export interface PolicyTrace {
  id: string;
  title: string;
  stage: Policy['stage'];
  effect: Policy['effect'];
  /** The lists of `match` that do not cover the proposal; if there are any, the condition is not looked at. */
  misses: MatchList[];
  /** What the condition came to; null where it was not looked at. */
  condition: boolean | 'error' | null;
  /** The conditions that must all hold, with what each comes to on its own. */
  parts: { source: string; value: boolean | 'error'; error?: string }[];
}

/** Traces every policy of a bundle over one proposal, by id. */
export async function explain(input: CheckInput, bundle: Bundle, evaluator: ManifestEvaluator): Promise<PolicyTrace[]> {
  const prepared = await prepare(input, bundle, evaluator);
  return bundle.policies.map((policy) => {
    const trace = tracePolicy(policy, prepared);
    const parts = trace.condition === null || policy.when === undefined ? [] : conditionParts(policy.when);
    return { ...trace, parts: parts.map((part) => tracePart(part, prepared.scope)) };
  });
}

/** The same without the parts of the condition. */
export function tracePolicy(policy: Policy, { subject, scope }: Prepared): PolicyTrace {
  const { id, title, stage, effect } = policy;
  const misses = policy.match.misses(subject);
  return { id, title, stage, effect, misses, condition: misses.length > 0 ? null : holds(policy, scope), parts: [] };
}

function tracePart(part: Program, scope: Scope): PolicyTrace['parts'][number] {
  const { source } = part;
  try {
    const value = part.evaluate(scope);
    return typeof value === 'boolean' ? { source, value } : { source, value: 'error', error: 'it is not a bool' };
  } catch (error) {
    if (error instanceof CelError) return { source, value: 'error', error: error.message };
    throw error;
  }
}
