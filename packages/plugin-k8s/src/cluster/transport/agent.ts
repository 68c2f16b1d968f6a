import { type Agent, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { createSecureContext } from 'node:tls';
import { k8sError } from '../../error-table.js';
import type { Credentials } from '../credentials/index.js';
import type { Access } from '../kubeconfig/index.js';
import { overSocks } from './socks.js';

/** TCP keep-alive probes start after so long a silence: load balancers drop connections that are silent for a minute. */
const PROBE_MS = 30_000;

/**
 * Connections to the API server that are kept and used again.
 * @throws {BylawError} `kubeconfig-invalid` where certificate and key are of no use
 */
export async function agentFor(access: Access, { certificate }: Credentials, proxy: URL | undefined): Promise<Agent> {
  const kept = { keepAlive: true, keepAliveMsecs: PROBE_MS };
  const { ca, insecure, serverName } = access.tls;
  const identity = { ...(ca !== undefined && { ca }), ...certificate };
  checkIdentity(identity, access.user.name);
  const name = serverName === undefined ? {} : { servername: serverName };
  const tls = { ...identity, ...name, rejectUnauthorized: !insecure, minVersion: 'TLSv1.2' } as const;
  const socks = proxy?.protocol === 'socks5:';
  const proxyEnv = proxy && !socks ? { HTTP_PROXY: proxy.href, HTTPS_PROXY: proxy.href } : {};
  const agent = access.server.protocol === 'http:' ? new HttpAgent({ ...kept, proxyEnv }) : new HttpsAgent({ ...kept, ...tls, proxyEnv });
  return proxy && socks ? overSocks(agent, proxy) : agent;
}

/** Node would complain at the first connection, and not say whose certificate it is. */
function checkIdentity(identity: { ca?: string; cert?: string; key?: string }, user: string): void {
  try {
    createSecureContext(identity);
  } catch (cause) {
    const hint = 'Create the kubeconfig again with the tool that created it.';
    throw k8sError('kubeconfig-invalid', `The certificates of the cluster or of the user "${user}" cannot be used.`, { hint, cause });
  }
}
