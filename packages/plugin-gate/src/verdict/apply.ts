import { CelError } from '@bylaw/core/cel';
import type { Bundle, Policy, Subject } from '../policy/index.js';

export type Scope = { readonly [variable: string]: unknown };

/** A policy that says something of a proposal: its condition held, or could not be evaluated. */
export interface Applied {
  policy: Policy;
  held: true | 'error';
}

/** Applies all policies whose globs match, in the order of their ids. */
export function applyPolicies(bundle: Bundle, subject: Subject, scope: Scope): Applied[] {
  const applied: Applied[] = [];
  for (const policy of bundle.candidates(subject.action)) {
    if (!policy.match.matches(subject)) continue;
    const held = holds(policy, scope);
    if (held !== false) applied.push({ policy, held });
  }
  return applied;
}

/** Whether the condition of a policy holds. `error`: it could not be evaluated, or gave something else than a bool. */
export function holds({ when }: Policy, scope: Scope): boolean | 'error' {
  if (when === undefined) return true;
  try {
    const value = when.evaluate(scope);
    return typeof value === 'boolean' ? value : 'error';
  } catch (error) {
    if (error instanceof CelError) return 'error';
    throw error;
  }
}
