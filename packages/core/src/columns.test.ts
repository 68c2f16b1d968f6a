import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import wrapAnsi from 'wrap-ansi';
import { columnsOf, linesOf } from './columns.js';

/** Letters that take one column, none or two, spaces, and what steers a terminal. */
const characters = fc.constantFrom(...'  ab-.Zé ß—“”…•→│', '\n', '\t', '漢', '👍', '\u0301', '\u00ad', '\u001b[31m', 'ﬀ');

describe('the columns of a text', () => {
  it('are those that the library counts', () => {
    fc.assert(
      fc.property(fc.string({ unit: characters }), (text) => {
        expect(columnsOf(text)).toBe(stringWidth(text));
      }),
    );
  });

  it('are counted alike for every character that is taken for one column', () => {
    for (let code = 0x20; code < 0x3000; code++) {
      const character = String.fromCharCode(code);
      expect(columnsOf(character), code.toString(16)).toBe(stringWidth(character));
    }
  });
});

describe('the lines of a text', () => {
  it('are those of the library', () => {
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (text, columns) => {
        expect(linesOf(text, columns)).toEqual(wrapAnsi(text, columns).split('\n'));
      }),
      { numRuns: 2000 },
    );
  });
});
