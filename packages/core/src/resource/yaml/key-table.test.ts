import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocuments } from './parse.js';

function keysOf(text: string): string[] {
  return Object.keys(parseDocuments({ file: 'a.yaml', index: 0, text, line: 1 })[0]?.value ?? {});
}

describe('the table of keys', () => {
  it('gives every key as it is written, whatever was read before', () => {
    // Keys of one length that differ only between the letters that a slot is made of share the slot.
    const key = fc.stringMatching(/^k[a-d]{2}x[a-d]{2}z$/);
    fc.assert(
      fc.property(fc.uniqueArray(key, { minLength: 1, maxLength: 20 }), (keys) => {
        expect(keysOf(keys.map((name) => `${name}: 1\n`).join(''))).toEqual(keys);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['yes: 1\n', 'true'],
    ['"yes": 1\n', 'yes'],
    ['0x10: 1\n', '16'],
    ['!!str yes: 1\n', 'yes'],
    ['&yes yes: 1\n', 'true'],
  ])('reads the key of %j the same way a second time', (text, key) => {
    expect(keysOf(text)).toEqual([key]);
    expect(keysOf(text)).toEqual([key]);
  });
});
