import type { Decision } from '../verdict/index.js';

/** The members of an answer that an adapter acts on. */
export interface DecisionAnswer {
  effective_decision: Decision;
  evidence_ref: string;
  approval: string | null;
  [member: string]: unknown;
}

const DECISIONS: readonly unknown[] = ['ALLOW', 'DENY', 'REQUIRE_APPROVAL'];

/** Whether an answer is a decision. Whatever is not of this form decides nothing. */
export function isDecision(value: unknown): value is DecisionAnswer {
  return (
    isObject(value) &&
    DECISIONS.includes(value.effective_decision) &&
    typeof value.evidence_ref === 'string' &&
    (value.approval === null || typeof value.approval === 'string')
  );
}

/** The code of a problem document. */
export function codeOf(value: unknown): string | undefined {
  return isObject(value) && typeof value.code === 'string' && /^[A-Za-z0-9-]{1,40}$/.test(value.code) ? value.code : undefined;
}

export function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
