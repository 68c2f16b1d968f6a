import type { Issued } from '../../packages/plugin-k8s/src/cluster/testing/authority.test-support.js';

/** A kubeconfig with one context, `test`, whose user is known by a client certificate. JSON, which is YAML. */
export function kubeconfig(server: string, authority: string, { cert, key }: Issued): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': btoa(authority) } }],
    users: [{ name: 'test', user: { 'client-certificate-data': btoa(cert), 'client-key-data': btoa(key) } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  });
}
