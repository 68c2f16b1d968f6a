import type { Resource } from '../../resource/index.js';
import { makerReferences } from './maker-references.js';
import { named, podReferences, storageClass } from './pod-references.js';
import { budgetReferences, networkPolicyReferences, scalerReferences, serviceReferences } from './policy-references.js';
import { itemsAt, memberOf, type Reference, textAt } from './reference.js';
import {
  gatewayReferences,
  gatewayRouteReferences,
  ingressReferences,
  openshiftRouteReferences,
  virtualServiceReferences,
} from './route-references.js';

/** What a resource refers to, in the order of its fields. Never throws: a part of the wrong type counts as absent. @param kind as rules name it */
export function referencesOf(kind: string, resource: Resource): Reference[] {
  return [...(REFERENCES.get(kind)?.(resource) ?? []), ...podReferences(resource), ...makerReferences(kind, resource)];
}

const REFERENCES: ReadonlyMap<string, (resource: Resource) => Reference[]> = new Map<string, (resource: Resource) => Reference[]>([
  ['Service', serviceReferences],
  ['Ingress', ingressReferences],
  ...['HTTPRoute', 'GRPCRoute', 'TLSRoute', 'TCPRoute', 'UDPRoute'].map(
    (kind) => [`gateway.networking.k8s.io/${kind}`, gatewayRouteReferences] as const,
  ),
  ['gateway.networking.k8s.io/Gateway', gatewayReferences],
  ['route.openshift.io/Route', openshiftRouteReferences],
  ['networking.istio.io/VirtualService', virtualServiceReferences],
  ['NetworkPolicy', networkPolicyReferences],
  ['PodDisruptionBudget', budgetReferences],
  ['HorizontalPodAutoscaler', (resource) => scalerReferences(resource, 'scaleTargetRef')],
  ['keda.sh/ScaledObject', (resource) => scalerReferences(resource, 'scaleTargetRef')],
  ['autoscaling.k8s.io/VerticalPodAutoscaler', (resource) => scalerReferences(resource, 'targetRef')],
  ['StatefulSet', statefulSetReferences],
  ['ServiceAccount', accountReferences],
  ['PersistentVolumeClaim', claimReferences],
  ['PersistentVolume', ({ object }) => storageClass(memberOf(object, 'spec'), '/spec')],
]);

function statefulSetReferences({ object }: Resource): Reference[] {
  const service = textAt(object, 'spec', 'serviceName');
  return [
    ...(service === undefined
      ? []
      : [{ type: 'name', edge: 'governed-by', kind: 'Service', name: service, path: '/spec/serviceName' } as const]),
    ...itemsAt(object, '', 'spec', 'volumeClaimTemplates').flatMap(([claim, at]) => storageClass(memberOf(claim, 'spec'), `${at}/spec`)),
  ];
}

function accountReferences({ object }: Resource): Reference[] {
  return [
    ...itemsAt(object, '', 'imagePullSecrets').flatMap(([item, at]) => named('pulls-with', 'Secret', item, at)),
    ...itemsAt(object, '', 'secrets').flatMap(([item, at]) => named('reads', 'Secret', item, at)),
  ];
}

function claimReferences({ object }: Resource): Reference[] {
  const volume = textAt(object, 'spec', 'volumeName');
  return [
    ...storageClass(memberOf(object, 'spec'), '/spec'),
    ...(volume === undefined
      ? []
      : [{ type: 'name', edge: 'binds', kind: 'PersistentVolume', name: volume, path: '/spec/volumeName' } as const]),
  ];
}
