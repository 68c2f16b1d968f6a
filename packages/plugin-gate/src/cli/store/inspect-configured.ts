import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { GateConfig } from '../../config/index.js';
import { gateError } from '../../error-table.js';
import { type Check, inspectStore } from '../../store/index.js';
import { endingError } from '../open/open-store.js';

/**
 * Inspects the store that the configuration names.
 * @param base folder that relative paths of the configuration start at
 * @returns what was checked; `path`: of the file, or the variable with the connection string
 * @throws {BylawError} AG-EVD-002 when there is none, AG-EVD-004 when it is not a store
 */
export async function inspectConfigured(
  { store, evidence, approvers }: Pick<GateConfig, 'store' | 'evidence' | 'approvers'>,
  base: string,
  fast: boolean,
): Promise<{ path: string; checks: Check[] }> {
  if (store.kind !== 'sqlite')
    return inspectConfiguredDatabase(store.dsn_env, { checkpointDir: resolve(base, evidence.checkpoint_dir), fast, approvers });
  const path = resolve(base, store.path);
  if (!existsSync(path)) throw gateError('AG-EVD-002', `There is no store at ${path}.`);
  try {
    return { path, checks: await inspectStore({ path, checkpointDir: resolve(base, evidence.checkpoint_dir), fast, approvers }) };
  } catch (error) {
    throw endingError(error);
  }
}

async function inspectConfiguredDatabase(
  variable: string,
  options: { checkpointDir: string; fast: boolean; approvers: GateConfig['approvers'] },
): Promise<{ path: string; checks: Check[] }> {
  const dsn = process.env[variable];
  if (!dsn)
    throw gateError('AG-EVD-002', `The environment variable ${variable} is not set.`, {
      hint: 'Set it to the connection string of the database.',
    });
  const { inspectDatabase } = await import('../../store/postgres/index.js');
  try {
    return { path: `PostgreSQL (${variable})`, checks: await inspectDatabase({ dsn, ...options }) };
  } catch (error) {
    throw endingError(error);
  }
}
