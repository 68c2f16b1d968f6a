import { BUILT_IN_ROLES } from './data/built-in-roles.js';
import type { Role, RoleRule } from './role.js';

let roles: readonly Role[] | undefined;

/** The roles that kube-apiserver creates itself (cluster-admin, admin, edit, view, system:…), as Kubernetes 1.36 has them. */
export function builtInRoles(): readonly Role[] {
  roles ??= BUILT_IN_ROLES.trim()
    .split(/\n(?=\S)/)
    .map(readRole);
  return roles;
}

function readRole(text: string): Role {
  const [head = '', ...lines] = text.split('\n');
  const [kind, namespace, name = '', labels, aggregates] = head.split(' ').map((part) => (part === '-' ? '' : part));
  const rules: RoleRule[] = [];
  const role: Role = {
    kind: kind === 'Role' ? 'Role' : 'ClusterRole',
    namespace: namespace ?? '',
    name,
    builtIn: true,
    place: undefined,
    labels: labelsOf(labels),
    aggregates: aggregates ? aggregates.split(',').map((key) => ({ matchLabels: labelsOf(key) })) : undefined,
    rules,
  };
  for (const [index, line] of lines.entries()) rules.push({ value: readRule(line), index, role, place: undefined });
  return role;
}

function labelsOf(keys = ''): { [key: string]: string } {
  return Object.fromEntries(keys.split(',').flatMap((key) => (key === '' ? [] : [[key, 'true']])));
}

function readRule(line: string): object {
  const [verbs, apiGroups, resources, resourceNames, nonResourceURLs] = line.split('|').map(items);
  return { verbs, apiGroups, resources, resourceNames, nonResourceURLs };
}

function items(list: string): string[] {
  const text = list.trim();
  return text === '' ? [] : text.split(',').map((item) => (item === '""' ? '' : item));
}
