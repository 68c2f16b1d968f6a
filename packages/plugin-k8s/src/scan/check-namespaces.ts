import { nearest } from '@bylaw/core/nearest';
import { type Cluster, type Discovery, ListDenied } from '../cluster/cluster.js';
import { k8sError } from '../error-table.js';

/**
 * A namespace that does not exist lists as an empty one, and a misspelt name would pass for a clean bill. Who may not list namespaces is believed.
 * @throws {BylawError} `namespace-unknown`
 */
export async function checkNamespaces(wanted: readonly string[] | undefined, discovery: Discovery, cluster: Cluster): Promise<void> {
  const kind = discovery.kinds.find(({ group, kind }) => group === '' && kind === 'Namespace');
  if (!wanted || !kind) return;
  const known = new Set<string>();
  try {
    for await (const { objects } of cluster.list(kind)) for (const { metadata } of objects) known.add(metadata?.name ?? '');
  } catch (error) {
    if (error instanceof ListDenied) return;
    throw error;
  }
  const missing = wanted.find((name) => !known.has(name));
  if (missing === undefined) return;
  const near = nearest(missing, known);
  throw k8sError('namespace-unknown', `The cluster has no namespace ${missing}.`, {
    ...(near !== undefined && { hint: `Did you mean ${near}?` }),
  });
}
