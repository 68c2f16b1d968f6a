import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvError, CsvRecords } from './csv-records.js';

function recordsOf(pieces: readonly string[], separator = ',', columns?: readonly number[]): string[][] {
  const records = new CsvRecords(separator);
  if (columns) records.choose([-1, ...columns]);
  const all: string[][] = [];
  const take = (fields: readonly string[]) => all.push(columns ? fields.slice(1) : [...fields]);
  for (const piece of pieces) records.push(piece, take);
  records.end(take);
  return all;
}

/** A text in pieces, cut at these places. */
function cut(text: string, places: readonly number[]): string[] {
  const at = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, index) => text.slice(at[index], end));
}

const field = fc.string({ unit: fc.constantFrom('a', '1', ' ', ',', ';', '"', '\n', '\r', 'é', '漢', '.'), maxLength: 6 });

function written(value: string, quoteAll: boolean): string {
  return quoteAll || /[",;\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

const table = fc.record({
  rows: fc
    .integer({ min: 2, max: 5 })
    .chain((width) => fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 })),
  newline: fc.constantFrom('\n', '\r\n'),
  separator: fc.constantFrom(',', ';'),
  quoteAll: fc.boolean(),
  atEnd: fc.boolean(),
  cuts: fc.array(fc.nat(), { maxLength: 8 }),
});

function writeRecord({
  rows,
  newline,
  separator,
  quoteAll,
  atEnd,
}: {
  rows: string[][];
  newline: string;
  separator: string;
  quoteAll: boolean;
  atEnd: boolean;
}): string {
  return rows.map((row) => row.map((value) => written(value, quoteAll)).join(separator)).join(newline) + (atEnd ? newline : '');
}

describe('the records of a CSV text', () => {
  it('are those of csv-parse, wherever the text is cut', () => {
    fc.assert(
      fc.property(table, (one) => {
        const text = writeRecord(one);
        const expected: string[][] = parse(text, { delimiter: one.separator, record_delimiter: ['\n', '\r\n'], skip_empty_lines: true });
        expect(recordsOf(cut(text, one.cuts), one.separator)).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('have the same values where only some columns are chosen, in the order in which they are named', () => {
    fc.assert(
      fc.property(table, fc.uniqueArray(fc.nat({ max: 6 }), { maxLength: 4 }), (one, columns) => {
        const text = writeRecord(one);
        const all = recordsOf([text], one.separator);
        expect(recordsOf(cut(text, one.cuts), one.separator, columns)).toEqual(
          all.map((row) => columns.map((column) => row[column] ?? '')),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('are empty in the columns that a short row does not have', () => {
    expect(recordsOf(['a,b,c\n1\n1,2,3\n"4",5\n'], ',', [2, 0])).toEqual([
      ['c', 'a'],
      ['', '1'],
      ['3', '1'],
      ['', '4'],
    ]);
  });

  it.each([
    ['a quote that is left open', 'a,b\n1,"2\n3,4\n', 2, 'no closing quote'],
    ['a quote inside a field that is not quoted', 'a,b\n1,2\nx,5" disk\n3,"4"\n', 3, 'unquoted field'],
    ['text after a closing quote', 'a,b\n\n1,"2"3\n', 3, 'closing quote'],
    ['a last row that is cut off', 'a,b,c\n1,2,3\n4,5', 3, 'ends in the middle'],
    ['a last row that is cut off in its quotes', 'a,b,c\n"x\ny",2,3\n"4",5', 4, 'ends in the middle'],
  ])('are refused for %s, with the line', (_, text, line, message) => {
    const refused = () => recordsOf(cut(text, [3, 8]));
    expect(refused).toThrow(CsvError);
    expect(refused).toThrow(expect.objectContaining({ line, message: expect.stringContaining(message) }));
  });

  it('are refused where one of them never ends', () => {
    const records = new CsvRecords(',');
    const piece = 'x'.repeat(1024 * 1024);
    const push = () => {
      for (let count = 0; count < 6; count++) records.push(count === 0 ? `a,b\n"${piece}` : piece, () => undefined);
    };
    expect(push).toThrow(/longer than 4 MiB/);
  });

  it('are found where no separator follows any more', () => {
    const rows = 200_000;
    expect(recordsOf([`a,b\n${'1\n'.repeat(rows)}`], ',', [0])).toHaveLength(rows + 1);
  });

  it('know on which line they begin, over empty lines and line ends in quotes', () => {
    const records = new CsvRecords(',');
    const lines: number[] = [];
    const take = () => lines.push(records.line);
    records.push('a,b\n\n"x\ny",2\r\n\r\n3,4\n', take);
    records.end(take);
    expect(lines).toEqual([1, 3, 6]);
  });
});
