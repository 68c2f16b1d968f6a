/**
 * A rule of a Role or ClusterRole, with every list present. A part of the wrong type counts as absent.
 * https://kubernetes.io/docs/reference/kubernetes-api/authorization-resources/role-v1/
 */
export interface PolicyRule {
  readonly verbs: readonly string[];
  /** The core group is the empty string. */
  readonly apiGroups: readonly string[];
  /** Plural names, with a subresource after a slash: `pods/exec`. */
  readonly resources: readonly string[];
  /** Empty: objects of every name. */
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** Reads a rule from any value. Throws only what reading an unknown member throws (see `UnknownError`). */
export function policyRule(value: unknown): PolicyRule {
  return {
    verbs: textsOf(value, 'verbs'),
    apiGroups: textsOf(value, 'apiGroups'),
    resources: textsOf(value, 'resources'),
    resourceNames: textsOf(value, 'resourceNames'),
    nonResourceURLs: textsOf(value, 'nonResourceURLs'),
  };
}

/** The own member of a mapping; undefined for any other value. Takes the Maps that CEL gets for mappings with awkward keys, too. */
export function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if (value instanceof Map) return value.get(key);
  return Object.hasOwn(value, key) ? (value as { readonly [key: string]: unknown })[key] : undefined; // any object can be asked for an own key
}

/** The member if it is a list; otherwise an empty list. */
export function listMember(value: unknown, key: string): readonly unknown[] {
  const list = memberOf(value, key);
  return Array.isArray(list) ? list : [];
}

/** The member if it is a string; otherwise the empty string. */
export function textMember(value: unknown, key: string): string {
  const text = memberOf(value, key);
  return typeof text === 'string' ? text : '';
}

function textsOf(value: unknown, key: string): string[] {
  return listMember(value, key).filter((item) => typeof item === 'string');
}
