import { isJsonObject, type Json } from '../../json/index.js';
import { keyIdOf } from '../../keys/index.js';
import type { EvidenceStore } from '../../store/index.js';

/** A key that signs or has signed the chain, as its records say. */
export interface ChainKey {
  key_id: string;
  /** Raw, base64url. */
  public_key: string;
  /** First record that it signs. */
  from: number;
  /** Last record that it signed; null while it is in force. */
  to: number | null;
  dev: boolean;
  /** What it signed from this record on may be someone else's. */
  revoked_from: number | null;
}

/** All keys of the chain, in the order in which they came into force. Signatures are not checked: that is what `evidence verify` does. */
export async function chainKeys(store: EvidenceStore): Promise<ChainKey[]> {
  const keys: ChainKey[] = [];
  for await (const batch of store.records({ from: 0, to: Number.MAX_SAFE_INTEGER, types: ['genesis', 'key'] }))
    for (const { seq, data, header } of batch) {
      const said = data === null ? null : (JSON.parse(data) as Json);
      if (!isJsonObject(said)) continue;
      const { event, public_key: publicKey, key_id: keyId, from_seq: from } = said;
      const last = keys.at(-1);
      if (event === 'revoked') for (const key of keys) if (key.key_id === keyId && typeof from === 'number') key.revoked_from = from;
      if (event === 'revoked' || typeof publicKey !== 'string') continue;
      if (last !== undefined) last.to = seq;
      const dev = header.includes('"dev":true');
      keys.push({
        key_id: keyIdOf(publicKey),
        public_key: publicKey,
        from: last === undefined ? 0 : seq + 1,
        to: null,
        dev,
        revoked_from: null,
      });
    }
  return keys;
}

/** The key that signs what comes next; undefined while there is no chain. */
export async function currentKey(store: EvidenceStore): Promise<ChainKey | undefined> {
  return (await chainKeys(store)).at(-1);
}

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
