import type { Clock } from '@bylaw/core/clock';
import { k8sError } from '../../error-table.js';
import type { Environment, User } from '../kubeconfig/index.js';
import type { CredentialSource } from './credentials.js';
import { execSource } from './exec-source.js';
import { oidcSource } from './oidc-source.js';
import { tokenFileSource } from './token-file-source.js';

export interface CredentialOptions {
  clock: Clock;
  env: Environment;
  /** A plugin may talk to the user at the terminal. */
  interactive: boolean;
  /** Milliseconds that a plugin may take where nobody has to type. */
  pluginMs: number;
}

/**
 * Where a user's credentials come from. What is in the kubeconfig itself wins over what a program would give, as with kubectl.
 * @throws {BylawError} `credential-plugin` for a provider that clients of Kubernetes no longer have
 */
export function credentialSource(user: User, options: CredentialOptions): CredentialSource {
  const certificate = user.certificate && { certificate: user.certificate };
  if (user.tokenFile !== undefined) return tokenFileSource(user.tokenFile, user.token, { ...certificate }, options.clock);
  if (user.token !== undefined) return unchanging({ ...certificate, authorization: `Bearer ${user.token}` });
  if (user.password) return unchanging({ ...certificate, authorization: basic(user.password) });
  if (user.certificate) return unchanging({ ...certificate });
  if (user.exec) return execSource(user.exec, options);
  if (user.provider) return providerSource(user.provider, options.clock);
  return unchanging({});
}

function unchanging(credentials: Awaited<ReturnType<CredentialSource['current']>>): CredentialSource {
  return { current: async () => credentials, refused: () => false };
}

function basic({ name, password }: NonNullable<User['password']>): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}

function providerSource({ name, config }: NonNullable<User['provider']>, clock: Clock): CredentialSource {
  if (name === 'oidc') return oidcSource(config, clock);
  throw k8sError('credential-plugin', 'The kubeconfig uses an authentication provider that Kubernetes clients no longer support.', {
    hint: 'Create it again with the tool of your cloud provider, so that it uses a credential plugin (`exec`) instead of an `auth-provider`.',
  });
}
