import { ignoring, LABELS, type ManifestOptions, NAME, named, OWNER, SELECTOR } from './options.js';

/** The port that the server listens on, in its Pod. */
export const PORT = 8443;

/** The namespace, in which Pods keep to the strictest standard, and reach and are reached by nobody unless a policy says so. */
export function namespaceObjects(options: ManifestOptions): object[] {
  const standard = ['enforce', 'audit', 'warn'].map((use) => [`pod-security.kubernetes.io/${use}`, 'restricted']);
  return [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: options.namespace,
        labels: { ...LABELS, ...Object.fromEntries(standard) },
        ...ignoring({ 'FO-001': 'who installs it knows the cost centre', ...OWNER }),
      },
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: named(options, 'default-deny'),
      spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
    },
  ];
}

export function service(options: ManifestOptions): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...named(options), ...ignoring({ 'CB-031': 'only the API server calls it' }) },
    spec: {
      type: 'ClusterIP',
      selector: { ...SELECTOR },
      ports: [{ name: 'https', port: 443, targetPort: 'https', protocol: 'TCP', appProtocol: 'https' }],
    },
  };
}

/** The webhook calls nobody. Who calls it cannot be said: the API server has an address outside the network of Pods in most clusters. */
export function networkPolicy(options: ManifestOptions): object {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: named(options),
    spec: {
      podSelector: { matchLabels: { ...SELECTOR } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: [{ protocol: 'TCP', port: PORT }] }],
    },
  };
}

/** The names under which API servers call the service. */
export function serviceNames({ namespace }: Pick<ManifestOptions, 'namespace'>): string[] {
  return [`${NAME}.${namespace}.svc`, `${NAME}.${namespace}.svc.cluster.local`];
}
