import { userInfo } from 'node:os';
import { gateConfigOf } from '../../config/index.js';
import { gateError } from '../../error-table.js';
import { type EvidenceStore, loadSigningKey, openStore, StoreError } from '../../store/index.js';
import type { GateInstallation } from './open-gate.js';

/**
 * Opens the evidence store for a command that records something, beside a server.
 * @throws {BylawError} AG-EVD-001, -002, -004 when nothing can be recorded
 */
export async function openStoreToWrite({
  loaded,
  clock,
  dev = false,
}: Pick<GateInstallation, 'loaded' | 'clock' | 'dev'>): Promise<EvidenceStore> {
  const config = gateConfigOf(loaded.config);
  const key = loadSigningKey(config.signing, { base: loaded.base, env: process.env });
  if ('problem' in key) throw gateError('AG-EVD-001', `Nothing can be recorded: ${key.problem}.`, { hint: key.hint });
  const store = await withStoreErrors(() =>
    openStore({ config, base: loaded.base, env: process.env, clock, role: 'command', dev, key, reportedBy: operatorName() }),
  );
  const problem = store.problems().find(({ blocks }) => blocks !== false);
  if (!problem) return store;
  await store.close();
  throw gateError(isStoreCode(problem.code) ? problem.code : 'AG-EVD-002', `Nothing can be recorded: ${problem.message}`);
}

/** Says what a store says as an error that ends a command. */
export async function withStoreErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw endingError(error);
  }
}

/** `reported_by` of what a command records: who runs it, as the system says. */
export function operatorName(): string {
  return `operator:${systemUser()}`;
}

/** Who runs the command. A container may run under a number that has no name. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

function isStoreCode(code: string): code is StoreError['code'] {
  return code === 'AG-EVD-001' || code === 'AG-EVD-002' || code === 'AG-EVD-004';
}

/** The error that ends a command, where the store is what failed; every other error as it is. */
export function endingError(error: unknown): unknown {
  return error instanceof StoreError ? gateError(error.code, error.message, { cause: error }) : error;
}
