import { createHash } from 'node:crypto';
import { MODES } from '../../config/webhook-section.js';
import { WEBHOOK_PATH } from '../webhook.js';
import { PORT } from './network.js';
import { ignoring, LABELS, type ManifestOptions, NAME, named, OWNER, SELECTOR, TLS_SECRET } from './options.js';

/** The webhook is to run when other things cannot, for without it they are not evaluated. */
export function priorityClass(): object {
  return {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: NAME, labels: { ...LABELS } },
    value: 1_000_000,
    globalDefault: false,
    description: 'For the admission webhook of bylaw.',
  };
}

/** It speaks to no API server, so it is nobody there. */
export function serviceAccount(options: ManifestOptions): object {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: named(options), automountServiceAccountToken: false };
}

export function configMap(options: ManifestOptions): { data: { [file: string]: string }; [member: string]: unknown } {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: named(options), data: { 'bylaw.yaml': configText(options) } };
}

function configText({ mode, denyOn, failClosed, namespaceLabels }: ManifestOptions): string {
  const paths = namespaceLabels ? MODES.map((each) => `${WEBHOOK_PATH}/${each}`) : [WEBHOOK_PATH];
  return `plugins: [k8s]
api:
  # API servers keep idle connections open for 90 seconds.
  idle_seconds: 100
  # In most clusters, the API server cannot authenticate itself. Network policies decide who can call the webhook.
  open_paths: [${paths.join(', ')}]
  keys:
    # No key has this digest, so all routes except the webhook and the health check are closed.
    - id: nobody
      sha256: "${'0'.repeat(64)}"
webhook:
  mode: ${mode}
  deny_on: ${denyOn}
  fail: ${failClosed ? 'denied' : 'allowed'}
`;
}

export function deployment(options: ManifestOptions, { data }: { data: object }): object {
  const checksum = createHash('sha256').update(JSON.stringify(data)).digest('hex');
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...named(options), ...ignoring(ACCEPTED) },
    spec: {
      replicas: options.replicas,
      revisionHistoryLimit: 5,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      selector: { matchLabels: { ...SELECTOR } },
      template: {
        // The file is read when the server starts: Pods are replaced when it changes.
        metadata: {
          labels: { ...LABELS },
          annotations: { 'bylaw.dev/config-sha256': checksum, 'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes': 'tmp' },
        },
        spec: podSpec(options),
      },
    },
  };
}

/** Where a node does not support a field, a Pod that asks for it does not start. */
const ACCEPTED = {
  ...OWNER,
  'CS-027': 'not every node supports supplementalGroupsPolicy',
  'CS-034': 'not every node supports AppArmor',
};

function podSpec({ image }: ManifestOptions): object {
  const labelSelector = { matchLabels: { ...SELECTOR } };
  return {
    serviceAccountName: NAME,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    priorityClassName: NAME,
    terminationGracePeriodSeconds: 45,
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector },
      { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway', labelSelector },
    ],
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 10_001,
      runAsGroup: 10_001,
      fsGroup: 10_001,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [container(image)],
    volumes: [
      { name: 'config', configMap: { name: NAME } },
      // Readable for the group of the server, and for nobody else.
      { name: 'tls', secret: { secretName: TLS_SECRET, defaultMode: 0o440 } },
      { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } },
    ],
  };
}

const TLS_FOLDER = '/etc/bylaw/tls';
const CONFIG_FOLDER = '/etc/bylaw/config';

function container(image: string): object {
  const health = { path: '/api/v1/health', port: 'https', scheme: 'HTTPS' };
  return {
    name: 'webhook',
    image,
    imagePullPolicy: image.includes('@') ? 'IfNotPresent' : 'Always',
    args: [
      'serve',
      ...['--host', '0.0.0.0', '--port', String(PORT), '--config', `${CONFIG_FOLDER}/bylaw.yaml`],
      ...['--tls-cert', `${TLS_FOLDER}/tls.crt`, '--tls-key', `${TLS_FOLDER}/tls.key`],
    ],
    env: [{ name: 'SVC_DATA_DIR', value: '/tmp/bylaw' }],
    ports: [{ name: 'https', containerPort: PORT, protocol: 'TCP' }],
    // The rules are made ready before the server listens.
    startupProbe: { httpGet: health, periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 60 },
    readinessProbe: { httpGet: health, periodSeconds: 5, timeoutSeconds: 2, failureThreshold: 2 },
    livenessProbe: { httpGet: health, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
    // The API server learns of an end some moments after it begins.
    lifecycle: { preStop: { sleep: { seconds: 5 } } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      capabilities: { drop: ['ALL'] },
    },
    resources: {
      requests: { cpu: '250m', memory: '512Mi', 'ephemeral-storage': '64Mi' },
      limits: { cpu: '2', memory: '1Gi', 'ephemeral-storage': '128Mi' },
    },
    volumeMounts: [
      { name: 'config', mountPath: CONFIG_FOLDER, readOnly: true },
      { name: 'tls', mountPath: TLS_FOLDER, readOnly: true },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  };
}

/** One Pod at a time may be moved; one that does not work may always be. */
export function disruptionBudget(options: ManifestOptions): object {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: named(options),
    spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: { matchLabels: { ...SELECTOR } } },
  };
}
