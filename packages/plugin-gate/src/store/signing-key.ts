import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { GateConfig } from '../config/index.js';
import { type Signer, signerFromPem } from '../keys/index.js';

/** The key that signs the evidence, or why there is none. */
export type SigningKey =
  | { pem: string; signer: Signer }
  | {
      /** For everyone: names no path. */
      problem: string;
      /** For the operator. */
      hint: string;
    };

/** Bytes; a key has about 120. */
const MAX_KEY_FILE = 16_384;

/**
 * Loads the key once. A missing or unreadable one is not an error: the server lives without it, and records nothing.
 * @param base folder that relative paths start at
 */
export function loadSigningKey(
  signing: GateConfig['signing'],
  { base, env }: { base: string; env: { readonly [name: string]: string | undefined } },
): SigningKey {
  if ('key_env' in signing) {
    const pem = env[signing.key_env];
    if (pem === undefined || pem === '') return { problem: MISSING, hint: `Set ${signing.key_env} to the PEM text of the key.` };
    return keyOf(pem, `${signing.key_env} must hold an Ed25519 key as PKCS#8 PEM.`);
  }
  return keyFromFile(resolve(base, signing.key_file));
}

const MISSING = 'no evidence signing key exists';
const UNREADABLE = 'the evidence signing key cannot be read';

function keyFromFile(path: string): SigningKey {
  try {
    const { mode, size } = statSync(path);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      return { problem: 'other users can read the evidence signing key', hint: `Run: chmod 600 ${path}` };
    if (size > MAX_KEY_FILE) return { problem: UNREADABLE, hint: `${path} is too large for a key.` };
    return keyOf(readFileSync(path, 'utf8'), `${path} must hold an Ed25519 key as PKCS#8 PEM.`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return { problem: MISSING, hint: `${path} does not exist. Run: bylaw keys init` };
    return { problem: UNREADABLE, hint: `Cannot read ${path} (${code}).` };
  }
}

function keyOf(pem: string, hint: string): SigningKey {
  try {
    return { pem, signer: signerFromPem(pem) };
  } catch {
    return { problem: UNREADABLE, hint };
  }
}
