import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { Installation } from '@bylaw/core/installation';
import { gateConfigOf } from '../../config/index.js';
import { gateError } from '../../error-table.js';
import { loadSigningKey } from '../../store/index.js';
import type { Migrated } from '../../store/postgres/index.js';
import { operatorName, withStoreErrors } from '../open/open-store.js';

/** Where the embedded store is when the configuration says nothing. */
const USUAL_PATH = '.bylaw/gate.sqlite';

/**
 * Copies the embedded store into the database.
 * @param wishes a file (relative to the working directory) and a variable, where they are not those of the configuration
 * @throws {BylawError} AG-EVD-001, -002, -004 when that cannot be done; nothing has changed then
 */
export async function migrateConfigured(
  { loaded, clock }: Installation,
  wishes: { path: string | undefined; dsnEnv: string | undefined },
): Promise<Migrated & { dsnEnv: string }> {
  const { store, signing } = gateConfigOf(loaded.config);
  const path = wishes.path === undefined ? resolve(loaded.base, store.kind === 'sqlite' ? store.path : USUAL_PATH) : resolve(wishes.path);
  const dsnEnv = wishes.dsnEnv ?? (store.kind === 'postgres' ? store.dsn_env : undefined);
  if (dsnEnv === undefined)
    throw gateError('AG-EVD-002', 'No database.', {
      hint: 'Pass the environment variable that holds its connection string: --dsn-env NAME',
    });
  const dsn = process.env[dsnEnv];
  if (!dsn)
    throw gateError('AG-EVD-002', `The environment variable ${dsnEnv} is not set.`, {
      hint: 'Set it to the connection string of the database.',
    });
  const key = loadSigningKey(signing, { base: loaded.base, env: process.env });
  if ('problem' in key) throw gateError('AG-EVD-001', `The chain cannot be continued: ${key.problem}.`, { hint: key.hint });
  const { migrateFromSqlite } = await import('../../store/postgres/index.js');
  const migration = {
    path,
    dsn,
    signer: key.signer,
    random: randomBytes,
    time: clock.now().toISOString(),
    reportedBy: operatorName(),
  };
  return { ...(await withStoreErrors(() => migrateFromSqlite(migration))), dsnEnv };
}
