import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificateAuthority, type Issued, type Subject } from '../../packages/plugin-k8s/src/cluster/testing/authority.test-support.js';
import { type ApiClient, apiClient } from './api-client.js';
import { apiServerFlags } from './api-server-flags.js';
import { type Child, startChild } from './child.js';
import { kubeconfig } from './kubeconfig.js';
import type { Programs } from './programs.js';
import { startEtcd } from './start-etcd.js';

/** A real etcd and a real API server on loopback, with RBAC and without any controller, node or kubelet. */
export interface TestCluster {
  url: string;
  /** For its files; gone when it is stopped. */
  folder: string;
  /** PEM. */
  authority: string;
  /** Issues a certificate that clients of the cluster believe. */
  issue(subject: Subject): Issued;
  /** The entries of the audit log, so far; of writes only. */
  auditLog(): AuditEvent[];
  /** In `system:masters`: may do all. */
  admin: ApiClient;
  /** Shows no certificate. */
  anyone: ApiClient;
  /** Someone else, who may do what RBAC grants to that name and these groups. */
  user(name: string, groups?: readonly string[]): ClusterUser;
  /** Forgets all revisions before now: within seconds, what still reads them gets 410. */
  compact(): Promise<void>;
  /** Ends the API server, and starts another in its place. */
  restart(): Promise<void>;
  /** Ends both processes and removes all they left. */
  stop(): Promise<void>;
}

export interface AuditEvent {
  auditID: string;
  requestURI: string;
  user: { username: string };
  annotations?: { [name: string]: string };
}

export interface ClusterUser {
  /** Path of a file that holds for as long as the cluster. */
  kubeconfig: string;
  client: ApiClient;
}

/** @throws with the last lines of its log where a process does not come up */
export async function startCluster(programs: Programs): Promise<TestCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'bylaw-cluster-'));
  const authority = certificateAuthority('bylaw-test');
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  const anyone = apiClient(port, authority.cert);
  const clients = [anyone];
  const running: Pick<Child, 'stop'>[] = [];
  const user = (name: string, groups: readonly string[] = []): ClusterUser => {
    const issued = authority.issue({ commonName: name, organizations: groups });
    const client = apiClient(port, authority.cert, issued);
    clients.push(client);
    const file = join(folder, `kubeconfig-${clients.length}`);
    writeFileSync(file, kubeconfig(url, authority.cert, issued), { mode: 0o600 });
    return { kubeconfig: file, client };
  };
  const admin = user('admin', ['system:masters']).client;
  const stop = async () => {
    for (const client of clients) client.close();
    while (running.length > 0) await running.pop()?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const etcd = await startEtcd(programs.etcd, folder);
    running.push(etcd);
    const flags = apiServerFlags({ folder, etcd: etcd.url, authority, port });
    const startApiServer = async () => {
      const server = startChild(programs.apiServer, flags, folder);
      running.push(server);
      await server.until(async () => (await admin.send('GET', '/readyz')).text === 'ok');
    };
    await startApiServer();
    const restart = async () => {
      await running.pop()?.stop();
      await startApiServer();
    };
    const auditLog = () => {
      const lines = readFileSync(join(folder, 'audit.log'), 'utf8').split('\n');
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
    };
    return {
      url,
      folder,
      authority: authority.cert,
      issue: authority.issue,
      auditLog,
      admin,
      anyone,
      user,
      compact: etcd.compact,
      restart,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
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
