import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BylawError } from '@bylaw/core/errors';
import { newKeyPem, type Signer, signerFromPem } from '../keys/index.js';

/**
 * Makes a private key and writes it to a new file of mode 0600.
 * @throws {BylawError} `output-unwritable`; an existing file is never written over
 */
export async function writeNewKey(file: string): Promise<Signer> {
  const pem = newKeyPem();
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(pem);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    throw new BylawError('output-unwritable', exists ? `The file ${file} exists already.` : `The file ${file} cannot be written.`, {
      cause,
      hint: 'Name a new file: a key is never written over.',
    });
  }
  return signerFromPem(pem);
}
