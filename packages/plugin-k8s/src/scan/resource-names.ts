import { groupsOfBuiltin } from '@bylaw/core/resource';

/** A resource as access to it is granted. */
export interface GrantedResource {
  /** Empty for the core group. */
  group: string;
  /** Plural, or `*` for all of the group. */
  resource: string;
}

/** The resources of a kind or a group that a rule names, as API servers call them; none for what is no object of an API server. */
export function resourcesOf(name: string): GrantedResource[] {
  const slash = name.indexOf('/');
  if (slash < 0) return groupsOfBuiltin(name).map((group) => ({ group, resource: pluralOf(name) }));
  const group = name.slice(0, slash);
  const kind = name.slice(slash + 1);
  return isOfFiles(group) ? [] : [{ group, resource: kind === '*' ? '*' : pluralOf(kind) }];
}

/** Groups of configuration files, which no API server serves: a group without a dot cannot be one of an API. */
function isOfFiles(group: string): boolean {
  return !group.includes('.') || group.endsWith('.config.k8s.io') || FILE_GROUPS.has(group);
}

const FILE_GROUPS: ReadonlySet<string> = new Set(['audit.k8s.io', 'eksctl.io', 'kops.k8s.io', 'kubeadm.k8s.io']);

/** The plural by the conventions of the API, and where a project chose another one, that. */
function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (ALREADY_PLURAL.has(singular)) return singular;
  if (/(?:s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  return /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

/** Gatekeeper names the resource of a constraint as its kind. */
const ALREADY_PLURAL: ReadonlySet<string> = new Set(['endpoints', 'k8sallowedrepos', 'securitycontextconstraints']);
