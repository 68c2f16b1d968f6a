import type { RequestOptions } from 'node:https';
import type { Clock } from '@bylaw/core/clock';
import { k8sError } from '../../error-table.js';
import type { CredentialSource } from './credentials.js';
import { tokenExpiry } from './expiry.js';

type ProviderConfig = { readonly [member: string]: unknown };

/**
 * The authentication provider `oidc` of a kubeconfig: its ID token for as long as it is valid, then those that the issuer gives for the
 * refresh token. A new token is kept in memory only.
 */
export function oidcSource(config: ProviderConfig, clock: Clock): CredentialSource {
  let token = config['id-token'];
  let refresh: (() => Promise<string | undefined>) | undefined;
  return {
    current: async () => {
      if (typeof token !== 'string' || !isValid(token, clock)) {
        refresh ??= await refresher(config);
        token = await refreshed(refresh);
      }
      return { authorization: `Bearer ${token}` };
    },
    refused: () => false,
  };
}

function isValid(token: string, clock: Clock): boolean {
  const until = tokenExpiry(token);
  return until !== undefined && until > clock.now();
}

async function refreshed(refresh: () => Promise<string | undefined>): Promise<string> {
  const hint = 'Sign in again as you do for kubectl.';
  let authorization: string | undefined;
  try {
    authorization = await refresh();
  } catch (cause) {
    throw k8sError('cluster-credentials', 'The ID token of the kubeconfig has expired, and its issuer gives no new one.', { hint, cause });
  }
  if (authorization === undefined)
    throw k8sError('cluster-credentials', 'The ID token of the kubeconfig has expired, and there is no refresh token.', { hint });
  return authorization.replace(/^Bearer /, '');
}

/** The official client knows the protocol, but takes a second and 80 MB to load, so it is loaded for this alone. */
async function refresher(config: ProviderConfig): Promise<() => Promise<string | undefined>> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const kubeconfig = new KubeConfig();
  kubeconfig.loadFromOptions({
    clusters: [{ name: 'cluster', server: 'https://cluster.invalid' }],
    users: [{ name: 'user', authProvider: { name: 'oidc', config: { ...config } } }],
    contexts: [{ name: 'context', cluster: 'cluster', user: 'user' }],
    currentContext: 'context',
  });
  return async () => {
    const options: RequestOptions = {};
    await kubeconfig.applyToHTTPSOptions(options);
    const authorization = new Map(Object.entries(options.headers ?? {})).get('Authorization');
    return typeof authorization === 'string' ? authorization : undefined;
  };
}
