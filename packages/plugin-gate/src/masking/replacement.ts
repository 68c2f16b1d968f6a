/** Replaces the secrets in a text; the same text where there are none. */
export type ValueRules = (text: string) => string;

/** What stands where a secret was: the rule that knew it, and nothing of the secret, not even its length. */
export function replacement(rule: string): string {
  return `[masked:${rule}]`;
}

/** Identifiers of rules. */
export const RULE_ID_PATTERN = '^[a-z][a-z0-9-]{0,62}$';

/** What a Kubernetes Secret holds, and what the gate itself keeps: rules that look neither at one name nor at one text. */
export const KUBERNETES_SECRET = 'kubernetes-secret';
export const ADAPTER_SECRET = 'adapter-secret';
export const OTHER_RULES = [KUBERNETES_SECRET, ADAPTER_SECRET] as const;
