import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sourceKey } from '../../evaluate/index.js';
import { namedCommit, treeOf } from '../../git/index.js';
import { fileInput, textInput } from '../../resource/index.js';
import { acceptedExceptions } from './accepted-exceptions.js';

const ACCEPTED = 'apiVersion: v1\nkind: Pod\nmetadata: { name: a, annotations: { bylaw.dev/ignore: CS-001=x } }\nspec: {}\n';

async function write(folder: string, path: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

/** A repository with these files in its one commit. */
async function repository(files: { [path: string]: string }) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'bylaw-accepted-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const settings = ['user.name=Test', 'user.email=test@example.com', 'commit.gpgsign=false'].flatMap((setting) => ['-c', setting]);
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...settings, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const [path, content] of Object.entries(files)) await write(folder, path, content);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
  return { folder, policy: { ref: 'HEAD', tree: await treeOf(folder, await namedCommit(folder, 'HEAD')) } };
}

describe('the exceptions in manifests that a commit has too', () => {
  it('are those of the same file, in no other file and on no other input', async () => {
    const { folder, policy } = await repository({ 'a.yaml': ACCEPTED, 'plain.yaml': 'a: 1\n' });
    await write(folder, 'new.yaml', ACCEPTED);
    const inputs = ['a.yaml', 'plain.yaml', 'new.yaml'].map((name) => fileInput(join(folder, name), name));
    const { bySource } = await acceptedExceptions(policy, [...inputs, textInput('<stdin>', ACCEPTED)], folder);
    expect([...(bySource ?? [])]).toEqual([
      [sourceKey({ file: 'a.yaml' }), new Set([JSON.stringify(['', 'Pod', '', 'a', 'annotation', 'CS-001', ''])])],
    ]);
  });

  describe('where manifests are rendered', () => {
    const made = (madeFrom: string[] | undefined) => ({
      ...textInput('chart/templates/a.yaml', ACCEPTED, { rendered: 'chart' }),
      ...(madeFrom && { madeFrom }),
    });
    const counts = async (change: (folder: string) => Promise<void>, from: (folder: string) => (string[] | undefined)[]) => {
      const { folder, policy } = await repository({ 'chart/values.yaml': 'a: 1\n', 'prod.yaml': 'b: 1\n' });
      await change(folder);
      const { bySource } = await acceptedExceptions(policy, from(folder).map(made), folder);
      return bySource?.get(sourceKey({ file: 'chart/templates/a.yaml', rendered: 'chart' })) === 'all';
    };
    const nothing = async () => undefined;
    const chart = (folder: string) => [[join(folder, 'chart')]];

    it('are all, if nothing that they are made from has changed', async () => {
      expect(await counts(nothing, chart)).toBe(true);
      expect(await counts((folder) => write(folder, 'prod.yaml', 'b: 2\n'), chart)).toBe(true);
    });

    it('are none, if anything has changed, or what they are made from is not known', async () => {
      const withValues = (folder: string) => [[join(folder, 'chart'), join(folder, 'prod.yaml')]];
      expect(await counts((folder) => write(folder, 'chart/values.yaml', 'a: 2\n'), chart)).toBe(false);
      expect(await counts((folder) => write(folder, 'chart/templates/b.yaml', ''), chart)).toBe(false);
      expect(await counts((folder) => write(folder, 'prod.yaml', 'b: 2\n'), withValues)).toBe(false);
      expect(await counts(nothing, () => [undefined])).toBe(false);
    });

    it('are none, if one of several inputs of this name has changed, in any order', async () => {
      const both = (folder: string) => [[join(folder, 'chart')], [join(folder, 'chart'), join(folder, 'prod.yaml')]];
      const change = (folder: string) => write(folder, 'prod.yaml', 'b: 2\n');
      expect(await counts(change, both)).toBe(false);
      expect(await counts(change, (folder) => both(folder).reverse())).toBe(false);
    });
  });

  it('has a key for a file that nothing rendered has, whatever the file is called', () => {
    const rendered = sourceKey({ file: 'chart/a.yaml', rendered: 'chart' });
    expect(sourceKey({ file: rendered })).not.toBe(rendered);
  });
});
