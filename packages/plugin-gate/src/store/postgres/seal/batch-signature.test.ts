import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newKeyPem, publicKeyOf, signerFromPem, signerFromSeed } from '../../../keys/index.js';
import { signatureCheck, signBatch } from './batch-signature.js';

const signer = signerFromSeed(new Uint8Array(32).fill(1));
const keys = new Map([[signer.keyId, publicKeyOf(signer.publicKey)]]);

describe('the signature of a batch', () => {
  it('holds for each of its texts alone, and for no other text or place', { timeout: 30_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 40 }), fc.nat(), fc.string(), async (texts, at, other) => {
        const signatures = signBatch(texts, signer);
        const index = at % texts.length;
        const [text = '', signature = ''] = [texts[index], signatures[index]];
        expect(await signatureCheck(keys)(text, signature)).toBeUndefined();
        if (other !== text) expect(await signatureCheck(keys)(other, signature)).toBeDefined();
        const neighbour = texts[(index + 1) % texts.length] ?? '';
        if (neighbour !== text) expect(await signatureCheck(keys)(neighbour, signature)).toBeDefined();
      }),
      { numRuns: 200 },
    );
  });

  it('does not hold when any part of it was changed', async () => {
    const texts = ['a', 'b', 'c', 'd', 'e'];
    const signature = signBatch(texts, signer)[2] ?? '';
    const check = signatureCheck(keys);
    expect(await check('c', signature)).toBeUndefined();
    for (let at = 0; at < signature.length; at++) {
      const changed = signature.slice(0, at) + (signature[at] === '1' ? '2' : '1') + signature.slice(at + 1);
      // The last character of a signature holds bits that say nothing.
      if (at !== 118) expect([at, await check('c', changed)]).toEqual([at, expect.any(String)]);
    }
    for (const shape of ['', '.', signature.slice(0, -1), `${signature}.`, `${signature}.${'0'.repeat(64)}`, 'x'.repeat(5000)])
      expect(await check('c', shape)).toEqual(expect.any(String));
  });

  it('of a key that is not one of the chain says so', async () => {
    const [signature = ''] = signBatch(['a'], signerFromPem(newKeyPem()));
    expect(await signatureCheck(keys)('a', signature)).toContain('not, or no longer, a key of the chain');
  });
});
