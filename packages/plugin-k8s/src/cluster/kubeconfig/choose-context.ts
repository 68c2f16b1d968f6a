import { nearest } from '@bylaw/core/nearest';
import { k8sError } from '../../error-table.js';
import type { Access, ServerTrust } from './access.js';
import type { KubeconfigEntry } from './kubeconfig-entry.js';
import type { Kubeconfig } from './read-kubeconfig.js';
import { readUser } from './read-user.js';

/**
 * What a context of a kubeconfig comes to.
 * @param wanted absent: the current context
 * @throws {BylawError} `context-unknown`; `kubeconfig-invalid` with the place
 */
export async function chooseContext(kubeconfig: Kubeconfig, wanted: string | undefined): Promise<Access> {
  const name = wanted ?? kubeconfig.currentContext;
  if (name === undefined) throw unknown('The kubeconfig sets no current context.', kubeconfig, 'Choose one with --context. ');
  const context = kubeconfig.contexts.get(name);
  if (!context) throw unknown('The kubeconfig has no such context.', kubeconfig, suggestion(name, kubeconfig));
  const clusterName = context.text('cluster');
  if (clusterName === undefined) throw context.error('cluster', `The context "${name}" has no cluster.`);
  const cluster = kubeconfig.clusters.get(clusterName);
  if (!cluster) throw context.error('cluster', `The kubeconfig has no cluster "${clusterName}".`);
  const userName = context.text('user');
  const user = userName === undefined ? undefined : kubeconfig.users.get(userName);
  if (userName !== undefined && !user) throw context.error('user', `The kubeconfig has no user "${userName}".`);
  const { tls, server, proxy } = await readCluster(clusterName, cluster);
  return {
    context: name,
    server,
    tls,
    ...(proxy && { proxy }),
    compress: !cluster.flag('disable-compression'),
    user: userName !== undefined && user ? await readUser(userName, user, cluster) : { name: 'anonymous' },
  };
}

function unknown(message: string, { contexts }: Kubeconfig, hint: string) {
  const names = [...contexts.keys()].sort();
  const shown = names.slice(0, MAX_SHOWN).join(', ');
  const known =
    names.length === 0
      ? 'It has no contexts.'
      : `Known: ${shown}${names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : ''}.`;
  return k8sError('context-unknown', message, { hint: `${hint}${known}` });
}

const MAX_SHOWN = 20;

function suggestion(name: string, { contexts }: Kubeconfig): string {
  const near = nearest(name, contexts.keys());
  return near === undefined ? '' : `Did you mean "${near}"? `;
}

async function readCluster(name: string, cluster: KubeconfigEntry): Promise<{ server: URL; tls: ServerTrust; proxy?: URL }> {
  const server = cluster.text('server');
  if (server === undefined) throw cluster.error('server', `The cluster "${name}" has no server.`);
  const insecure = cluster.flag('insecure-skip-tls-verify');
  const ca = await cluster.pem('certificate-authority-data', 'certificate-authority', 'CERTIFICATE');
  if (insecure && ca !== undefined)
    throw cluster.error(
      'insecure-skip-tls-verify',
      'A certificate authority has no effect if certificates are not verified. Remove one of the two.',
    );
  const serverName = cluster.text('tls-server-name');
  const proxy = cluster.text('proxy-url');
  return {
    server: urlOf(cluster, 'server', server, ['https:', 'http:']),
    tls: { insecure, ...(ca !== undefined && { ca }), ...(serverName !== undefined && { serverName }) },
    ...(proxy !== undefined && { proxy: urlOf(cluster, 'proxy-url', proxy, ['http:', 'https:', 'socks5:']) }),
  };
}

/** The address itself is not shown: it may hold a password. */
function urlOf(cluster: KubeconfigEntry, member: string, text: string, protocols: readonly string[]): URL {
  // kubectl takes an address without a scheme for one of a server behind TLS.
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  if (!url || !protocols.includes(url.protocol) || url.hostname === '')
    throw cluster.error(member, `\`${member}\` must be an address that starts with ${protocols.map((each) => `${each}//`).join(' or ')}.`);
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}
