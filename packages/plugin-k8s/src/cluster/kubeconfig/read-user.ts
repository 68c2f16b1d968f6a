import { printable, shorten } from '@bylaw/core/report/printable';
import type { ExecPlugin, User } from './access.js';
import { isMapping, type KubeconfigEntry } from './kubeconfig-entry.js';

/**
 * @param cluster the entry of the cluster: a plugin may ask for it
 * @throws {BylawError} `kubeconfig-invalid` with the place
 */
export async function readUser(name: string, user: KubeconfigEntry, cluster: KubeconfigEntry): Promise<User> {
  const cert = await user.pem('client-certificate-data', 'client-certificate', 'CERTIFICATE');
  const key = await user.pem('client-key-data', 'client-key', 'PRIVATE KEY');
  if ((cert === undefined) !== (key === undefined))
    throw user.error(
      cert === undefined ? 'client-certificate' : 'client-key',
      `The user "${name}" has a client certificate without its key, or a key without its certificate.`,
    );
  const token = user.text('token');
  const tokenFile = user.path('tokenFile');
  const userName = user.text('username');
  const exec = user.entry('exec');
  const provider = user.entry('auth-provider');
  const impersonate = impersonation(user);
  return {
    name,
    ...(cert !== undefined && key !== undefined && { certificate: { cert, key } }),
    ...(token !== undefined && { token }),
    ...(tokenFile !== undefined && { tokenFile }),
    ...(userName !== undefined && { password: { name: userName, password: user.text('password') ?? '' } }),
    ...(exec && { exec: readExec(exec, cluster) }),
    ...(provider && { provider: { name: provider.text('name') ?? '', config: mappingOf(provider.value('config')) } }),
    ...(impersonate && { impersonate }),
  };
}

function impersonation(user: KubeconfigEntry): User['impersonate'] {
  const name = user.text('as');
  const uid = user.text('as-uid');
  const groups = user.texts('as-groups');
  const extra = user.lists('as-user-extra');
  if (name === undefined) {
    if (uid === undefined && groups.length === 0 && Object.keys(extra).length === 0) return undefined;
    throw user.error('as', 'Impersonation requires a user name in `as`.');
  }
  return { name, groups, extra, ...(uid !== undefined && { uid }) };
}

const API_VERSIONS: readonly (string | undefined)[] = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const MODES = ['Never', 'IfAvailable', 'Always'] as const;
const MAX_HINT = 500;

function readExec(exec: KubeconfigEntry, cluster: KubeconfigEntry): ExecPlugin {
  const command = exec.command('command');
  if (command === undefined) throw exec.error('command', 'The credential plugin has no command.');
  const apiVersion = exec.text('apiVersion');
  if (apiVersion === undefined || !API_VERSIONS.includes(apiVersion))
    throw exec.error(
      'apiVersion',
      `\`apiVersion\` of a credential plugin must be ${API_VERSIONS.join(' or ')}.`,
      'Create the kubeconfig again with a current version of the tool that created it.',
    );
  const mode = exec.text('interactiveMode') ?? 'IfAvailable';
  const interactiveMode = MODES.find((each) => each === mode);
  if (!interactiveMode) throw exec.error('interactiveMode', `\`interactiveMode\` must be one of ${MODES.join(', ')}.`);
  const installHint = exec.text('installHint');
  return {
    command,
    args: exec.texts('args'),
    env: Object.fromEntries(exec.entries('env').map((variable) => [variable.text('name') ?? '', variable.text('value') ?? ''])),
    apiVersion,
    interactiveMode,
    ...(installHint !== undefined && { installHint: shorten(printable(installHint), MAX_HINT) }),
    ...(exec.flag('provideClusterInfo') && { cluster: clusterInfo(cluster) }),
  };
}

/** The form `Cluster` of the API group `client.authentication.k8s.io`. */
function clusterInfo(cluster: KubeconfigEntry): object {
  const own = cluster.entries('extensions').find((extension) => extension.text('name') === 'client.authentication.k8s.io/exec');
  const members = {
    server: cluster.text('server'),
    'tls-server-name': cluster.text('tls-server-name'),
    'insecure-skip-tls-verify': cluster.flag('insecure-skip-tls-verify') || undefined,
    'certificate-authority-data': cluster.text('certificate-authority-data'),
    'proxy-url': cluster.text('proxy-url'),
    'disable-compression': cluster.flag('disable-compression') || undefined,
    config: own?.value('extension'),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function mappingOf(value: unknown): { readonly [member: string]: unknown } {
  return isMapping(value) ? value : {};
}
