import { allows, namesResource, policyRule } from '../../../access/index.js';
import { spendOnMembers } from '../../budget/costs.js';
import type { CelFunction } from '../../function.js';
import type { ResourceSet } from '../../resource-set.js';
import { isMap, listOf, member, path, present, textOrEmpty } from '../../standard/values.js';
import { show } from '../show.js';

/** What a rule of a Role or ClusterRole grants. Total: a part of the wrong type counts as absent. */
export const access: readonly CelFunction[] = [
  {
    signature: 'namedAccess(dyn, dyn, dyn): string',
    summary:
      'What a rule of a role grants of the verbs (a list) on the resources (a list of GROUP/RESOURCE with an optional subresource; the core group is empty), as text for a message; the empty string if it grants nothing of them. `*` in verbs and API groups counts, and so does `*/exec` for pods/exec. A single `*` in `resources` names no resource.',
    example:
      'namedAccess({"apiGroups": [""], "resources": ["pods", "secrets"], "verbs": ["get", "list", "patch"]}, ["get", "list"], ["/secrets"]) == "get, list secrets" && namedAccess({"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}, ["get"], ["/secrets"]) == ""',
    call: (rule: unknown, verbs: unknown, resources: unknown) => namedAccess(present(rule), textsOf(verbs), textsOf(resources)),
  },
  {
    signature: 'permits(dyn, dyn, dyn): bool',
    summary:
      'Whether a rule of a role allows one of the verbs on one of the resources (see namedAccess) whatever the name of the object is, as the API server decides it: `*` stands for everything, and a rule with resourceNames does not count.',
    example:
      'permits({"apiGroups": ["*"], "resources": ["*"], "verbs": ["get"]}, ["get"], ["/secrets"]) && !permits({"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"], "resourceNames": ["a"]}, ["get"], ["/secrets"])',
    call: (rule: unknown, verbs: unknown, resources: unknown) => permits(present(rule), textsOf(verbs), textsOf(resources)),
  },
  {
    signature: 'grantsEverything(dyn): bool',
    summary:
      'Whether a rule of a role grants every verb (`*`, or all of get, list, watch, create, update, patch and delete) on every resource of every API group.',
    example:
      'grantsEverything({"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}) && !grantsEverything({"apiGroups": ["apps"], "resources": ["*"], "verbs": ["*"]})',
    call: (rule: unknown) => {
      const { verbs, apiGroups, resources } = policyRule(present(rule));
      spendOnMembers(verbs.length + apiGroups.length + resources.length);
      return (
        apiGroups.includes('*') && resources.includes('*') && (verbs.includes('*') || EVERY_VERB.every((verb) => verbs.includes(verb)))
      );
    },
  },
  {
    signature: 'subjectName(dyn): string',
    summary: 'Kind, namespace and name of a subject of a binding, as text for a message.',
    example:
      'subjectName({"kind": "ServiceAccount", "namespace": "shop", "name": "web"}) == "ServiceAccount shop/web" && subjectName({"kind": "Group", "name": "ops"}) == "Group ops"',
    call: (subject: unknown) => subjectText(present(subject)),
  },
  {
    signature: 'serviceAccountOf(dyn): string',
    summary: 'The name of the ServiceAccount of a Pod spec: serviceAccountName, or else the deprecated serviceAccount, or else default.',
    example: 'serviceAccountOf({"serviceAccountName": "web"}) == "web" && serviceAccountOf({}) == "default"',
    call: (podSpec: unknown) => accountOf(present(podSpec)),
  },
  {
    signature: 'isBuiltInRole(dyn): bool',
    summary:
      'Whether an RBAC object has the label kubernetes.io/bootstrapping, which marks the roles and bindings that the API server and kubeadm create.',
    example: 'isBuiltInRole({"metadata": {"labels": {"kubernetes.io/bootstrapping": "rbac-defaults"}}}) && !isBuiltInRole({})',
    call: (object: unknown) => path(present(object), 'metadata', 'labels', 'kubernetes.io/bootstrapping') !== undefined,
  },
];

const EVERY_VERB = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

/** The evaluation of RBAC over the set. */
export const accessOfSet: readonly CelFunction[] = [
  {
    signature: 'bylaw.ResourceSet.boundRules(dyn): list<dyn>',
    summary:
      'The rules that a RoleBinding or ClusterRoleBinding grants, those of aggregated roles included. A role that is not in the input is known if Kubernetes creates it itself; for any other, the check is undecided. Requires the kinds Role (`/rules`) and ClusterRole (`/rules`, `/aggregationRule`, `/metadata/labels`) in `set`.',
    example:
      'resources.boundRules({"kind": "ClusterRoleBinding", "roleRef": {"kind": "ClusterRole", "name": "cluster-admin"}}).exists(r, permits(r, ["get"], ["/secrets"]))',
    raises: true,
    call: (set: ResourceSet, binding: unknown) => set.boundRules(present(binding)),
  },
  {
    signature: 'bylaw.ResourceSet.grantText(dyn): string',
    summary:
      'What a binding grants, as the end of a message, with the file and line of each rule: `, which allows get, list secrets (rbac.yaml:12)`. Empty if the role is not in the input.',
    example: 'resources.grantText({"kind": "RoleBinding", "roleRef": {"kind": "Role", "name": "none"}}) == ""',
    call: (set: ResourceSet, binding: unknown) => set.grantText(present(binding)),
  },
  {
    signature: 'bylaw.ResourceSet.mountsToken(string, dyn): bool',
    summary:
      'Whether a Pod of a namespace mounts the token of its ServiceAccount: automountServiceAccountToken of the Pod spec decides, or else that of the ServiceAccount, if the set contains it; the default is true. Requires ServiceAccount (`/automountServiceAccountToken`) in `set`.',
    example: 'resources.mountsToken("shop", {}) && !resources.mountsToken("shop", {"automountServiceAccountToken": false})',
    raises: true,
    call: (set: ResourceSet, namespace: string, podSpec: unknown) => {
      const spec = present(podSpec);
      const own = member(spec, 'automountServiceAccountToken');
      return (own ?? member(set.lookup('ServiceAccount', namespace, accountOf(spec)), 'automountServiceAccountToken')) !== false;
    },
  },
  {
    signature: 'bylaw.ResourceSet.accountBindings(string, string): list<dyn>',
    summary:
      'The bindings of a ServiceAccount (namespace, name), by its name or by one of its `system:` groups, as {kind, namespace, name, direct, clusterWide, role, text, known, rules}: role is {kind, name}, `text` describes the binding with its place, `direct` is whether the binding names the ServiceAccount, `known` is whether the role is known, and `rules` are those of boundRules, each with what it grants and its place as `text`. Reading `rules` is undecided if it is not. Requires RoleBinding and ClusterRoleBinding (`/subjects`, `/roleRef`) in `set`, and the kinds of boundRules.',
    example: 'resources.accountBindings("shop", "nobody") == []',
    raises: true,
    call: (set: ResourceSet, namespace: string, name: string) => set.accountBindings(namespace, name),
  },
];

function namedAccess(value: unknown, verbs: readonly string[], resources: readonly string[]): string {
  if (!isMap(value)) return '';
  const rule = policyRule(value);
  spendOnMembers(rule.verbs.length + rule.resources.length * resources.length);
  const granted = rule.verbs.filter((verb) => verb === '*' || verbs.includes(verb));
  if (granted.length === 0) return '';
  const wanted = resources.map(resourceOf).filter(({ group }) => rule.apiGroups.includes('*') || rule.apiGroups.includes(group));
  const named = rule.resources.filter((written) => wanted.some(({ resource }) => namesResource(written, resource)));
  if (named.length === 0) return '';
  return `${granted.includes('*') ? 'every verb on' : granted.join(', ')} ${named.join(', ')}`;
}

function permits(value: unknown, verbs: readonly string[], resources: readonly string[]): boolean {
  const rule = policyRule(value);
  spendOnMembers((rule.verbs.length + rule.resources.length + rule.apiGroups.length) * verbs.length * resources.length);
  return resources.map(resourceOf).some((resource) => verbs.some((verb) => allows(rule, { verb, ...resource })));
}

function accountOf(podSpec: unknown): string {
  return textOrEmpty(member(podSpec, 'serviceAccountName')) || textOrEmpty(member(podSpec, 'serviceAccount')) || 'default';
}

function subjectText(subject: unknown): string {
  const [kind, namespace, name] = ['kind', 'namespace', 'name'].map((key) => show(textOrEmpty(member(subject, key)), 253));
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** `/pods/exec`, `apps/deployments`. */
function resourceOf(text: string): { group: string; resource: string } {
  const slash = text.indexOf('/');
  return { group: text.slice(0, Math.max(slash, 0)), resource: text.slice(slash + 1) };
}

function textsOf(list: unknown): string[] {
  return listOf(list).map(textOrEmpty);
}
