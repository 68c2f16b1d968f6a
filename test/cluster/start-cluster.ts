import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Authority, certificateAuthority } from '../../packages/plugin-k8s/src/cluster/testing/authority.test-support.js';
import { type ApiClient, apiClient } from './api-client.js';
import { type Child, startChild } from './child.js';
import { kubeconfig } from './kubeconfig.js';
import type { Programs } from './programs.js';

/** A real etcd and a real API server on loopback, with RBAC and without any controller, node or kubelet. */
export interface TestCluster {
  url: string;
  /** In `system:masters`: may do all. */
  admin: ApiClient;
  /** Shows no certificate. */
  anyone: ApiClient;
  /** Someone else, who may do what RBAC grants to that name and these groups. */
  user(name: string, groups?: readonly string[]): ClusterUser;
  /** Forgets all revisions before now: within seconds, what still reads them gets 410. */
  compact(): Promise<void>;
  /** Ends both processes and removes all they left. */
  stop(): Promise<void>;
}

export interface ClusterUser {
  /** Path of a file that holds for as long as the cluster. */
  kubeconfig: string;
  client: ApiClient;
}

/** @throws with the last lines of its log where a process does not come up */
export async function startCluster({ etcd, apiServer }: Programs): Promise<TestCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'bylaw-cluster-'));
  const authority = certificateAuthority('bylaw-test');
  const port = await freePort();
  const anyone = apiClient(port, authority.cert);
  const clients = [anyone];
  const children: Child[] = [];
  const stop = async () => {
    for (const client of clients) client.close();
    for (const child of children.reverse()) await child.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const user = (name: string, groups: readonly string[] = []): ClusterUser => {
    const issued = authority.issue({ commonName: name, organizations: groups });
    const client = apiClient(port, authority.cert, issued);
    clients.push(client);
    return { kubeconfig: write(folder, `kubeconfig-${clients.length}`, kubeconfig(url, authority.cert, issued)), client };
  };
  const url = `https://127.0.0.1:${port}`;
  try {
    const store = startChild(etcd, etcdFlags(folder), folder);
    children.push(store);
    await store.until(async () => (await askEtcd(folder, 'GET', '/health')).includes('"true"'));
    const server = startChild(apiServer, apiServerFlags(folder, authority, port), folder);
    children.push(server);
    const admin = user('admin', ['system:masters']);
    await server.until(async () => (await admin.client.send('GET', '/readyz')).text === 'ok');
    return { url, admin: admin.client, anyone, user, compact: () => compact(folder), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Sockets in the folder, so that no port has to be found. Nothing has to survive, so nothing waits for the disk. */
function etcdFlags(folder: string): string[] {
  // To others etcd insists on naming an address with a port. There are no others.
  const unused = 'http://127.0.0.1:1';
  return [
    `--data-dir=${folder}/etcd`,
    `--listen-client-urls=unix://${folder}/etcd.sock`,
    `--advertise-client-urls=${unused}`,
    `--listen-peer-urls=unix://${folder}/peers.sock`,
    `--initial-advertise-peer-urls=${unused}`,
    `--initial-cluster=default=${unused}`,
    '--unsafe-no-fsync',
  ];
}

function apiServerFlags(folder: string, authority: Authority, port: number): string[] {
  const serving = authority.issue({ commonName: 'kube-apiserver', names: ['localhost'], addresses: ['127.0.0.1'] });
  const accounts = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return [
    `--etcd-servers=unix://${folder}/etcd.sock`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    '--endpoint-reconciler-type=none',
    '--service-cluster-ip-range=10.0.0.0/24',
    `--tls-cert-file=${write(folder, 'serving.crt', serving.cert)}`,
    `--tls-private-key-file=${write(folder, 'serving.key', serving.key)}`,
    `--client-ca-file=${write(folder, 'authority.crt', authority.cert)}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-signing-key-file=${write(folder, 'accounts.key', String(accounts.privateKey.export({ type: 'sec1', format: 'pem' })))}`,
    `--service-account-key-file=${write(folder, 'accounts.pub', String(accounts.publicKey.export({ type: 'spki', format: 'pem' })))}`,
    '--authorization-mode=RBAC',
    // No controller makes the default service account of a namespace, and objects shall be what a test wrote.
    '--disable-admission-plugins=ServiceAccount',
    '--enable-admission-plugins=ValidatingAdmissionPolicy,ValidatingAdmissionWebhook',
    '--allow-privileged=true',
  ];
}

function write(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** As another API server of the same etcd would: this one learns of it from the key. */
async function compact(folder: string): Promise<void> {
  const put = async (revision: string) => {
    const body = { key: btoa('compact_rev_key'), value: btoa(revision) };
    return JSON.parse(await askEtcd(folder, 'POST', '/v3/kv/put', body)).header.revision;
  };
  // A revision is only forgotten when there is a later one.
  const revision = await put('0');
  await put(revision);
  await askEtcd(folder, 'POST', '/v3/kv/compaction', { revision, physical: true });
}

/** etcd's API over JSON, in which keys and values are base64. */
function askEtcd(folder: string, method: string, path: string, body?: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath: join(folder, 'etcd.sock'), host: 'localhost', method, path }, (response) => {
      response
        .setEncoding('utf8')
        .toArray()
        .then((chunks) => resolve(chunks.join('')), reject);
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
