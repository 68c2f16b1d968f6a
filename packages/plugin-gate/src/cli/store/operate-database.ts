import { randomBytes } from 'node:crypto';
import type { Installation } from '@bylaw/core/installation';
import { gateConfigOf } from '../../config/index.js';
import { gateError } from '../../error-table.js';
import type { Signer } from '../../keys/index.js';
import { loadSigningKey } from '../../store/index.js';
import type { QuarantinedEntry, Upgraded } from '../../store/postgres/index.js';
import { operatorName, withStoreErrors } from '../open/open-store.js';

/** @throws {BylawError} AG-EVD-002 when the store is not a database, or its connection string is missing */
export function dsnOf({ loaded }: Pick<Installation, 'loaded'>, wished: string | undefined): string {
  const { store } = gateConfigOf(loaded.config);
  const variable = wished ?? (store.kind === 'postgres' ? store.dsn_env : undefined);
  if (variable === undefined)
    throw gateError('AG-EVD-002', 'The configured store is not a PostgreSQL database.', {
      hint: 'Pass the environment variable that holds the connection string: --dsn-env NAME',
    });
  const dsn = process.env[variable];
  if (!dsn)
    throw gateError('AG-EVD-002', `The environment variable ${variable} is not set.`, {
      hint: 'Set it to the connection string of the database.',
    });
  return dsn;
}

/** @throws {BylawError} AG-EVD-001 when there is no key to sign records with */
function signerOf({ loaded }: Pick<Installation, 'loaded'>): Signer {
  const key = loadSigningKey(gateConfigOf(loaded.config).signing, { base: loaded.base, env: process.env });
  if ('problem' in key) throw gateError('AG-EVD-001', `Nothing can be recorded: ${key.problem}.`, { hint: key.hint });
  return key.signer;
}

/** Brings the database to the format of this program. @throws {BylawError} AG-EVD-… when that cannot be done; nothing is marked then */
export async function upgradeConfigured(
  installation: Installation,
  { dsnEnv: wished, force }: { dsnEnv: string | undefined; force: boolean },
) {
  const dsn = dsnOf(installation, wished);
  const signer = signerOf(installation);
  const { upgradeStore } = await import('../../store/postgres/index.js');
  const time = installation.clock.now().toISOString();
  const upgrade = { dsn, signer, random: randomBytes, time, reportedBy: operatorName(), force };
  return withStoreErrors((): Promise<Upgraded> => upgradeStore(upgrade));
}

export async function readQuarantine(installation: Installation, wished: string | undefined): Promise<QuarantinedEntry[]> {
  const { listQuarantine, operate } = await import('../../store/postgres/index.js');
  return withStoreErrors(() => operate(dsnOf(installation, wished), (pool) => listQuarantine(pool)));
}

/** @throws {BylawError} AG-EVD-003 when there is no such entry */
export async function readQuarantined(installation: Installation, wished: string | undefined, ref: string) {
  const { operate, showQuarantined } = await import('../../store/postgres/index.js');
  const entry = await withStoreErrors(() => operate(dsnOf(installation, wished), (pool) => showQuarantined(pool, ref)));
  if (entry === undefined) throw gateError('AG-EVD-003', 'The quarantine has no entry with this reference.');
  return entry;
}

/** @throws {BylawError} AG-EVD-003 when there is no such entry; AG-EVD-004 when its content is still not the signed one */
export async function releaseQuarantined(installation: Installation, wished: string | undefined, ref: string): Promise<void> {
  const { operate, release } = await import('../../store/postgres/index.js');
  await known(() => operate(dsnOf(installation, wished), (pool, head) => release(pool, ref, { head })));
}

/** @throws {BylawError} AG-EVD-003 when there is no such open entry; AG-EVD-001 without the key */
export async function dropQuarantined(installation: Installation, wished: string | undefined, ref: string, reason: string) {
  const signer = signerOf(installation);
  const { drop, operate } = await import('../../store/postgres/index.js');
  const how = { time: installation.clock.now().toISOString(), operator: operatorName(), reason };
  return known(() => operate(dsnOf(installation, wished), (pool, head) => drop(pool, ref, how, { signer, random: randomBytes, head })));
}

async function known<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await withStoreErrors(work);
  } catch (error) {
    if (error instanceof RangeError)
      throw gateError('AG-EVD-003', 'The quarantine has no open entry with this reference.', { cause: error });
    throw error;
  }
}
