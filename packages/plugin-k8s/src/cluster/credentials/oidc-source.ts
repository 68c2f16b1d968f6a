import type { Clock } from '@bylaw/core/clock';
import { k8sError } from '../../error-table.js';
import type { CredentialSource } from './credentials.js';
import { tokenExpiry } from './expiry.js';

/**
 * The authentication provider `oidc` of a kubeconfig: its ID token, for as long as that is valid. The refresh token is left alone: many an
 * issuer takes each only once and gives another, which would have to be written into the kubeconfig, or kubectl would be signed out.
 */
export function oidcSource(config: { readonly [member: string]: unknown }, clock: Clock): CredentialSource {
  const token = config['id-token'];
  return {
    current: async () => {
      if (typeof token !== 'string') throw unusable('The kubeconfig contains no ID token.');
      const until = tokenExpiry(token);
      if (until && until <= clock.now()) throw unusable('The ID token in the kubeconfig has expired.');
      return { authorization: `Bearer ${token}` };
    },
    refused: () => false,
  };
}

function unusable(message: string) {
  return k8sError('cluster-credentials', message, {
    hint: 'Run any kubectl command: it gets a new token and stores it. For unattended use, use a service account or a credential plugin.',
  });
}
