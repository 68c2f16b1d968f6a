import type { ChainKey } from './chain-keys.js';

/** What `keys list` prints: a paragraph per key, the one in force last. */
export function keysText(keys: readonly (Omit<ChainKey, 'public_key'> & { verifier_key: string })[]): string {
  return keys
    .map(({ key_id, from, to, dev, revoked_from, verifier_key }) => {
      const extent = to === null ? `active, from record ${from}` : `records ${from} to ${to}`;
      const marks = `${dev ? ', development' : ''}${revoked_from === null ? '' : `, revoked from record ${revoked_from}`}`;
      return `${key_id}  ${extent}${marks}\n  ${verifier_key}\n`;
    })
    .join('');
}
