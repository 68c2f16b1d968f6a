import { chmodSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { sha256Hex } from '../json/index.js';
import { readCommand } from './command.js';
import { isUnchanged } from './executable.js';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bylaw-command-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

function script(path: string, text = '#!/bin/sh\nexit 0\n', mode = 0o755): string {
  const file = join(folder, path);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

const read = (argv: readonly string[], path = folder) => readCommand(argv, { cwd: folder, path });

describe('the executable of a command', () => {
  it('is found on PATH, by an absolute path, and by a path from the working directory', () => {
    const file = script('tool');
    const digest = `sha256:${sha256Hex('#!/bin/sh\nexit 0\n')}`;
    for (const word of ['tool', file, './tool', `../${folder.split('/').at(-1)}/tool`])
      expect(read([word]).executable).toEqual({ path: file, digest, identity: digest });
  });

  it('is the first one on PATH that can run, whatever else has its name', () => {
    for (const name of ['a', 'b', 'c']) mkdirSync(join(folder, name));
    mkdirSync(join(folder, 'a/tool'));
    script('b/tool', '#!/bin/sh\n', 0o644);
    const path = ['a', 'b', 'c'].map((name) => join(folder, name)).join(':');
    expect(() => read(['tool'], path)).toThrow('not an executable file');
    const file = script('c/tool');
    expect(read(['tool'], path).executable.path).toBe(file);
  });

  it('is looked for in the working directory if PATH has an empty entry, and nowhere if PATH is empty', () => {
    const file = script('tool');
    expect(read(['tool'], '/nonexistent:').executable.path).toBe(file);
    expect(() => read(['tool'], '')).toThrow('not an executable file');
  });

  it.each([[['']], [['no-such-tool']], [['./no-such-tool']], [['.']], [['SECRET=hunter2', 'tool']]])(
    'is not %j, and no message repeats it',
    (argv) => {
      script('tool');
      expect(() => read(argv)).toThrow(
        expect.objectContaining({ code: 'AG-RUN-001', message: expect.not.stringMatching(/no-such|hunter/) }),
      );
    },
  );

  it('says where variables belong if the first word sets one', () => {
    expect(() => read(['SECRET=hunter2', 'tool'])).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('NAME=value bylaw run') }),
    );
  });

  it.each(['echo hello\n', '', '\n#!/bin/sh\n', '\u{feff}#!/bin/sh\n'])('is not a file that only a shell would run: %j', (text) => {
    script('tool', text);
    expect(() => read(['tool'])).toThrow('only a shell can run it');
  });

  it('is the running Node, whose file is large', () => {
    expect(read([process.execPath]).executable.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

describe('a word of a command', () => {
  it.each(['', ' ', "a'b", 'a"b', 'a\nb', '--', '-', '$HOME', 'é😀', '\u0001'])('may be %j', (word) => {
    script('tool');
    expect(read(['tool', word, '--', word]).argv).toEqual(['tool', word, '--', word]);
  });

  it('must be what was typed: Node has replaced bytes that are not UTF-8', () => {
    script('tool');
    const bytes = Buffer.from([0x61, 0xff]).toString('utf8');
    expect(() => read(['tool', 'x', bytes])).toThrow(
      expect.objectContaining({ code: 'AG-RUN-002', message: expect.stringContaining('Word 3') }),
    );
  });
});

describe('an executable between the decision and the start', () => {
  it('is unchanged if only its times are', () => {
    const file = script('tool');
    const { executable } = read(['tool']);
    utimesSync(file, 0, 0);
    expect(isUnchanged(executable)).toBe(true);
  });

  it.each<[string, (file: string) => void]>([
    ['overwritten', (file) => writeFileSync(file, '#!/bin/sh\nexit 1\n')],
    ['overwritten with something of the same size', (file) => writeFileSync(file, '#!/bin/sh\nexit 9\n')],
    ['replaced', (file) => renameSync(script('other', '#!/bin/sh\nrm -rf /\n'), file)],
    ['removed', (file) => rmSync(file)],
    [
      'a link to another file',
      (file) => {
        rmSync(file);
        symlinkSync(process.execPath, file);
      },
    ],
  ])('is changed if it was %s', (_, change) => {
    const file = script('tool');
    const { executable } = read(['tool']);
    change(file);
    expect(isUnchanged(executable)).toBe(false);
  });

  it('is changed if its link leads elsewhere', () => {
    symlinkSync(script('old'), join(folder, 'tool'));
    const { executable } = read(['tool']);
    expect(executable.path).toBe(join(folder, 'tool'));
    rmSync(join(folder, 'tool'));
    symlinkSync(script('new', '#!/bin/sh\nexit 1\n'), join(folder, 'tool'));
    expect(isUnchanged(executable)).toBe(false);
  });
});
