import { setTimeout } from 'node:timers/promises';
import { BylawError } from '@bylaw/core/errors';
import { openInstallation } from '@bylaw/core/installation';
import { type Config, Flags } from '@oclif/core';
import type { Connection } from '../client/index.js';
import { gateConfigOf, secretVariable } from '../config/index.js';
import { config } from './input-flags.js';

/** Flags of the commands that speak to a gate as an adapter does. */
export const connecting = {
  server: Flags.string({ description: 'Address of the gate; otherwise SVC_API_URL. [default: http://127.0.0.1:8000]', helpValue: 'URL' }),
  adapter: Flags.string({
    description:
      'Registered adapter that signs; otherwise SVC_ADAPTER_ID. Without one, requests are not signed: only a server in dev mode takes them.',
    helpValue: 'ID',
  }),
  'secret-env': Flags.string({
    description: 'Variable that holds the secret. [default: as bylaw.yaml says, else SVC_ADAPTER_SECRET_<ID>]',
    helpValue: 'NAME',
  }),
  patience: Flags.integer({
    description: 'Seconds to go on where the gate does not answer, or says that it cannot at this moment.',
    default: 60,
    min: 0,
    max: 86_400,
  }),
  config,
};

/** Milliseconds that one attempt may take: the deferred storage path waits 250 ms for its numbers, a health check none. */
const ATTEMPT_MS = 10_000;

interface ConnectingFlags {
  server?: string | undefined;
  adapter?: string | undefined;
  'secret-env'?: string | undefined;
  config?: string | undefined;
}

/** @throws {BylawError} `usage` when the secret is missing, and all that opening the installation throws */
export async function connect(oclif: Config, flags: ConnectingFlags): Promise<Connection> {
  const { loaded, clock } = await openInstallation(oclif, { config: flags.config, remote: flags.server });
  const adapterId = flags.adapter ?? process.env.SVC_ADAPTER_ID;
  const variable = flags['secret-env'] ?? variableOf(adapterId, gateConfigOf(loaded.config).adapters);
  return {
    url: loaded.remote.url ?? 'http://127.0.0.1:8000',
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
    throw new BylawError('usage', `The variable ${variable} is not set.`, {
      hint: 'It holds the secret that `bylaw adapter add` has shown. Name another variable with --secret-env.',
    });
  return secret;
}
