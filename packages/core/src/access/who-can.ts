import type { AccessGraph, Binding } from './access-graph.js';
import { type AccessRequest, allows } from './allows.js';
import { policyRule } from './policy-rule.js';
import type { Role, RoleRule } from './role.js';
import { type AccessSubject, subjectName } from './subject.js';

/** A question: who can do this, and where. */
export interface AccessQuestion {
  readonly request: AccessRequest;
  /** Only what applies in this namespace; absent: everywhere. */
  readonly namespace?: string;
  /** Whether the resource belongs to the cluster and not to a namespace: a RoleBinding then grants nothing. */
  readonly clusterScoped: boolean;
}

/** One way in which a subject gets access. */
export interface AccessPath {
  readonly binding: Binding;
  readonly role: Role;
  /** The first rule of the role that allows the request. */
  readonly rule: RoleRule;
}

export interface AccessAnswer {
  /** Sorted by kind, namespace and name; the paths of each in the order of the input. */
  readonly subjects: readonly { readonly subject: AccessSubject; readonly paths: readonly AccessPath[] }[];
  /** Bindings whose role is not known. */
  readonly undecided: readonly { readonly binding: Binding; readonly message: string }[];
}

/** Answers from the objects of a graph, as the RBAC authorizer of the API server decides. */
export function whoCan(graph: AccessGraph, question: AccessQuestion): AccessAnswer {
  const found = new Map<string, { subject: AccessSubject; paths: AccessPath[] }>();
  const undecided: { binding: Binding; message: string }[] = [];
  for (const binding of graph.bindings) {
    if (!applies(binding, question)) continue;
    const grant = graph.grantOf(binding.role);
    if (grant.status === 'unknown') {
      undecided.push({ binding, message: grant.message });
      continue;
    }
    if (grant.status === 'missing') continue;
    const rule = grant.rules.find(({ value }) => allows(policyRule(value), question.request));
    if (rule === undefined) continue;
    for (const subject of binding.subjects) {
      const name = subjectName(subject);
      const known = found.get(name) ?? { subject, paths: [] };
      found.set(name, known);
      if (known.paths.at(-1)?.binding !== binding) known.paths.push({ binding, role: grant.role, rule });
    }
  }
  const subjects = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  return { subjects, undecided };
}

/** Whether what a binding grants can count for the question at all. */
function applies(binding: Binding, { request, namespace, clusterScoped }: AccessQuestion): boolean {
  if (binding.kind === 'ClusterRoleBinding') return true;
  if ('url' in request) return false;
  // The API server takes a request for a Namespace by name as one in that namespace.
  if (request.group === '' && /^namespaces(?:\/|$)/.test(request.resource)) return binding.namespace === request.name;
  return !clusterScoped && (namespace === undefined || binding.namespace === namespace);
}
