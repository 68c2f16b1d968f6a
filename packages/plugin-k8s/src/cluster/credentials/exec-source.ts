import type { Clock } from '@bylaw/core/clock';
import type { Environment, ExecPlugin } from '../kubeconfig/index.js';
import type { CredentialSource } from './credentials.js';
import { type ExecCredentials, readExecCredential } from './exec-credential.js';
import { runPlugin } from './run-plugin.js';

/**
 * Credentials from a program (API group `client.authentication.k8s.io`): run when they are first needed, when they have expired, and when
 * the server did not take them. However many requests wait for them, it runs once.
 */
export function execSource(
  plugin: ExecPlugin,
  options: { clock: Clock; env: Environment; interactive: boolean; pluginMs: number },
): CredentialSource {
  let held: ExecCredentials | undefined;
  let running: Promise<ExecCredentials> | undefined;
  const run = async (signal: AbortSignal) => {
    held = readExecCredential(plugin, await runPlugin(plugin, options, signal));
    return held;
  };
  return {
    current: async (signal) => {
      if (held && (held.expires === undefined || held.expires > options.clock.now())) return held.credentials;
      running ??= run(signal).finally(() => {
        running = undefined;
      });
      return (await running).credentials;
    },
    refused: (credentials) => {
      if (held?.credentials === credentials) held = undefined;
      return true;
    },
  };
}
