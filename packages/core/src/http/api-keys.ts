import { createHash, timingSafeEqual } from 'node:crypto';

/** An API key as the configuration holds it: a name for the logs, and the SHA-256 of the key in lower-case hex. */
export interface ApiKey {
  id: string;
  sha256: string;
}

/** The digest that the configuration holds for a key. */
export function apiKeyDigest(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}

/**
 * Makes the check of an `X-API-Key` header. It answers the key's id, or undefined. Every configured key is compared, each in
 * constant time and none left out after a match, so the time tells neither whether nor which key matched.
 */
export function apiKeyCheck(keys: readonly ApiKey[]): (presented: string) => string | undefined {
  const digests = keys.map(({ id, sha256 }) => ({ id, digest: Buffer.from(sha256, 'hex') }));
  return (presented) => {
    const digest = createHash('sha256').update(presented, 'utf8').digest();
    let found: string | undefined;
    for (const key of digests) {
      const equal = timingSafeEqual(key.digest, digest);
      found = equal ? key.id : found;
    }
    return found;
  };
}
