import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { costBody } from './index.js';
import { wholeText } from './whole-text.js';

function fileOf(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bylaw-cost-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'bill'), content);
  return join(folder, 'bill');
}

describe('a bill for a server', () => {
  it.each([
    ['a, b\n1, 2\n', { focus_csv: 'a, b\n1, 2\n' }],
    ['[{"a":1},{"a":2}]', { focus_rows: [{ a: 1 }, { a: 2 }] }],
    ['{"rows":[{"a":1}]}', { focus_rows: [{ a: 1 }] }],
    ['{"a":1}\n{"a":2}\n', { focus_rows: [{ a: 1 }, { a: 2 }] }],
  ])('is the body %j', async (content, body) => {
    expect(await costBody([fileOf(content)])).toEqual(body);
  });

  it('that is no JSON is refused as it is without a server', async () => {
    await expect(costBody([fileOf('[{"a":1')])).rejects.toMatchObject({ code: 'cost-file-invalid' });
  });

  it('is one', async () => {
    const path = fileOf('a\n1\n');
    await expect(costBody([path, path])).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('a text that is held whole', () => {
  it('ends where no process could hold it: what was packed may have no end', async () => {
    const piece = 'x'.repeat(1 << 20);
    async function* endless() {
      for (;;) yield piece;
    }
    await expect(wholeText({ name: 'bill.gz', form: 'json', text: endless() })).rejects.toThrow('bill.gz is larger than 256 MiB.');
  });
});
