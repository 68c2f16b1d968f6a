import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileWhole } from './file-output.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bylaw-output-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('writing a file as a whole', () => {
  it('replaces what was there only when all is written', async () => {
    const file = join(folder, 'report.txt');
    writeFileSync(file, 'before');
    await writeFileWhole(file, async (out) => {
      await out.write('after ');
      expect(readFileSync(file, 'utf8')).toBe('before');
      await out.write('all');
    });
    expect(readFileSync(file, 'utf8')).toBe('after all');
    expect(readdirSync(folder)).toEqual(['report.txt']);
  });

  it('leaves the file as it was when the writing fails', async () => {
    const file = join(folder, 'report.txt');
    writeFileSync(file, 'before');
    const broken = writeFileWhole(file, async (out) => {
      await out.write('half');
      throw new Error('no more');
    });
    await expect(broken).rejects.toThrow('no more');
    expect(readFileSync(file, 'utf8')).toBe('before');
    expect(readdirSync(folder)).toEqual(['report.txt']);
  });

  it('gives the file the permissions that any new file has', async () => {
    const file = join(folder, 'report.txt');
    await writeFileWhole(file, async (out) => out.write('x'));
    expect(statSync(file).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it('keeps the permissions of the file whose place it takes, where it should', async () => {
    const file = join(folder, 'report.sh');
    writeFileSync(file, 'before', { mode: 0o600 });
    chmodSync(file, 0o750);
    await writeFileWhole(file, async (out) => out.write('after'), statSync(file));
    expect(statSync(file).mode & 0o7777).toBe(0o750);
    expect(readFileSync(file, 'utf8')).toBe('after');
  });

  it('writes into a pipe, which stays one', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const read = readFile(pipe, 'utf8');
    await writeFileWhole(pipe, async (out) => out.write('through'));
    expect(await read).toBe('through');
    expect(statSync(pipe).isFIFO()).toBe(true);
    expect(readdirSync(folder)).toEqual(['pipe']);
  });

  it('writes what a link leads to, and keeps the link', async () => {
    const file = join(folder, 'report.txt');
    const link = join(folder, 'link.txt');
    writeFileSync(file, 'before');
    symlinkSync(file, link);
    await writeFileWhole(link, async (out) => out.write('after'));
    expect(readFileSync(file, 'utf8')).toBe('after');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it.skipIf(!existsSync('/dev/full'))('says so when no space is left', async () => {
    const written = writeFileWhole('/dev/full', async (out) => out.write('x'));
    await expect(written).rejects.toMatchObject({ code: 'output-unwritable', message: expect.stringContaining('no space is left') });
    expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
  });

  it.each([
    ['a folder that does not exist', (at: string) => join(at, 'nowhere', 'report.txt'), 'its folder does not exist'],
    ['the name of a folder', (at: string) => at, 'it is a folder'],
  ])('says why %s cannot be written', async (_what, path, why) => {
    const written = writeFileWhole(path(folder), async (out) => out.write('x'));
    await expect(written).rejects.toMatchObject({ code: 'output-unwritable', message: expect.stringContaining(why) });
  });
});
