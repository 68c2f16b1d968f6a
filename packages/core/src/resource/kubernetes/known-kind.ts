import { builtinGroup, groupOf } from './builtin-group.js';
import { builtinKinds, groupsOfBuiltin } from './builtin-kinds.js';
import { isDeploymentConfig } from './pod.js';
import { apiVersionsOf } from './shape-types.js';

/** What is wrong with the kind of an object: the member that is to be changed, and why. */
export interface KindProblem {
  member: 'apiVersion' | 'kind';
  message: string;
}

/**
 * Says if a kind of a built-in group is misspelt, or belongs into another group: kube-apiserver refuses such an object, and no rule would look at it as what
 * it is meant to be. Undefined for every kind that kube-apiserver serves or once served, and for kinds that resemble none of them.
 */
export function kindProblem(apiVersion: string, kind: string): KindProblem | undefined {
  const group = groupOf(apiVersion);
  if (!builtinGroup(apiVersion) || groupsOfBuiltin(kind).includes(group)) return undefined;
  if (isDeploymentConfig({ apiVersion, kind }) || OTHER_KINDS[group]?.includes(kind)) return undefined;
  const known = apiVersionsOf(kind).at(-1);
  if (known !== undefined)
    return { member: 'apiVersion', message: `There is no kind ${kind} in ${apiVersion}. Write apiVersion: ${known}.` };
  const near = nearestKind(kind, group);
  if (near === undefined) return undefined;
  const moved = groupsOfBuiltin(near).includes(group) ? '' : `, and apiVersion: ${apiVersionsOf(near).at(-1)}`;
  const unknown = `There is no kind ${JSON.stringify(kind)} in ${apiVersion}`;
  const message =
    near.toLowerCase() === kind.toLowerCase()
      ? `${unknown}: kinds are case-sensitive. Write kind: ${near}${moved}.`
      : `${unknown}. Did you mean kind: ${near}${moved}?`;
  return { member: 'kind', message };
}

/**
 * Kinds by group that are not in the table of what the API server creates today: those of removed APIs, and those that are only posted to a part of
 * another object. Source: "Deprecated API Migration Guide", https://kubernetes.io/docs/reference/using-api/deprecation-guide/, and k8s.io/api. Release 3 of
 * OpenShift served the kinds of RBAC in the core group.
 */
const OTHER_KINDS: { readonly [group: string]: readonly string[] } = {
  '': ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'],
  extensions: [
    'DaemonSet',
    'Deployment',
    'HorizontalPodAutoscaler',
    'Ingress',
    'Job',
    'NetworkPolicy',
    'PodSecurityPolicy',
    'ReplicaSet',
    'Scale',
  ],
  policy: ['Eviction', 'PodSecurityPolicy'],
  apps: ['Scale'],
  batch: ['JobTemplate', 'ScheduledJob'],
  autoscaling: ['Scale'],
  'auditregistration.k8s.io': ['AuditSink'],
  'settings.k8s.io': ['PodPreset'],
};

/** In longer names, more typing errors are likely, and fewer words are near by chance. */
function mostEdits(length: number): number {
  return length < 8 ? 1 : 2;
}

/** The kind with the fewest typing errors between it and a text: of several one of the group, and the first of the alphabet. */
function nearestKind(text: string, group: string): string | undefined {
  let nearest: { kind: string; edits: number; elsewhere: number } | undefined;
  for (const kind of builtinKinds()) {
    const most = mostEdits(kind.length);
    if (Math.abs(kind.length - text.length) > most) continue;
    const edits = editsBetween(kind.toLowerCase(), text.toLowerCase());
    const elsewhere = groupsOfBuiltin(kind).includes(group) ? 0 : 1;
    if (edits > most || (nearest && (nearest.edits - edits || nearest.elsewhere - elsewhere) <= 0)) continue;
    nearest = { kind, edits, elsewhere };
  }
  return nearest?.kind;
}

/** How many letters have to be added, removed, replaced or swapped with the next ("optimal string alignment"). Both texts are short. */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped));
    }
    before = above;
    above = row;
  }
  return above[b.length] ?? 0;
}
