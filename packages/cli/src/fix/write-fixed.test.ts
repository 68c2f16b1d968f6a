import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileInput, textInput } from '@bylaw/core/resource';
import { asNobody } from '@bylaw/core/testing/as-nobody';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFixed } from './write-fixed.js';

describe('writing a mended file', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bylaw-write-'));
    file = join(folder, 'a.yaml');
    writeFileSync(file, 'before');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (before = 'before', path = file) => writeFixed(fileInput(path, 'a.yaml'), Buffer.from(before), 'after');

  it('puts the new text in its place, and keeps its permissions', async () => {
    chmodSync(file, 0o640);
    expect(await write()).toBeUndefined();
    expect(readFileSync(file, 'utf8')).toBe('after');
    expect(statSync(file).mode & 0o7777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(['a.yaml']);
  });

  it('leaves a file alone that has changed since it was read', async () => {
    expect(await write('something else')).toContain('has changed since it was read');
    expect(readFileSync(file, 'utf8')).toBe('before');
  });

  it('leaves a file alone that must not be written', async () => {
    chmodSync(folder, 0o755);
    chmodSync(file, 0o444);
    expect(await asNobody(() => write())).toContain('permission');
    expect(readFileSync(file, 'utf8')).toBe('before');
  });

  it('says that a file is gone, or is none', async () => {
    expect(await write('before', join(folder, 'gone.yaml'))).toContain('no longer exists');
    symlinkSync(join(folder, 'nowhere'), join(folder, 'broken.yaml'));
    expect(await write('before', join(folder, 'broken.yaml'))).toContain('no longer exists');
    expect(await writeFixed(textInput('<stdin>', 'before'), Buffer.from('before'), 'after')).toContain('not read from a file');
  });
});
