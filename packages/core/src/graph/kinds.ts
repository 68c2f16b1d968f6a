import { builtinGroup, groupOf, POD_KINDS, POD_TEMPLATE_KINDS } from '../resource/index.js';
import { kindName } from '../rule/index.js';
import { MAKER_KINDS } from './makers.js';
import type { NodeCategory } from './model.js';

/** The kinds that are always drawn, by the names that rules have for them. Others are drawn if something drawn refers to them. */
const CATEGORY_OF: ReadonlyMap<string, NodeCategory> = new Map<string, NodeCategory>([
  ['gateway.networking.k8s.io/Gateway', 'gateway'],
  ['networking.istio.io/Gateway', 'gateway'],
  ['Ingress', 'route'],
  ['gateway.networking.k8s.io/HTTPRoute', 'route'],
  ['gateway.networking.k8s.io/GRPCRoute', 'route'],
  ['gateway.networking.k8s.io/TLSRoute', 'route'],
  ['gateway.networking.k8s.io/TCPRoute', 'route'],
  ['gateway.networking.k8s.io/UDPRoute', 'route'],
  ['route.openshift.io/Route', 'route'],
  ['networking.istio.io/VirtualService', 'route'],
  ['Service', 'service'],
  ['NetworkPolicy', 'policy'],
  ['PodDisruptionBudget', 'policy'],
  ['HorizontalPodAutoscaler', 'policy'],
  ['autoscaling.k8s.io/VerticalPodAutoscaler', 'policy'],
  ['keda.sh/ScaledObject', 'policy'],
  ...[...POD_KINDS, 'DeploymentConfig', 'apps.openshift.io/DeploymentConfig', ...POD_TEMPLATE_KINDS].map(
    (kind) => [kind, 'workload'] as const,
  ),
  ['ServiceAccount', 'account'],
  ['ConfigMap', 'configuration'],
  ['Secret', 'configuration'],
  ...MAKER_KINDS.map((kind) => [kind, 'configuration'] as const),
  ['PersistentVolumeClaim', 'storage'],
  ['PersistentVolume', 'storage'],
  ['StorageClass', 'storage'],
]);

/** The kinds that the graph is made of, by the names that rules have for them: what a scan must list for it. */
export const GRAPH_KINDS: readonly string[] = [...CATEGORY_OF.keys(), 'Namespace'];

/** Kinds outside all namespaces that a node can have. */
const CLUSTER_SCOPED: ReadonlySet<string> = new Set([
  'Namespace',
  'PersistentVolume',
  'StorageClass',
  'argoproj.io/ClusterWorkflowTemplate',
]);

/** What a kind is drawn as; undefined for one that is drawn only if something refers to it. */
export function categoryOf(kind: string): NodeCategory | undefined {
  return CATEGORY_OF.get(kind);
}

export function isClusterScoped(kind: string): boolean {
  return CLUSTER_SCOPED.has(kind);
}

/** The name that rules have for a kind. */
export function nameOfKind(apiVersion: string, kind: string): string {
  return kindName(apiVersion, kind, builtinGroup(apiVersion));
}

/** The same for a reference that names a group: the empty group is that of the core kinds. */
export function nameOfGroupKind(group: string, kind: string): string {
  return group === '' || builtinGroup(`${group}/v1`) ? kind : `${group}/${kind}`;
}

/** `Gateway` of `gateway.networking.k8s.io/Gateway`. */
export function shortKind(kind: string): string {
  return kind.slice(groupOf(kind) === '' ? 0 : groupOf(kind).length + 1);
}
