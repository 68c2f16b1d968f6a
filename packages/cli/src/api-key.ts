import { randomBytes } from 'node:crypto';
import { BylawError } from '@bylaw/core/errors';
import { type ApiKey, apiKeyDigest } from '@bylaw/core/http';

/** The prefix lets scanners of leaked secrets know the key for what it is. */
const PREFIX = 'bylaw_';

/** Bits enough that nobody guesses it, and that a digest without salt is safe to keep. */
const BYTES = 32;

/**
 * Makes a random key of 256 bits, and the entry that lets it in.
 * @throws {BylawError} `usage` for a name that the configuration would refuse
 */
export function createApiKey(id: string): { key: string; entry: ApiKey } {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(id))
    throw new BylawError(
      'usage',
      '--name must start with a letter or digit, and contain only letters, digits, dots, hyphens and underscores (at most 63 characters).',
    );
  const key = PREFIX + randomBytes(BYTES).toString('base64url');
  return { key, entry: { id, sha256: apiKeyDigest(key) } };
}
