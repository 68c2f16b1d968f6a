import { chmod, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BylawError } from '../errors.js';
import { isSameFile, isSameLink } from './object-hash.js';
import { git, temporaryFolder, write } from './testing/repository.test-support.js';
import { type CommitTree, commonCommit, treeOf } from './tree.js';

function commit(folder: string): string {
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'change');
  return git(folder, 'rev-parse', 'HEAD');
}

/** A repository with one commit. */
async function repository(
  files: { [path: string]: string | Uint8Array },
  ...options: string[]
): Promise<{ folder: string; first: string }> {
  const folder = await temporaryFolder();
  git(folder, 'init', '-q', ...options);
  await write(folder, files);
  return { folder, first: commit(folder) };
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof BylawError)) throw new Error('no BylawError was thrown');
  return error.code;
}

async function read(tree: CommitTree, ...paths: string[]): Promise<string[]> {
  const entries = paths.map((path) => tree.entry(join(tree.root, path)) ?? { type: 'file' as const, object: '0'.repeat(40), size: 0 });
  return (await Array.fromAsync(tree.contents(entries))).map((content) => content.toString('utf8'));
}

describe('the files of a commit', () => {
  it('are those of the commit, whatever the working tree holds', async () => {
    const { folder, first } = await repository({ 'a.yaml': 'a: 1\n', 'deploy/b c.yaml': 'b: 1\n', 'deploy/\nü.yaml': '' });
    await write(folder, { 'a.yaml': 'a: 2\n', 'new.yaml': 'new\n' });
    await rm(join(folder, 'deploy'), { recursive: true });
    const tree = await treeOf(folder, first);
    expect(tree.root).toBe(folder);
    expect(await read(tree, 'deploy/b c.yaml', 'a.yaml', 'deploy/\nü.yaml')).toEqual(['b: 1\n', 'a: 1\n', '']);
    expect(tree.entry(join(folder, 'new.yaml'))).toBeUndefined();
    expect([...tree.below(join(folder, 'deploy')).keys()].sort()).toEqual([
      join(folder, 'deploy/\nü.yaml'),
      join(folder, 'deploy/b c.yaml'),
    ]);
    expect(tree.below(folder).size).toBe(3);
  });

  it('are read the same from a folder below the root', async () => {
    const { folder, first } = await repository({ 'a.yaml': 'a\n', 'deploy/b.yaml': 'b\n' });
    expect(await read(await treeOf(join(folder, 'deploy'), first), 'a.yaml')).toEqual(['a\n']);
  });

  it('are given in order, however many and large they are', async () => {
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}.bin`, Buffer.alloc(index * 500_000, index)]));
    const { folder, first } = await repository(files);
    const tree = await treeOf(folder, first);
    const paths = Object.keys(files).reverse();
    const entries = paths.flatMap((path) => tree.entry(join(folder, path)) ?? []);
    const contents = await Array.fromAsync(tree.contents(entries));
    expect(contents.map((content, index) => content.equals(files[paths[index] ?? ''] ?? Buffer.alloc(0)))).toEqual(paths.map(() => true));
    expect(contents).toHaveLength(20);
  });

  it('run nothing that the configuration of the repository names', async () => {
    const { folder, first } = await repository({ 'a.yaml': 'a\n', '.gitattributes': '* filter=evil diff=evil\n' });
    const trap = join(folder, 'trap');
    await writeFile(trap, `#!/bin/sh\ntouch ${join(folder, 'sprung')}\ncat\n`);
    await chmod(trap, 0o755);
    for (const key of ['core.fsmonitor', 'filter.evil.clean', 'filter.evil.smudge', 'diff.external', 'diff.evil.textconv', 'core.pager'])
      git(folder, 'config', key, trap);
    await write(folder, { 'a.yaml': 'b\n' });
    await commonCommit(folder, first);
    await read(await treeOf(folder, first), 'a.yaml');
    await expect(realpath(join(folder, 'sprung'))).rejects.toThrow('ENOENT');
  });

  it('cannot be asked for outside of a repository', async () => {
    expect(await codeOf(treeOf(await temporaryFolder(), 'HEAD'))).toBe('no-repository');
    expect(await codeOf(commonCommit(await temporaryFolder(), 'HEAD'))).toBe('no-repository');
  });
});

describe('the commit that a branch began from', () => {
  it('is the newest one that it has in common with the other', async () => {
    const { folder, first } = await repository({ 'a.yaml': 'a\n' });
    git(folder, 'checkout', '-q', '-b', 'feature');
    await write(folder, { 'b.yaml': 'b\n' });
    commit(folder);
    git(folder, 'checkout', '-q', 'main');
    await write(folder, { 'c.yaml': 'c\n' });
    commit(folder);
    git(folder, 'checkout', '-q', 'feature');
    expect(await commonCommit(folder, 'main')).toBe(first);
    expect(await commonCommit(folder, 'HEAD')).toBe(git(folder, 'rev-parse', 'HEAD'));
  });

  it('is unknown for what names no commit', async () => {
    const { folder } = await repository({ 'a.yaml': 'a\n' });
    for (const revision of ['nowhere', '--help', '-x', '', 'HEAD:a.yaml', 'a\0b'])
      expect(await codeOf(commonCommit(folder, revision)), JSON.stringify(revision)).toBe('git-ref-unknown');
  });

  it('is unknown where the clone is too shallow to tell', async () => {
    const { folder } = await repository({ 'a.yaml': 'a\n' });
    git(folder, 'checkout', '-q', '-b', 'feature');
    await write(folder, { 'b.yaml': 'b\n' });
    commit(folder);
    git(folder, 'checkout', '-q', 'main');
    await write(folder, { 'c.yaml': 'c\n' });
    commit(folder);
    const clone = await temporaryFolder();
    git(clone, 'clone', '-q', '--depth=1', '--no-single-branch', '--branch=feature', `file://${folder}`, 'shallow');
    expect(await codeOf(commonCommit(join(clone, 'shallow'), 'origin/main'))).toBe('git-ref-unknown');
  });
});

describe('a file on the disk', () => {
  it.each([[['--object-format=sha1']], [['--object-format=sha256']]])(
    'is the same as the committed one if its bytes are, with %j',
    async (options) => {
      const { folder, first } = await repository({ 'a.yaml': 'a: 1\n' }, ...options);
      const path = join(folder, 'a.yaml');
      const entry = (await treeOf(folder, first)).entry(path);
      if (!entry) throw new Error('the entry is missing');
      expect(await isSameFile(path, entry)).toBe(true);
      for (const content of ['a: 2\n', 'a: 1\r\n', '']) {
        await writeFile(path, content);
        expect(await isSameFile(path, entry)).toBe(false);
      }
      await rm(path);
      expect(await isSameFile(path, entry)).toBe(false);
    },
  );

  it('is the same for any content', async () => {
    const folder = await temporaryFolder();
    git(folder, 'init', '-q');
    const property = fc.asyncProperty(fc.uint8Array(), async (content) => {
      await writeFile(join(folder, 'any'), content);
      const object = git(folder, 'hash-object', '--no-filters', 'any');
      return isSameFile(join(folder, 'any'), { type: 'file', object, size: content.length });
    });
    await fc.assert(property, { numRuns: 20 });
  });

  it('is a link only where a link was committed, and leads where it did', async () => {
    const { folder } = await repository({ 'a.yaml': 'a\n' });
    await symlink('a.yaml', join(folder, 'link'));
    const tree = await treeOf(folder, commit(folder));
    const [link, file] = ['link', 'a.yaml'].map((name) => tree.entry(join(folder, name)));
    if (!link || !file) throw new Error('an entry is missing');
    expect(await isSameLink(join(folder, 'link'), link)).toBe(true);
    expect(await isSameLink(join(folder, 'link'), file)).toBe(false);
    expect(await isSameFile(join(folder, 'link'), link)).toBe(false);
    await rm(join(folder, 'link'));
    await symlink('b.yaml', join(folder, 'link'));
    expect(await isSameLink(join(folder, 'link'), link)).toBe(false);
  });
});
