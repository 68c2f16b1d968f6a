import { isObject, type Pod, podOf, type Resource } from '../resource/index.js';

/** What is read of a resource to tell what it runs. */
export type Readable = Pick<Resource, 'apiVersion' | 'kind' | 'namespace' | 'name' | 'object'>;

/** Without what a controller of the same input made: it is counted with the controller. */
export function withoutOwned<T extends Readable>(resources: readonly T[]): T[] {
  const present = new Set(resources.map((resource) => `${resource.namespace ?? 'default'}/${resource.kind}/${resource.name}`));
  return resources.filter((resource) => !isOwned(resource, present));
}

function isOwned({ namespace = 'default', object }: Readable, present: ReadonlySet<string>): boolean {
  const metadata = isObject(object.metadata) ? object.metadata : {};
  const owners = Array.isArray(metadata.ownerReferences) ? metadata.ownerReferences : [];
  return owners.some(
    (owner) => isObject(owner) && owner.controller === true && present.has(`${namespace}/${String(owner.kind)}/${String(owner.name)}`),
  );
}

/** The pod that a workload runs copies of. A Rollout of Argo runs pods as a Deployment does. */
export function podOfWorkload({ apiVersion, kind, object }: Readable): Pod | undefined {
  const rollout = kind === 'Rollout' && apiVersion.startsWith('argoproj.io/');
  return podOf(rollout ? { apiVersion: 'apps/v1', kind: 'Deployment', object } : { apiVersion, kind, object });
}

/** `apps/Deployment/shop/checkout`. */
export function workloadId({ apiVersion, kind, namespace, name }: Readable): string {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : 'core';
  return `${group}/${kind}/${namespace ?? 'default'}/${name}`;
}

/** The type of machine that a pod asks for by itself. */
export function nodeTypeOf(pod: Pod): string | undefined {
  const selector = isObject(pod.spec.nodeSelector) ? pod.spec.nodeSelector : {};
  const type = selector['node.kubernetes.io/instance-type'];
  return typeof type === 'string' ? type : undefined;
}
