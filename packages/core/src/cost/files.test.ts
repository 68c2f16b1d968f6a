import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { costFiles, costFilesAt } from './index.js';
import { plain } from './table.test-support.js';

const folder = mkdtempSync(join(tmpdir(), 'bylaw-cost-'));
afterAll(() => rmSync(folder, { recursive: true }));

const rows = Array.from(
  { length: 3000 },
  (_, index) => `2026-03-${String((index % 28) + 1).padStart(2, '0')}T00:00:00Z,${index / 8},EUR,Zürich ${index % 7}`,
);
const csv = `ChargePeriodStart,EffectiveCost,BillingCurrency,ServiceName\n${rows.join('\n')}\n`;

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

async function tablesAt(...paths: string[]) {
  return plain(await costFiles(await costFilesAt(paths), {}));
}

const failing = (code: string, message = '') => expect.objectContaining({ code, message: expect.stringContaining(message) });

describe('files of the command line', () => {
  const whole = file('bill.csv', csv);

  it('are read alike as CSV, packed, from standard input, and in any pieces', async () => {
    const expected = await tablesAt(whole);
    expect(expected).toMatchObject([{ currency: 'EUR', rows: 3000 }]);
    expect(await tablesAt(file('bill.csv.gz', gzipSync(csv)))).toEqual(expected);
    expect(await tablesAt(file('bill.txt', gzipSync(csv)))).toEqual(expected);
    async function* stdin() {
      // Cuts letters of two bytes.
      for (let at = 0, bytes = Buffer.from(csv); at < bytes.length; at += 1009) yield bytes.subarray(at, at + 1009);
    }
    expect(plain(await costFiles(await costFilesAt(['-'], stdin), {}))).toEqual(expected);
    expect(await tablesAt(file('bom.csv', `\uFEFF${csv.replaceAll('\n', '\r\n')}`))).toEqual(expected);
    expect(await tablesAt(file('semicolons.csv', csv.replaceAll(',', ';')))).toEqual(expected);
    expect(await tablesAt(file('tabs.tsv', csv.replaceAll(',', '\t')))).toEqual(expected);
  });

  it('are read alike as JSON: an array, an object with rows, lines', async () => {
    const expected = await tablesAt(whole);
    const [header = [], ...records] = csv
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    const objects = records.map((record) => Object.fromEntries(header.map((name, index) => [name, record[index]])));
    expect(await tablesAt(file('array.json', JSON.stringify(objects, null, 1)))).toEqual(expected);
    expect(await tablesAt(file('object.json', JSON.stringify({ rows: objects })))).toEqual(expected);
    expect(await tablesAt(file('lines.jsonl', objects.map((row) => JSON.stringify(row)).join('\n')))).toEqual(expected);
    expect(await tablesAt(file('packed.json.gz', gzipSync(JSON.stringify(objects))))).toEqual(expected);
  });

  it('add up, in any order', async () => {
    const [head = '', ...lines] = csv.trim().split('\n');
    const one = file('one.csv', [head, ...lines.slice(0, 1000)].join('\n'));
    const other = file('other.csv', [head, ...lines.slice(1000)].join('\n'));
    expect(await tablesAt(one, other)).toEqual(await tablesAt(whole));
    expect(await tablesAt(other, one)).toEqual(await tablesAt(whole));
  });

  it.each([
    ['that do not exist', () => join(folder, 'absent.csv'), 'path-not-found', 'absent.csv'],
    ['that are folders', () => folder, 'path-unreadable', 'is a folder'],
    [
      'that are packed and cut off',
      () => file('cut.gz', gzipSync(csv).subarray(0, 9000)),
      'cost-file-invalid',
      'is not a complete gzip file',
    ],
    [
      'that are packed and damaged',
      () => file('damaged.gz', Buffer.concat([gzipSync(csv).subarray(0, 500), Buffer.alloc(5000, 7)])),
      'cost-file-invalid',
      'is not a complete gzip file',
    ],
    ['that are no text', () => file('binary.csv', Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0xfe, 0, 1])), 'cost-file-invalid', 'UTF-8'],
    ['that are UTF-16', () => file('utf16.csv', Buffer.from(`\uFEFF${csv}`, 'utf16le')), 'cost-file-invalid', 'UTF-8'],
    ['that are empty', () => file('empty.csv', ''), 'no-usable-rows', 'is empty'],
    ['that have a header only', () => file('header.csv', csv.slice(0, csv.indexOf('\n'))), 'no-usable-rows', 'no rows'],
    ['that are no cost export', () => file('other-table.csv', 'name,age\nx,7\n'), 'cost-columns-missing', 'other-table.csv'],
    ['that are no rows', () => file('number.json', '[1, 2]'), 'cost-file-invalid', 'has no rows: it must be a JSON array'],
    ['that are broken JSON', () => file('broken.json', '{"rows": [{'), 'cost-file-invalid', 'has no rows: it must be a JSON array'],
    ['that are one huge line', () => file('line.csv', 'x'.repeat(6 * 1024 * 1024)), 'cost-file-invalid', 'longer than 4 MiB'],
    ['that end in the middle of a row', () => file('half.csv', csv.slice(0, -20)), 'cost-file-invalid', 'The file ends in the middle'],
    [
      'whose cost is no number',
      () => file('word.csv', csv.replace(',374.875,', ',much,')),
      'cost-row-invalid',
      'EffectiveCost must be a number',
    ],
  ])('%s are refused with a clear error', async (_, path, code, message) => {
    await expect(tablesAt(path())).rejects.toThrow(failing(code, message));
  });

  it('are read once from standard input: who names it twice is told so', async () => {
    await expect(costFilesAt(['-', whole, '-'])).rejects.toThrow(failing('usage', 'given twice'));
  });

  it('are refused with the line at which they go wrong', async () => {
    const line = (location: unknown) => expect.objectContaining({ location });
    const half = file('half.csv', csv.slice(0, -20));
    await expect(tablesAt(half)).rejects.toThrow(line({ file: half, line: 3001, column: 1 }));
    const word = file('word.csv', csv.replace(',374.875,', ',much,'));
    await expect(tablesAt(word)).rejects.toThrow(line({ file: word, line: 3001, column: 1 }));
  });

  it('that lack a column are refused with the one that looks like it', async () => {
    const misspelt = file('misspelt.csv', csv.replace('EffectiveCost', 'EfectiveCost').replace('\n', ',BilledCost\n'));
    await expect(tablesAt(misspelt)).rejects.toThrow(
      expect.objectContaining({
        code: 'cost-columns-missing',
        message: expect.stringContaining('EffectiveCost'),
        hint: expect.stringContaining('EfectiveCost'),
      }),
    );
  });
});
