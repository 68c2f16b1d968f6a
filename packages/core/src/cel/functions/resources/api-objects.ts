/**
 * Objects that the API server and its controllers create themselves: a reference to them always leads somewhere.
 * Source: kubernetes.io/docs/concepts/overview/working-with-objects/namespaces, …/scheduling-eviction/pod-priority-preemption,
 * …/security/service-accounts and the controller that publishes the root certificate of the cluster.
 */
const CREATED: Readonly<Record<string, { readonly names: readonly string[]; readonly namespace?: string }>> = {
  Namespace: { names: ['default', 'kube-system', 'kube-public', 'kube-node-lease'] },
  ServiceAccount: { names: ['default'] },
  ConfigMap: { names: ['kube-root-ca.crt'] },
  PriorityClass: { names: ['system-cluster-critical', 'system-node-critical'] },
  Service: { names: ['kubernetes'], namespace: 'default' },
};

/** A projection with nothing but its name, if the API creates the object itself. */
export function apiObject(kind: string, namespace: string, name: string): object | undefined {
  const created = Object.hasOwn(CREATED, kind) ? CREATED[kind] : undefined;
  if (!created?.names.includes(name) || (created.namespace !== undefined && created.namespace !== namespace)) return undefined;
  return { kind, metadata: { name, ...(namespace !== '' && { namespace }) } };
}
