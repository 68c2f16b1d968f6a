import { describe, expect, it } from 'vitest';
import { firstKey, newChain, secondKey } from '../../evidence/chain.test-support.js';
import type { TestChain } from '../../evidence/chain-names.test-support.js';
import { signerFromSeed } from '../../keys/index.js';
import { keyRing } from './key-ring.js';

const keysOf = ({ records }: TestChain) => records.filter(({ type }) => type === 'genesis' || type === 'key');
const thief = signerFromSeed(Buffer.alloc(32, 7));

/** A chain that begins with one key and continues with another, from record 4 on. */
function rotated(): TestChain {
  const chain = newChain();
  chain.decide('p-1');
  chain.rotate(secondKey);
  chain.decide('p-2');
  return chain;
}

describe('the keys of a chain', () => {
  it('are those of genesis and of each rotation, from the record after it on', () => {
    const ring = keyRing(keysOf(rotated()), secondKey.publicKey);
    expect([0, 3, 4, 6].map((seq) => ring.keyAt(seq)?.id)).toEqual([firstKey.keyId, firstKey.keyId, secondKey.keyId, secondKey.keyId]);
    expect(ring.chainId).toBe('00000000-0000-4000-8000-000000000000');
  });

  it('stay the same when a key is revoked', () => {
    const chain = rotated();
    chain.append('key', { event: 'revoked', key_id: firstKey.keyId, from_seq: 2, reason: 'lost' });
    expect(keyRing(keysOf(chain), undefined).keyAt(99)?.id).toBe(secondKey.keyId);
  });

  it('must include the own one', () => {
    expect(() => keyRing(keysOf(rotated()), thief.publicKey)).toThrow('The configured signing key is not a key of this chain.');
  });

  it.each<[string, (chain: TestChain) => void]>([
    [
      'a genesis record of another chain',
      (chain) => chain.records.splice(0, 1, ...newChain({ dev: true }).records.map((record) => ({ ...record, sig: 'A'.repeat(86) }))),
    ],
    ['no genesis record', (chain) => chain.records.splice(0, 1)],
    [
      'an erased genesis record',
      (chain) => chain.records.splice(0, 1, ...chain.records.slice(0, 1).map((record) => ({ ...record, data: null, salt: null }))),
    ],
    [
      'a rotation without a proof of the new key',
      (chain) => chain.append('key', { event: 'rotated', key_id: thief.keyId, public_key: thief.publicKey, proof: 'A'.repeat(86) }),
    ],
    ['a rotation to a text that is no key', (chain) => chain.append('key', { event: 'rotated', key_id: 'x', public_key: 'x', proof: 'x' })],
    [
      'a rotation whose data was changed',
      (chain) => {
        chain.records = chain.records.map((record) =>
          record.type === 'key' ? { ...record, data: record.data?.replace('yearly', 'weekly') ?? null } : record,
        );
      },
    ],
    [
      'a rotation that the key before it has not signed',
      (chain) => {
        chain.records = chain.records.map((record) => (record.type === 'key' ? { ...record, sig: chain.records[0]?.sig ?? '' } : record));
      },
    ],
  ])('are refused with %s', (_, damage) => {
    const chain = rotated();
    damage(chain);
    expect(() => keyRing(keysOf(chain), undefined)).toThrow(/chain|key/);
  });
});
