import { canonical, type Json } from '@bylaw/core/json';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('the canonical text', () => {
  it('is what an independent implementation writes', () => {
    const value = fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' });
    fc.assert(
      fc.property(value, (any) => {
        expect(canonical(any as Json)).toBe(canonicalize(any));
      }),
      { numRuns: 3000 },
    );
  });

  it('is that for objects of many and of awkward names, too', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.integer().map(String),
      fc.string({ minLength: 60, maxLength: 70 }),
    );
    const object = fc.dictionary(
      name.filter((text) => text.isWellFormed()),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      { maxKeys: 120 },
    );
    fc.assert(
      fc.property(object, (any) => {
        expect(canonical(any)).toBe(canonicalize(any));
      }),
      { numRuns: 1500 },
    );
  });
});
