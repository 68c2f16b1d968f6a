import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type FoundPackages, type Installation, openInstallation } from '@bylaw/core/installation';
import { DEV_FILES, devConfig, gateConfigOf, usesDevStore } from '../../config/index.js';
import { gateError } from '../../error-table.js';
import { SAMPLE_BUNDLE } from '../../policy/read-bundle.js';

/** What a command of the gate works with. */
export interface GateInstallation extends Installation {
  /** The files of dev mode take the place of the configured ones, and what the command records is marked. */
  dev?: boolean;
}

/**
 * Opens the installation as `bylaw serve` sees it or, with `--dev`, as `bylaw serve --dev` does: with the store, the key and,
 * unless one is configured, the bundle of dev mode.
 * @throws {BylawError} all that opening an installation throws
 */
export async function openGate(found: FoundPackages, flags: { config?: string | undefined; dev?: boolean }): Promise<GateInstallation> {
  const installation = await openInstallation(found, { config: flags.config });
  if (!flags.dev) return installation;
  const { loaded } = installation;
  const { store, signing, evidence, policy } = devConfig(gateConfigOf(loaded.config));
  const sections = { store, signing, evidence, policy: { bundle: SAMPLE_BUNDLE, ...policy } };
  return { ...installation, dev: true, loaded: { ...loaded, config: { ...loaded.config, ...sections } } };
}

/**
 * The same for a command that needs the store.
 * @throws {BylawError} AG-EVD-002 with `--dev`, if no server in dev mode has run here
 */
export async function openGateWithStore(
  found: FoundPackages,
  flags: { config?: string | undefined; dev?: boolean },
): Promise<GateInstallation> {
  const { loaded } = await openInstallation(found, { config: flags.config });
  const path = resolve(loaded.base, DEV_FILES.store);
  if (flags.dev && usesDevStore(gateConfigOf(loaded.config)) && !existsSync(path))
    throw gateError('AG-EVD-002', `There is no dev store at ${path}.`, {
      hint: 'Start `bylaw serve --dev` in this folder, or run this command in the folder of that server.',
    });
  return openGate(found, flags);
}
