import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvText } from './csv.js';

const read = (csv: string) => parse(csv, { recordDelimiter: '\r\n' }) as string[][]; // without a header

describe('rows as CSV', () => {
  it('quotes what needs it, and leaves numbers alone', () => {
    expect(csvText([['a', 'b,c', 'd "e"', 'f\ng', -1.5]])).toBe('a,"b,c","d ""e""","f\ng",-1.5\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@sum', '\tx', '\rx', '\nx'])('opens %j with an apostrophe, so that no spreadsheet computes it', (text) => {
    expect(read(csvText([[text]]))).toEqual([[`'${text}`]]);
  });

  it('drops characters that a terminal would obey', () => {
    expect(csvText([['\u001b[31m=red', '\u0000=1']])).toBe("[31m=red,'=1\r\n");
  });

  it('are read back as they were, whatever they hold, but for what is said above', () => {
    const cell = fc
      .string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', '=', ' ', 'ä', '🙂') })
      .filter((text) => !/^[=\r\n]/.test(text));
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1 }), (rows) => {
        const wide = rows.map((row) => [...row, 'x'].slice(0, 2));
        expect(read(csvText(wide))).toEqual(wide);
      }),
    );
  });
});
