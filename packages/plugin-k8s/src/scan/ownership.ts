import { isObject } from '@bylaw/core/resource';
import type { KubernetesObject, OwnerReference } from '../cluster/cluster.js';
import { nameOf } from './kind-name.js';

/**
 * Who makes whom from a pod template, by the controllers of Kubernetes and OpenShift. Owners of other kinds are evaluated for other things than
 * what they own, so what they own is evaluated as well.
 */
const OWNERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Pod', ['DaemonSet', 'Job', 'ReplicaSet', 'ReplicationController', 'StatefulSet']],
  ['Job', ['CronJob']],
  ['ReplicaSet', ['Deployment']],
  ['ReplicationController', ['apps.openshift.io/DeploymentConfig']],
]);

const CONTROLLERS: ReadonlySet<string> = new Set([...OWNERS.values()].flat());

/** How many owners are above objects of a kind: 0 for what nobody owns. */
export function ownershipDepth(kind: string): number {
  return Math.max(0, ...(OWNERS.get(kind) ?? []).map((owner) => 1 + ownershipDepth(owner)));
}

/** What tells objects that stand for themselves from those that a controller of the same scan stands for. */
export interface Ownership {
  /** Must be asked about every object, controllers before what they own: a Pod of a ReplicaSet of a Deployment counts once. */
  isOwned(kind: string, object: KubernetesObject): boolean;
  /** Whether it names a controller that would stand for it, and was not seen. */
  lacksOwner(kind: string, object: KubernetesObject): boolean;
}

export function ownership(): Ownership {
  /** Identifiers of the controllers that were seen. A reference alone proves nothing: whoever makes a Pod writes it. */
  const seen = new Set<string>();
  return {
    isOwned(kind, object) {
      const { uid, ownerReferences } = object.metadata ?? {};
      if (uid !== undefined && CONTROLLERS.has(kind)) seen.add(uid);
      if (isFormerRevision(kind, object)) return controllerOf(ownerReferences) !== undefined;
      const owner = makerOf(kind, object);
      return owner !== undefined && seen.has(owner.uid) && !hasMoreThanItsTemplate(object);
    },
    lacksOwner(kind, object) {
      const owner = makerOf(kind, object);
      return owner !== undefined && !seen.has(owner.uid);
    },
  };
}

/** The controller that has made the object of its template, as the object says. */
function makerOf(kind: string, { metadata }: KubernetesObject): OwnerReference | undefined {
  const owner = controllerOf(metadata?.ownerReferences);
  return owner && OWNERS.get(kind)?.includes(nameOf(owner.apiVersion, owner.kind)) ? owner : undefined;
}

function controllerOf(references: readonly OwnerReference[] | undefined): OwnerReference | undefined {
  return references?.find(({ controller }) => controller === true);
}

/** A ReplicaSet that its controller keeps at no replicas, to be able to go back. */
function isFormerRevision(kind: string, { spec }: KubernetesObject): boolean {
  return (kind === 'ReplicaSet' || kind === 'ReplicationController') && isObject(spec) && spec['replicas'] === 0;
}

/** Containers for debugging are added to a Pod, and no template knows them. */
function hasMoreThanItsTemplate({ spec }: KubernetesObject): boolean {
  return isObject(spec) && Array.isArray(spec['ephemeralContainers']) && spec['ephemeralContainers'].length > 0;
}
