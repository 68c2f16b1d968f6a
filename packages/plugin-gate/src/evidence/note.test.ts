import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHAIN_ID, firstKey, newChain, ORIGIN, secondKey } from './chain.test-support.js';
import { checkpointNote, defaultOrigin, readCheckpoint } from './checkpoint.js';
import { isSignedBy, readNote, readVerifierKey, signNote, verifierKeyText } from './note.js';

const key = { name: ORIGIN, publicKey: firstKey.publicKey };

describe('signed notes', () => {
  it('reads a note and a verifier key of another implementation', () => {
    // From the tests of Go's golang.org/x/mod/sumdb/note (BSD-3-Clause): its example key and note.
    const peter = readVerifierKey('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
    const note =
      "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n" +
      '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
    expect(isSignedBy(readNote(note), peter)).toBe(true);
    expect(isSignedBy(readNote(note.replace('think', 'thinK')), peter)).toBe(false);
  });

  it('writes a verifier key that it reads again, and refuses one whose parts do not belong together', () => {
    expect(readVerifierKey(verifierKeyText(key))).toEqual(key);
    for (const wrong of [
      '',
      'a+b+c',
      verifierKeyText(key).replace('svc', 'svd'),
      `${verifierKeyText(key)}x`,
      verifierKeyText(key).replace('+A', '+B'),
    ])
      expect(() => readVerifierKey(wrong)).toThrow(TypeError);
  });

  it('verifies only under the name and key that signed', () => {
    const note = readNote(signNote('a text\n\nof two parts\n', ORIGIN, firstKey));
    expect(note.text).toBe('a text\n\nof two parts\n');
    expect(isSignedBy(note, key)).toBe(true);
    expect(isSignedBy(note, { ...key, name: 'another' })).toBe(false);
    expect(isSignedBy(note, { ...key, publicKey: secondKey.publicKey })).toBe(false);
  });

  it('refuses whatever is no note', () => {
    for (const text of [
      '',
      'x',
      'x\n\n',
      'x\n\n— y\n',
      'x\n\n— y AAAA\n',
      'x\u0000\n\n— y AAAAAAAA\n',
      `${'x'.repeat(70_000)}\n\n— y AAAAAAAA\n`,
    ])
      expect(() => readNote(text)).toThrow(TypeError);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          readNote(text);
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
        }
      }),
    );
  });
});

describe('checkpoints', () => {
  it('name origin, size and root, signed under the origin', () => {
    const { head } = newChain();
    const checkpoint = readCheckpoint(checkpointNote(head, defaultOrigin(CHAIN_ID), firstKey));
    // The root over one leaf is the leaf.
    expect(checkpoint).toMatchObject({ origin: ORIGIN, size: 1, root: head.hash });
    expect(isSignedBy(checkpoint.note, key)).toBe(true);
  });

  it('are refused when a line is not of its form', () => {
    for (const text of ['a\n01\nAAAA\n', 'a\n1\nAAAA\n', `a\n9999999999999999\n${'A'.repeat(43)}=\n`, `\n1\n${'A'.repeat(43)}=\n`])
      expect(() => readCheckpoint(signNote(text, ORIGIN, firstKey))).toThrow(TypeError);
  });
});
