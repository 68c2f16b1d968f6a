import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileInput } from '../../resource/index.js';
import { refuseInput, refuseManifest } from './refuse-input.js';

describe('an output', () => {
  const folder = () => {
    const path = mkdtempSync(join(tmpdir(), 'bylaw-output-'));
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    return path;
  };

  it('is no input, under no other name either', async () => {
    const at = folder();
    writeFileSync(join(at, 'bill.csv'), 'a');
    symlinkSync(join(at, 'bill.csv'), join(at, 'link.csv'));
    const refusal = { code: 'output-unwritable', message: expect.stringContaining('is also an input') };
    await expect(refuseInput(join(at, 'bill.csv'), [undefined, join(at, 'bill.csv')])).rejects.toMatchObject(refusal);
    await expect(refuseInput(join(at, 'link.csv'), [join(at, '.', 'bill.csv')])).rejects.toMatchObject(refusal);
  });

  it('may be any other file, a new one, or none', async () => {
    const at = folder();
    writeFileSync(join(at, 'bill.csv'), 'a');
    writeFileSync(join(at, 'old.html'), 'a');
    for (const output of [undefined, join(at, 'new.html'), join(at, 'old.html'), '/dev/null'])
      await expect(refuseInput(output, [join(at, 'bill.csv'), at, '-', '/dev/null'])).resolves.toBeUndefined();
  });
});

describe('the report of a run', () => {
  const file = (content: string) => {
    const path = mkdtempSync(join(tmpdir(), 'bylaw-output-'));
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    const at = join(path, 'file.json');
    writeFileSync(at, content);
    return at;
  };

  it('does not take the place of a manifest that the run reads', async () => {
    const at = file('{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}');
    const inputs = [fileInput(at, 'file.json', { explicit: false })];
    await expect(refuseManifest(at, inputs)).rejects.toMatchObject({
      code: 'output-unwritable',
      message: `${at} is also an input and would be overwritten.`,
    });
    await expect(refuseManifest(undefined, inputs)).resolves.toBeUndefined();
  });

  it('takes the place of an earlier report in the folder that is read', async () => {
    const at = file('{"findings": [], "errors": []}');
    await expect(refuseManifest(at, [fileInput(at, 'file.json', { explicit: false })])).resolves.toBeUndefined();
  });
});
