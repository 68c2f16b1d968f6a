import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Authority } from '../../packages/plugin-k8s/src/cluster/testing/authority.test-support.js';

export interface ApiServerOptions {
  /** Gets the keys and certificates. */
  folder: string;
  etcd: string;
  /** Issues the server's certificate, and is believed who the clients are. */
  authority: Authority;
  port: number;
}

/** The user name by which the API server shows itself to webhooks. */
export const WEBHOOK_CLIENT = 'kube-apiserver-to-webhooks';

/** Of a kube-apiserver on loopback, with RBAC, and with the admission plugins that the tests are about. */
export function apiServerFlags({ folder, etcd, authority, port }: ApiServerOptions): string[] {
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const serving = authority.issue({ commonName: 'kube-apiserver', names: ['localhost'], addresses: ['127.0.0.1'] });
  const accounts = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return [
    `--etcd-servers=${etcd}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    '--endpoint-reconciler-type=none',
    '--service-cluster-ip-range=10.0.0.0/24',
    `--tls-cert-file=${file('serving.crt', serving.cert)}`,
    `--tls-private-key-file=${file('serving.key', serving.key)}`,
    `--client-ca-file=${file('authority.crt', authority.cert)}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-signing-key-file=${file('accounts.key', String(accounts.privateKey.export({ type: 'sec1', format: 'pem' })))}`,
    `--service-account-key-file=${file('accounts.pub', String(accounts.publicKey.export({ type: 'spki', format: 'pem' })))}`,
    '--authorization-mode=RBAC',
    '--enable-admission-plugins=ValidatingAdmissionPolicy,ValidatingAdmissionWebhook',
    // No controller makes the default service account of a namespace, and objects shall be what a test wrote.
    '--disable-admission-plugins=ServiceAccount',
    `--admission-control-config-file=${file('admission.json', admission(file('webhooks.json', webhookKubeconfig(authority))))}`,
    '--allow-privileged=true',
    `--audit-policy-file=${file('audit.json', AUDIT_POLICY)}`,
    `--audit-log-path=${join(folder, 'audit.log')}`,
    // In megabytes: a file that is full is replaced, and what the policies of all rules said would be gone.
    '--audit-log-maxsize=4000',
  ];
}

/** What an API server shows to webhooks so that they know it. */
function webhookKubeconfig(authority: Authority): string {
  const { cert, key } = authority.issue({ commonName: WEBHOOK_CLIENT });
  const user = { 'client-certificate-data': btoa(cert), 'client-key-data': btoa(key) };
  return JSON.stringify({ apiVersion: 'v1', kind: 'Config', users: [{ name: '*', user }] });
}

function admission(kubeConfigFile: string): string {
  const configuration = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'WebhookAdmissionConfiguration', kubeConfigFile };
  const plugins = [{ name: 'ValidatingAdmissionWebhook', configuration }];
  return JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins });
}

const AUDIT_POLICY = JSON.stringify({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata', verbs: ['create', 'update', 'patch', 'delete'] }],
});
