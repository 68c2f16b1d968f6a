import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Access } from './access.js';
import type { Environment } from './load-kubeconfig.js';

/** Where Kubernetes mounts the account of a Pod. */
export const SERVICE_ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Access by the service account of the Pod in which this runs; undefined elsewhere. */
export async function inClusterAccess(env: Environment, folder: string): Promise<Access | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  const tokenFile = join(folder, 'token');
  if (!host || !port || (await textAt(tokenFile)) === undefined) return undefined;
  const server = URL.parse(`https://${host.includes(':') ? `[${host}]` : host}:${port}`);
  if (!server) return undefined;
  server.pathname = '';
  const ca = await textAt(join(folder, 'ca.crt'));
  return {
    context: null,
    server,
    tls: { insecure: false, ...(ca !== undefined && { ca }) },
    compress: true,
    user: { name: 'service account', tokenFile },
  };
}

async function textAt(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined; // a Pod without an account has no such files
  }
}
