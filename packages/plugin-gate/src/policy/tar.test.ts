import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTar, TarError } from './tar.js';
import { tarOf } from './tar.test-support.js';

const read = (archive: Uint8Array) => readTar(archive).map(({ path, content }) => [path, Buffer.from(content).toString()]);

describe('an archive', () => {
  it('gives its files in order, and passes over folders', () => {
    const archive = tarOf([
      { path: 'b/', type: '5' },
      { path: 'b/x.yaml', content: 'one' },
      { path: 'a', content: '' },
    ]);
    expect(read(archive)).toEqual([
      ['b/x.yaml', 'one'],
      ['a', ''],
    ]);
  });

  it('may have paths longer than a name', () => {
    const path = `${'folder/'.repeat(20)}file.yaml`;
    expect(read(tarOf([{ path, content: 'x' }]))).toEqual([[path, 'x']]);
  });

  it('may have pax headers', () => {
    const record = '30 path=policies/ÄÖ-file.yaml\n';
    const length = Buffer.byteLength(record);
    const archive = tarOf([
      { path: 'pax_global_header', type: 'g', content: '52 comment=0123456789012345678901234567890123456789\n' },
      { path: 'PaxHeaders/x', type: 'x', content: record.replace('30', String(length)) },
      { path: 'short', content: 'x' },
      { path: 'next', content: 'y' },
    ]);
    expect(read(archive)).toEqual([
      ['policies/ÄÖ-file.yaml', 'x'],
      ['next', 'y'],
    ]);
  });

  it.each([
    ['a symbolic link', tarOf([{ path: 'a', type: '2', link: '/etc/passwd' }])],
    ['a hard link', tarOf([{ path: 'a', type: '1', link: 'b' }])],
    ['a device', tarOf([{ path: 'a', type: '3' }])],
    ['a pipe', tarOf([{ path: 'a', type: '6' }])],
    ['a long name in GNU tar format', tarOf([{ path: '././@LongLink', type: 'L', content: 'x' }])],
    ['an entry of an unknown type', tarOf([{ path: 'a', type: 'Z' }])],
    ['damaged', tarOf([{ path: 'a', checksum: '0000000\0' }])],
    ['not a tar archive', Buffer.alloc(2048, 7)],
    ['compressed', Buffer.from([0x1f, 0x8b, 8, 0])],
    ['is truncated', tarOf([{ path: 'a', content: 'x' }], false)],
    ['is truncated', tarOf([{ path: 'a', size: '77777777777\0' }])],
    ['size cannot be read', tarOf([{ path: 'a', size: '\x80\0\0\0\0\0\0\0\0\0\0\x01' }])],
    ['size cannot be read', tarOf([{ path: 'a', size: 'wxyz\0' }])],
    ['damaged pax header', tarOf([{ path: 'a', type: 'x', content: '0 path=x\n' }])],
    ['damaged pax header', tarOf([{ path: 'a', type: 'x', content: 'nothing' }])],
    ['too large or sparse', tarOf([{ path: 'a', type: 'x', content: '14 size=99999\n' }])],
    ['more than 2000 files', tarOf(Array.from({ length: 2001 }, (_, index) => ({ path: `f${index}` })))],
    ['is truncated', new Uint8Array()],
  ])('is refused: %s', (message, archive) => {
    expect(() => readTar(archive)).toThrow(TarError);
    expect(() => readTar(archive)).toThrow(message);
  });

  it('is read or refused, whatever its bytes', () => {
    const good = tarOf([{ path: 'a/b.yaml', content: 'content' }, { path: 'x', type: 'x', content: '14 path=a.yaml' }, { path: 'c' }]);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 6 }), fc.nat(good.length), (changes, length) => {
        const bytes = Uint8Array.from(good);
        for (const [at, byte] of changes) bytes[at] = byte;
        try {
          readTar(bytes.subarray(0, length));
        } catch (error) {
          expect(error).toBeInstanceOf(TarError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('archives of the tar program', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'bylaw-tar-'));
    mkdirSync(join(folder, 'in', 'policies', 'x'.repeat(90), 'y'.repeat(90)), { recursive: true });
    writeFileSync(join(folder, 'in', 'bundle.yaml'), 'head');
    writeFileSync(join(folder, 'in', 'policies', 'x'.repeat(90), 'y'.repeat(90), 'a.yaml'), 'deep');
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(['ustar', 'pax'])('are read in the form %s', (form) => {
    const archive = join(folder, `${form}.tar`);
    execFileSync('tar', [`--format=${form}`, '-cf', archive, '-C', join(folder, 'in'), '.']);
    const files = Object.fromEntries(read(readFileSync(archive)));
    expect(files).toEqual({ './bundle.yaml': 'head', [`./policies/${'x'.repeat(90)}/${'y'.repeat(90)}/a.yaml`]: 'deep' });
  });

  it('are refused with a hint where they have names of GNU tar', () => {
    const archive = join(folder, 'gnu.tar');
    execFileSync('tar', ['--format=gnu', '-cf', archive, '-C', join(folder, 'in'), '.']);
    expect(() => readTar(readFileSync(archive))).toThrow('create the archive with `tar --format=ustar`');
  });

  it('are refused where they hold a link', () => {
    symlinkSync('bundle.yaml', join(folder, 'in', 'link'));
    const archive = join(folder, 'link.tar');
    execFileSync('tar', ['--format=ustar', '-cf', archive, '-C', join(folder, 'in'), 'link']);
    expect(() => readTar(readFileSync(archive))).toThrow('a symbolic link');
  });
});
