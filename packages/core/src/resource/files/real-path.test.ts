import { describe, expect, it } from 'vitest';
import { leadsOut, realPathOf } from './real-path.js';
import { newFolder, plant } from './testing/tree.test-support.js';

describe('where a path leads', () => {
  it('is known for files that exist, and for files that are still to be created', async () => {
    const at = newFolder();
    plant(at, { 'real/a.txt': 'a', folder: '-> real', file: '-> folder/a.txt', later: '-> folder/new/b.txt' });
    expect(await realPathOf(`${at}/file`)).toBe(`${at}/real/a.txt`);
    expect(await realPathOf(`${at}/folder/c.txt`)).toBe(`${at}/real/c.txt`);
    expect(await realPathOf(`${at}/later`)).toBe(`${at}/real/new/b.txt`);
  });

  it('is nowhere for links in a circle', async () => {
    const at = newFolder();
    plant(at, { a: '-> b', b: '-> a' });
    await expect(realPathOf(`${at}/a`)).rejects.toMatchObject({ code: 'ELOOP' });
    await expect(realPathOf(`${at}/a/new`)).rejects.toMatchObject({ code: 'ELOOP' });
  });
});

describe('a path that leads out of a folder', () => {
  const tree = {
    'root/real/a.txt': 'a',
    'root/.git/config': '',
    'outside/b.txt': 'b',
    'root/inner': '-> real/a.txt',
    'root/out': '-> ../outside/b.txt',
    'root/folder': '-> ../outside',
    'root/new': '-> ../outside/new.txt',
    'root/chain': '-> folder',
    'root/hooks': '-> .git/hooks',
    alias: '-> root',
    'outside/back': '-> ../root/real/a.txt',
    'root/back': '-> ../outside/back',
  };

  it.each([
    ['a file', 'root/real/a.txt', false],
    ['a file that is still to be created', 'root/real/new/c.txt', false],
    ['a link that stays inside', 'root/inner', false],
    ['a link to a file outside', 'root/out', true],
    ['a link to a file outside that is still to be created', 'root/new', true],
    ['a file behind a link to a folder outside', 'root/folder/new.txt', true],
    ['a file behind a link to such a link', 'root/chain/b.txt', true],
    ['a link into the folder of Git', 'root/hooks/pre-commit', true],
    ['a file in the folder of Git that is named', 'root/.git/config', false],
    ['a link that leads out and in again', 'root/back', false],
    ['a file outside', 'outside/b.txt', false],
    ['a link from outside to the inside', 'outside/back', false],
    ['the root by another name, with a link that leads out of it', 'alias/out', true],
  ])('%s: %s', async (_what, path, leads) => {
    const at = newFolder();
    plant(at, tree);
    expect(await leadsOut(`${at}/${path}`, [`${at}/root`])).toBe(leads);
  });
});
