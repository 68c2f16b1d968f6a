import { rename } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Installation } from '@bylaw/core/installation';
import { gateConfigOf } from '../../config/index.js';
import { gateError } from '../../error-table.js';
import { syncFolder, writePrivateFile } from '../../private-file.js';

/**
 * The file that the configuration keeps the signing key in; undefined where a variable holds it.
 */
export function configuredKeyFile({ loaded }: Pick<Installation, 'loaded'>): string | undefined {
  const { signing } = gateConfigOf(loaded.config);
  return 'key_file' in signing ? resolve(loaded.base, signing.key_file) : undefined;
}

/** Beside the key file, a new key waits for the rotation to be recorded. */
export function waitingKeyFile(path: string): string {
  return `${path}.new`;
}

/**
 * Writes a key into a new file of mode 0600, and makes it durable. The file has the whole key, or does not exist.
 * @throws {BylawError} AG-KEY-001 when there is one already, or none can be made
 */
export async function writeKeyFile(path: string, pem: string): Promise<void> {
  await unlessUnwritable(path, () => writePrivateFile(path, pem));
}

/** Puts the waiting key in the place of the old one, which is gone then. */
export async function replaceKeyFile(path: string): Promise<void> {
  await unlessUnwritable(path, async () => {
    await rename(waitingKeyFile(path), path);
    await syncFolder(dirname(path));
  });
}

async function unlessUnwritable(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === undefined) throw cause;
    const message = code === 'EEXIST' ? `A key already exists at ${path}.` : `Cannot write the key file ${path} (${code}).`;
    throw gateError('AG-KEY-001', message, { cause });
  }
}
