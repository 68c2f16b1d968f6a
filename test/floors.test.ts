import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Floors, floorBreaches } from './floors.js';

it('every import of the packages goes to its own floor or a lower one, and none goes in a circle', () => {
  const floors = JSON.parse(readFileSync(new URL('./floors.json', import.meta.url), 'utf8')) as Floors; // its own form is checked against the folders
  expect(floorBreaches(fileURLToPath(new URL('..', import.meta.url)), floors)).toEqual([]);
});

describe('floors', () => {
  const FLOORS: Floors = {
    packages: { floors: [['core'], ['cli', 'plugin-a', 'plugin-b']] },
    'packages/core/src': { floors: [['errors.ts'], ['low'], ['high', 'beside'], ['top.ts']], apart: { 'top.ts': ['low'] } },
    'packages/core/src/high': { floors: [['ground'], ['attic']] },
    'packages/cli/src': { floors: [['index.ts']] },
    'packages/plugin-a/src': { floors: [['index.ts']] },
    'packages/plugin-b/src': { floors: [['index.ts']] },
  };
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'bylaw-floors-'));
    write('packages/core/package.json', JSON.stringify({ name: '@bylaw/core', exports: { './low': { default: './dist/low/index.js' } } }));
    for (const name of ['cli', 'plugin-a', 'plugin-b'])
      write(`packages/${name}/package.json`, JSON.stringify({ name: `@bylaw/${name}`, exports: { '.': './dist/index.js' } }));
    const rooms = ['errors.ts', 'top.ts', 'low/index.ts', 'high/index.ts', 'high/ground/a.ts', 'high/attic/a.ts', 'beside/index.ts'];
    for (const room of rooms) write(`packages/core/src/${room}`, 'export const it = 1;\n');
    for (const name of ['cli', 'plugin-a', 'plugin-b']) write(`packages/${name}/src/index.ts`, 'export const it = 1;\n');
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it.each([
    ['from a higher floor', 'packages/core/src/high/index.ts', "import { it } from '../low/index.js';"],
    ['from its own room', 'packages/core/src/high/other.ts', "import { it } from './index.js';"],
    ['from a room to what is in it', 'packages/core/src/high/other.ts', "import { it } from './attic/a.js';"],
    ['of another package by name', 'packages/plugin-a/src/index.ts', "import { it } from '@bylaw/core/low';"],
    ['of a package from elsewhere', 'packages/core/src/low/index.ts', "import { it } from '@elsewhere/plugin-a';"],
    ['from a test to all of its folder of src', 'packages/core/src/high/ground/a.test.ts', "import { it } from '../attic/a.js';"],
    ['from one test support to another', 'packages/core/src/low/a.test-support.ts', "import { it } from './testing/b.test-support.js';"],
  ])('let through an import %s', (_, file, line) => {
    write('packages/core/src/low/testing/b.test-support.ts', 'export const it = 1;\n');
    write(file, line);
    expect(floorBreaches(root, FLOORS)).toEqual([]);
  });

  it.each([
    ['of values', "import { it } from '../high/index.js';"],
    ['of types', "import type { It } from '../high/index.js';"],
    ['for its effects', "import '../high/index.js';"],
    ['of a type in place', "export type It = import('../high/index.js').It;"],
    ['when it is needed', "export const later = () => import('../high/index.js');"],
    ['to export', "export { it } from '../high/index.js';"],
    ['to export all', "export * from '../high/index.js';"],
    ['to export a type', "export type { It } from '../high/index.js';"],
  ])('refuse an import upwards %s, and say where', (_, line) => {
    write('packages/core/src/low/file.ts', `\n\n${line}\n`);
    expect(floorBreaches(root, FLOORS)).toEqual([
      'packages/core/src/low/file.ts:3 imports ../high/index.js: in packages/core/src, low is on floor 2 and high on floor 3.',
    ]);
  });

  it.each([
    ['to the same floor', 'packages/core/src/beside/index.ts', '../high/index.js', 'beside is on floor 3 and high on floor 3'],
    ['to a lower floor that is kept apart', 'packages/core/src/top.ts', './low/index.js', 'top.ts and low are kept apart'],
    ['upwards within a floor', 'packages/core/src/high/ground/a.ts', '../attic/a.js', 'ground is on floor 1 and attic on floor 2'],
    ['upwards from a test', 'packages/core/src/low/a.test.ts', '../high/index.js', 'low is on floor 2 and high on floor 3'],
    ['from core to another package', 'packages/core/src/top.ts', '@bylaw/cli', 'core is on floor 1 and cli on floor 2'],
    ['from one plugin to another', 'packages/plugin-a/src/index.ts', '@bylaw/plugin-b', 'plugin-a is on floor 2 and plugin-b on floor 2'],
    ['from a plugin to the command line', 'packages/plugin-a/src/index.ts', '@bylaw/cli', 'plugin-a is on floor 2 and cli on floor 2'],
    ['from the command line to a plugin', 'packages/cli/src/index.ts', '@bylaw/plugin-a', 'cli is on floor 2 and plugin-a on floor 2'],
    ['from a test of one plugin to another', 'packages/plugin-a/src/a.test.ts', '@bylaw/plugin-b', 'plugin-b on floor 2'],
    ['of another package by path', 'packages/cli/src/index.ts', '../../core/src/low/index.js', 'packages import one another by name'],
    ['of a test support by a source', 'packages/core/src/high/index.ts', './a.test-support.js', 'a source does not import what tests use'],
    ['of a folder for tests by a source', 'packages/core/src/high/index.ts', './testing/a.js', 'a source does not import what tests use'],
  ])('refuse an import %s', (_, file, specifier, says) => {
    write('packages/core/src/high/a.test-support.ts', 'export const it = 1;\n');
    write('packages/core/src/high/testing/a.ts', 'export const it = 1;\n');
    write(file, `import type { It } from '${specifier}';\n`);
    expect(floorBreaches(root, FLOORS)).toEqual([expect.stringContaining(says)]);
  });

  it('refuse a circle of files, also by types only, and name every import in it', () => {
    write('packages/core/src/low/a.ts', "import { b } from './b.js';\n");
    write('packages/core/src/low/b.ts', "import './c.js';\n");
    write('packages/core/src/low/c.ts', "\nimport type { A } from './a.js';\n");
    expect(floorBreaches(root, FLOORS)).toEqual([
      'Circle: packages/core/src/low/a.ts:1 imports ./b.js, packages/core/src/low/b.ts:1 imports ./c.js, packages/core/src/low/c.ts:2 imports ./a.js.',
    ]);
  });

  it('refuse a circle of rooms whose files form none', () => {
    write('packages/core/src/high/x.ts', "import { it } from './ground/a.js';\n");
    write('packages/core/src/high/y.ts', 'export const it = 1;\n');
    write('packages/core/src/high/ground/b.ts', "import type { It } from '../y.js';\n");
    write('packages/core/src/high/y.ts', "import { it } from './x.js';\n");
    expect(floorBreaches(root, FLOORS)).toEqual([
      'Circle: packages/core/src/high/ground/b.ts:1 imports ../y.js, packages/core/src/high/y.ts:1 imports ./x.js, packages/core/src/high/x.ts:1 imports ./ground/a.js.',
    ]);
  });

  it.each([
    ['a package', 'packages/plugin-c/src/index.ts', 'packages/plugin-c is on no floor. Add it to the floors of packages.'],
    [
      'a folder of a package',
      'packages/core/src/new/deep/a.ts',
      'packages/core/src/new is on no floor. Add it to the floors of packages/core/src.',
    ],
    [
      'a folder of a folder',
      'packages/core/src/low/new/a.ts',
      'packages/core/src/low/new is on no floor. Add it to the floors of packages/core/src/low.',
    ],
    [
      'a file of a package',
      'packages/core/src/new.ts',
      'packages/core/src/new.ts is on no floor. Add it to the floors of packages/core/src.',
    ],
  ])('refuse %s without a floor', (_, file, says) => {
    write(file, 'export const it = 1;\n');
    expect(floorBreaches(root, FLOORS)).toContain(says);
  });

  it('ask for no floor for tests and what they use', () => {
    write('packages/core/src/new.test.ts', '');
    write('packages/core/src/low/testing/tree.test-support.ts', '');
    expect(floorBreaches(root, FLOORS)).toEqual([]);
  });

  it.each<[string, Floors, string]>([
    [
      'a room that does not exist',
      { 'packages/core/src/low': { floors: [['gone']] } },
      'The floors name packages/core/src/low/gone, which does not exist.',
    ],
    [
      'a folder that does not exist',
      { 'packages/core/src/gone': { floors: [] } },
      'The floors name packages/core/src/gone, which does not exist.',
    ],
    [
      'a room twice',
      { 'packages/core/src/high': { floors: [['ground'], ['attic', 'ground']] } },
      'packages/core/src/high/ground is on two floors.',
    ],
    [
      'a room to keep apart that does not exist',
      { 'packages/core/src/high': { floors: [['ground'], ['attic']], apart: { attic: ['gone'] } } },
      'The floors name packages/core/src/high/gone, which does not exist.',
    ],
  ])('refuse a list with %s', (_, more, says) => {
    expect(floorBreaches(root, { ...FLOORS, ...more })).toEqual([says]);
  });

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
});
