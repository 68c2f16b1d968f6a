import { chmodSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { folderWith, nodeProgram } from '../testing/files.test-support.js';
import { findProgram } from './program.js';

it('finds the first name that is on the PATH, with its folder', async () => {
  const [first, second] = [folderWith(), folderWith()];
  const a = nodeProgram(second, 'a', '');
  const b = nodeProgram(first, 'b', '');
  const PATH = [first, second].join(delimiter);
  expect(await findProgram('SVC_X', ['a', 'b'], { PATH })).toBe(a);
  expect(await findProgram('SVC_X', ['none', 'b'], { PATH })).toBe(b);
  expect(await findProgram('SVC_X', ['none'], { PATH })).toBeUndefined();
  expect(await findProgram('SVC_X', ['a'], {})).toBeUndefined();
});

it('takes no program from a relative folder on the PATH, nor one that cannot be run', async () => {
  const folder = folderWith();
  chmodSync(nodeProgram(folder, 'a', ''), 0o644);
  nodeProgram(folder, 'b', '');
  expect(await findProgram('SVC_X', ['a'], { PATH: folder })).toBeUndefined();
  for (const path of [relative(process.cwd(), folder), '.', '']) expect(await findProgram('SVC_X', ['b'], { PATH: path })).toBeUndefined();
});

it('takes the program that the variable names, and no other then', async () => {
  const folder = folderWith();
  const a = nodeProgram(folder, 'a', '');
  expect(await findProgram('SVC_X', ['b'], { SVC_X: a, PATH: folder })).toBe(a);
  expect(await findProgram('SVC_X', ['a'], { SVC_X: join(folder, 'none'), PATH: folder })).toBeUndefined();
  expect(await findProgram('SVC_X', ['a'], { SVC_X: 'a', PATH: folder })).toBeUndefined();
  expect(await findProgram('SVC_X', ['a'], { SVC_X: '', PATH: folder })).toBe(a);
});
