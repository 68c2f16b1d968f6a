import { IGNORE_ANNOTATION } from '@bylaw/core/evaluate';
import type { Catalogue, Rule } from '@bylaw/core/rule';
import { kindsEvaluated } from './kinds-evaluated.js';
import { resourcesOf } from './resource-names.js';
import { kindsRead } from './rule-interest.js';

/** What a scan does with objects. */
export const SCAN_VERBS = ['get', 'list', 'watch'] as const;

export interface ClusterRole {
  apiVersion: 'rbac.authorization.k8s.io/v1';
  kind: 'ClusterRole';
  metadata: { name: string; annotations?: { [name: string]: string } };
  rules: { apiGroups: [string]; resources: string[]; verbs: readonly string[] }[];
}

/**
 * The least that a scan by these rules needs, wherever their kinds are served: what they evaluate and what they read, and the names of namespaces, which
 * tell a misspelt one from an empty one.
 */
export function clusterRole(name: string, rules: readonly Rule[], catalogue: Pick<Catalogue, 'rules'>): ClusterRole {
  const kinds = new Set(['Namespace', ...kindsEvaluated(rules, catalogue), ...rules.flatMap(kindsRead)]);
  const byGroup = Map.groupBy([...kinds].flatMap(resourcesOf), ({ group }) => group);
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name, ...(kinds.has('Secret') && { annotations: { [IGNORE_ANNOTATION]: READS_SECRETS } }) },
    rules: [...byGroup]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([group, granted]) => ({
        apiGroups: [group],
        resources: resourceList(granted.map(({ resource }) => resource)),
        verbs: SCAN_VERBS,
      })),
  };
}

/** The exception for the finding on a role that reads Secrets. */
const READS_SECRETS = 'AC-018=the rules about Secrets read them, and a scan without these rules needs a role that does not';

/** The role, and an account of a workload that has it. */
export function boundRole(role: ClusterRole, account: { namespace: string; name: string }): object[] {
  const subject = { kind: 'ServiceAccount', name: account.name, namespace: account.namespace };
  return [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: account.name, namespace: account.namespace },
      automountServiceAccountToken: false,
    },
    role,
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: role.metadata.name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role.metadata.name },
      subjects: [subject],
    },
  ];
}

function resourceList(resources: readonly string[]): string[] {
  return resources.includes('*') ? ['*'] : [...new Set(resources)].sort();
}
