import type { ServedKind } from '../cluster.js';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** What a test server serves unless told otherwise: most built-in kinds, and two custom ones. `Namespaced` where not marked. */
export const KINDS: readonly ServedKind[] = [
  ...kinds('', 'v1', {
    configmaps: 'ConfigMap',
    endpoints: 'Endpoints',
    events: 'Event',
    limitranges: 'LimitRange',
    namespaces: 'Namespace cluster',
    nodes: 'Node cluster',
    persistentvolumeclaims: 'PersistentVolumeClaim',
    persistentvolumes: 'PersistentVolume cluster',
    pods: 'Pod',
    podtemplates: 'PodTemplate',
    replicationcontrollers: 'ReplicationController',
    resourcequotas: 'ResourceQuota',
    secrets: 'Secret',
    serviceaccounts: 'ServiceAccount',
    services: 'Service',
  }),
  ...kinds('admissionregistration.k8s.io', 'v1', {
    mutatingwebhookconfigurations: 'MutatingWebhookConfiguration cluster',
    validatingadmissionpolicies: 'ValidatingAdmissionPolicy cluster',
    validatingadmissionpolicybindings: 'ValidatingAdmissionPolicyBinding cluster',
    validatingwebhookconfigurations: 'ValidatingWebhookConfiguration cluster',
  }),
  ...kinds('apiextensions.k8s.io', 'v1', { customresourcedefinitions: 'CustomResourceDefinition cluster' }),
  ...kinds('apps', 'v1', {
    controllerrevisions: 'ControllerRevision',
    daemonsets: 'DaemonSet',
    deployments: 'Deployment',
    replicasets: 'ReplicaSet',
    statefulsets: 'StatefulSet',
  }),
  ...kinds('argoproj.io', 'v1alpha1', { rollouts: 'Rollout' }),
  ...kinds('autoscaling', 'v2', { horizontalpodautoscalers: 'HorizontalPodAutoscaler' }),
  ...kinds('batch', 'v1', { cronjobs: 'CronJob', jobs: 'Job' }),
  ...kinds('coordination.k8s.io', 'v1', { leases: 'Lease' }),
  ...kinds('discovery.k8s.io', 'v1', { endpointslices: 'EndpointSlice' }),
  ...kinds('example.test', 'v1beta1', { widgets: 'Widget' }),
  ...kinds('networking.k8s.io', 'v1', {
    ingressclasses: 'IngressClass cluster',
    ingresses: 'Ingress',
    networkpolicies: 'NetworkPolicy',
  }),
  ...kinds('policy', 'v1', { poddisruptionbudgets: 'PodDisruptionBudget' }),
  ...kinds('rbac.authorization.k8s.io', 'v1', {
    clusterrolebindings: 'ClusterRoleBinding cluster',
    clusterroles: 'ClusterRole cluster',
    rolebindings: 'RoleBinding',
    roles: 'Role',
  }),
  ...kinds('scheduling.k8s.io', 'v1', { priorityclasses: 'PriorityClass cluster' }),
  ...kinds('storage.k8s.io', 'v1', { storageclasses: 'StorageClass cluster' }),
];

/** @throws where the table has no such resource */
export function servedKind(resource: string, group?: string): ServedKind {
  const found = KINDS.find((kind) => kind.resource === resource && (group === undefined || kind.group === group));
  if (!found) throw new Error(`the test server does not serve ${resource}`);
  return found;
}

function kinds(group: string, version: string, resources: { [resource: string]: string }): ServedKind[] {
  return Object.entries(resources).map(([resource, words]) => {
    const [kind = '', scope] = words.split(' ');
    return { group, version, kind, resource, namespaced: scope !== 'cluster', verbs: VERBS };
  });
}
