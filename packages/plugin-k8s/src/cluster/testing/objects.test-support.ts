import type { KubernetesObject } from '../cluster.js';

export interface ObjectFields {
  namespace?: string;
  [member: string]: unknown;
}

/** A small object of a kind: what is given is beside its name. */
export function anObject(apiVersion: string, kind: string, name: string, { namespace, ...members }: ObjectFields = {}): KubernetesObject {
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) }, ...members };
}

/** So many ConfigMaps, named in their order. */
export function configMaps(count: number, namespace = 'default'): KubernetesObject[] {
  return Array.from({ length: count }, (_, i) =>
    anObject('v1', 'ConfigMap', `map-${String(i).padStart(5, '0')}`, { namespace, data: { i: String(i) } }),
  );
}

/** A Deployment as a cluster holds it, with the ReplicaSet and the Pods that stand for it: with defaults, status and the bookkeeping of the API server. */
export function runningDeployment(name: string, namespace: string, replicas = 1): KubernetesObject[] {
  const labels = { app: name };
  const template = { metadata: { labels, creationTimestamp: null }, spec: podSpec(name) };
  const deployment = live('apps/v1', 'Deployment', name, namespace, {
    spec: { replicas, selector: { matchLabels: labels }, template, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
    status: { observedGeneration: 1, replicas, readyReplicas: replicas },
  });
  const replicaSet = live(
    'apps/v1',
    'ReplicaSet',
    `${name}-5d8c7b9f6`,
    namespace,
    { spec: { replicas, selector: { matchLabels: labels }, template } },
    deployment,
  );
  const pods = Array.from({ length: replicas }, (_, i) =>
    live(
      'v1',
      'Pod',
      `${name}-5d8c7b9f6-x${i}`,
      namespace,
      { spec: { ...podSpec(name), nodeName: 'node-1' }, status: { phase: 'Running', podIP: '10.0.0.1' } },
      replicaSet,
    ),
  );
  return [deployment, replicaSet, ...pods];
}

/** Objects of many kinds in the proportions of a cluster of web services, `count` in all. The same for the same count. */
export function mixedObjects(count: number): KubernetesObject[] {
  const objects: KubernetesObject[] = [];
  for (let i = 0; objects.length < count; i++) {
    const namespace = `team-${i % 20}`;
    const name = `service-${i}`;
    if (i < 20)
      objects.push(live('v1', 'Namespace', namespace, undefined, { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } }));
    objects.push(
      ...runningDeployment(name, namespace, 1 + (i % 3)),
      live('v1', 'Service', name, namespace, {
        spec: { type: 'ClusterIP', selector: { app: name }, ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] },
      }),
      live('v1', 'ConfigMap', `${name}-settings`, namespace, { data: { 'application.properties': 'timeout=30\nretries=3\n'.repeat(20) } }),
      live('v1', 'Secret', `${name}-credentials`, namespace, { type: 'Opaque', data: { password: 'bm90LWEtcmVhbC1vbmU=' } }),
      live('v1', 'ServiceAccount', name, namespace, { automountServiceAccountToken: i % 2 === 0 }),
    );
    if (i % 4 === 0)
      objects.push(
        live('networking.k8s.io/v1', 'Ingress', name, namespace, {
          spec: {
            rules: [
              {
                host: `${name}.example.com`,
                http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name, port: { number: 80 } } } }] },
              },
            ],
          },
        }),
        live('autoscaling/v2', 'HorizontalPodAutoscaler', name, namespace, {
          spec: { minReplicas: 1, maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name } },
        }),
        live('rbac.authorization.k8s.io/v1', 'Role', name, namespace, {
          rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }],
        }),
        live('batch/v1', 'CronJob', `${name}-cleanup`, namespace, {
          spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template: { spec: { ...podSpec(name), restartPolicy: 'OnFailure' } } } } },
        }),
      );
  }
  return objects.slice(0, count);
}

function podSpec(name: string) {
  return {
    containers: [
      {
        name: 'app',
        image: `registry.example.com/${name}:1.4.2`,
        imagePullPolicy: 'IfNotPresent',
        ports: [{ containerPort: 8080, protocol: 'TCP' }],
        env: [{ name: 'LOG_LEVEL', value: 'info' }],
        resources: { limits: { memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
        livenessProbe: {
          httpGet: { path: '/healthz', port: 8080, scheme: 'HTTP' },
          periodSeconds: 10,
          timeoutSeconds: 1,
          failureThreshold: 3,
        },
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
      },
    ],
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    serviceAccountName: name,
    terminationGracePeriodSeconds: 30,
  };
}

function live(
  apiVersion: string,
  kind: string,
  name: string,
  namespace: string | undefined,
  members: object,
  owner?: KubernetesObject,
): KubernetesObject {
  const uid = `${kind}-${namespace ?? ''}-${name}`.toLowerCase();
  const reference = owner && {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata?.name ?? '',
    uid: owner.metadata?.uid ?? '',
  };
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      uid,
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: name, 'app.kubernetes.io/managed-by': 'Helm' },
      ...(reference && { ownerReferences: [{ ...reference, controller: true }] }),
      managedFields: [
        {
          manager: 'helm',
          operation: 'Update',
          apiVersion,
          time: '2026-01-01T00:00:00Z',
          fieldsType: 'FieldsV1',
          fieldsV1: fieldsOf(members),
        },
      ],
    },
    ...members,
  };
}

/** The bookkeeping of the API server: an entry for every field, as it writes them. */
function fieldsOf(value: unknown): object {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [`f:${name}`, fieldsOf(member)]));
}
