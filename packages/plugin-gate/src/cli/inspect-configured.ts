import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { GateConfig } from '../config/index.js';
import { gateError } from '../error-table.js';
import { type Check, inspectStore } from '../store/index.js';
import { endingError } from './store-error.js';

/**
 * Inspects the embedded store that the configuration names.
 * @param base folder that relative paths of the configuration start at
 * @throws {BylawError} AG-EVD-002 when there is none, AG-EVD-004 when it is no store
 */
export async function inspectConfigured(
  { store, evidence, approvers }: Pick<GateConfig, 'store' | 'evidence' | 'approvers'>,
  base: string,
  fast: boolean,
): Promise<{ path: string; checks: Check[] }> {
  if (store.kind !== 'sqlite')
    throw gateError('AG-EVD-002', 'The store is a PostgreSQL database, and this command checks only SQLite stores.', {
      hint: 'To check the chain, run `bylaw evidence export` and `bylaw evidence verify`.',
    });
  const path = resolve(base, store.path);
  if (!existsSync(path)) throw gateError('AG-EVD-002', `There is no store at ${path}.`);
  try {
    return { path, checks: await inspectStore({ path, checkpointDir: resolve(base, evidence.checkpoint_dir), fast, approvers }) };
  } catch (error) {
    throw endingError(error);
  }
}
