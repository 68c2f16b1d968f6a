import { setTimeout } from 'node:timers/promises';
import { BylawError } from '@bylaw/core/errors';
import { openInstallation } from '@bylaw/core/installation';
import { type Config, Flags } from '@oclif/core';
import type { Connection } from '../../client/index.js';
import { gateConfigOf, secretVariable } from '../../config/index.js';
import { config } from '../terminal/input-flags.js';

/** Flags of the commands that speak to a gate as an adapter does. */
export const connecting = {
  server: Flags.string({
    description: 'URL of the gate. Overrides SVC_API_URL. [default: http://127.0.0.1 with the configured port]',
    helpValue: 'URL',
  }),
  adapter: Flags.string({
    description:
      'Registered adapter that signs the requests. Overrides SVC_ADAPTER_ID. Without an adapter, requests are not signed, and only a server in dev mode accepts them.',
    helpValue: 'ID',
  }),
  'secret-env': Flags.string({
    description: 'Environment variable that holds the secret. [default: the variable in bylaw.yaml, else SVC_ADAPTER_SECRET_<ID>]',
    helpValue: 'NAME',
  }),
  patience: Flags.integer({
    description: 'Seconds to keep trying while the gate does not answer or is temporarily unavailable.',
    default: 60,
    min: 0,
    max: 86_400,
  }),
  dev: Flags.boolean({ description: 'Do not sign the requests: the server runs in dev mode.', exclusive: ['adapter', 'secret-env'] }),
  config,
};

/** Milliseconds that one attempt may take: the deferred storage path waits 250 ms for its numbers, a health check none. */
const ATTEMPT_MS = 10_000;

interface ConnectingFlags {
  server?: string | undefined;
  adapter?: string | undefined;
  'secret-env'?: string | undefined;
  dev: boolean;
  config?: string | undefined;
}

/** @throws {BylawError} `usage` when the secret is missing, and all that opening the installation throws */
export async function connect(oclif: Config, flags: ConnectingFlags): Promise<Connection> {
  const { loaded, clock } = await openInstallation(oclif, { config: flags.config, remote: flags.server });
  const adapterId = flags.dev ? undefined : (flags.adapter ?? process.env.SVC_ADAPTER_ID);
  const variable = flags['secret-env'] ?? variableOf(adapterId, gateConfigOf(loaded.config).adapters);
  return {
    url: loaded.remote.url ?? `http://127.0.0.1:${loaded.config.api.port || 8000}`,
    ...(adapterId !== undefined && adapterId !== '' && { identity: { adapterId, secret: secretOf(variable) } }),
    now: () => clock.now(),
    wait: (ms) => setTimeout(ms),
    attemptMs: ATTEMPT_MS,
  };
}

function variableOf(adapterId: string | undefined, adapters: readonly { adapter_id: string; secret_env: string }[]): string {
  return adapters.find(({ adapter_id }) => adapter_id === adapterId)?.secret_env ?? secretVariable(adapterId ?? '');
}

function secretOf(variable: string): string {
  const secret = process.env[variable] ?? '';
  if (secret === '')
    throw new BylawError('usage', `The environment variable ${variable} is not set.`, {
      hint: 'Set it to the secret that `bylaw adapter add` printed, or pass a different variable with --secret-env.',
    });
  return secret;
}
