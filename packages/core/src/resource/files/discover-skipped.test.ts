import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { discoverIn, namesOf, newFolder, plant, reasonsOf } from './testing/tree.test-support.js';

const POD = 'apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { containers: [{ name: a, image: i }] }\n';

/** A repository with this tree, of which Git tracks everything, or only the paths that are given. */
function repository(tree: { readonly [path: string]: string }, tracked: readonly string[] = ['.']): string {
  const folder = newFolder();
  plant(folder, tree);
  execFileSync('git', ['-C', folder, 'init', '-q']);
  execFileSync('git', ['-C', folder, 'add', '-f', ...tracked]);
  return folder;
}

const countOf = async (cwd: string) => (await discoverIn(cwd, '.')).notes.find(({ code }) => code === 'files-skipped');

describe('a file that Git tracks although it ignores it', () => {
  const tree = {
    '.gitignore': 'secret.yaml\nbuild/\n*.local.yaml\n',
    'secret.yaml': POD,
    'a.local.yaml': POD,
    'build/prod/tracked.yaml': POD,
    'build/prod/made.yaml': POD,
    'build/made.yaml': POD,
  };
  const tracked = ['.gitignore', 'secret.yaml', 'build/prod/tracked.yaml'];

  it('is read, and nothing else that Git ignores', async () => {
    expect(namesOf(await discoverIn(repository(tree, tracked), '.'))).toEqual(['build/prod/tracked.yaml', 'secret.yaml']);
  });

  it('is matched by a pattern', async () => {
    expect(namesOf(await discoverIn(repository(tree, tracked), '**/*.yaml'))).toEqual(['build/prod/tracked.yaml', 'secret.yaml']);
  });

  it('is not known if Git does not read the repository, which is noted', async () => {
    const cwd = newFolder();
    plant(cwd, { ...tree, '.git/HEAD': 'no repository\n' });
    const found = await discoverIn(cwd, '.');
    expect(namesOf(found)).toEqual([]);
    expect(found.notes).toMatchObject([
      { code: 'tracked-unknown', first: ['a.local.yaml', 'build', 'secret.yaml'] },
      { code: 'files-skipped' },
    ]);
  });

  it('needs no Git where nothing is ignored', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = '';
    onTestFinished(() => {
      process.env['PATH'] = path;
    });
    const cwd = newFolder();
    plant(cwd, { 'a.yaml': POD, '.git/HEAD': '' });
    expect((await discoverIn(cwd, '.')).notes).toEqual([]);
  });

  it('is noted in node_modules, which is never looked into', async () => {
    const cwd = repository({ 'a.yaml': POD, 'node_modules/x/pod.yaml': POD, 'node_modules/x/index.js': '' });
    const found = await discoverIn(cwd, '.');
    expect(namesOf(found)).toEqual(['a.yaml']);
    expect(reasonsOf(found)).toMatchObject([{ code: 'tracked-not-read', count: 1, first: ['node_modules/x/pod.yaml'] }]);
  });
});

describe('a file that looks like a manifest', () => {
  it('is noted if its name is another, and read if it is named', async () => {
    const cwd = newFolder();
    plant(cwd, {
      'pod.txt': POD,
      'deploy/app': `# comment\n${POD}`,
      'pod.yaml.bak': JSON.stringify({ apiVersion: 'v1', kind: 'Pod' }),
      'guide.md': POD,
      Makefile: 'kind: all\n',
      empty: '',
      'a.yaml': POD,
    });
    const found = await discoverIn(cwd, '.');
    expect(reasonsOf(found)).toMatchObject([{ code: 'name-not-read', first: ['deploy/app', 'pod.txt', 'pod.yaml.bak'] }]);
    const named = await discoverIn(cwd, '.', 'pod.txt', 'deploy/app');
    expect(reasonsOf(named)).toMatchObject([{ code: 'name-not-read', first: ['pod.yaml.bak'] }]);
  });
});

describe('the note on skipped files', () => {
  it('counts what was looked at, what was read, and what was skipped for which reason', async () => {
    const cwd = repository(
      {
        '.gitignore': 'out.yaml\nbuild/\n',
        'out.yaml': POD,
        'a.yaml': POD,
        'b.json': '{}',
        LICENSE: '',
        'main.tf': '',
        'build/x.yaml': POD,
        gone: '-> nowhere',
      },
      ['a.yaml'],
    );
    mkdirSync(join(cwd, 'node_modules'));
    expect(await countOf(cwd)).toEqual({
      code: 'files-skipped',
      message:
        'Looked at 7 files, read 2: 2 have other names than .yaml, .yml or .json, 1 is of another format, 1 is ignored by Git, 1 could not be read. 2 folders that Git ignores or that are named node_modules were not searched.',
      count: 7,
      first: ['.gitignore', 'LICENSE', 'build', 'gone', 'main.tf', 'node_modules', 'out.yaml'],
    });
  });

  it('is absent if everything was read', async () => {
    expect(await countOf(repository({ 'a.yaml': POD, 'b/c.yml': POD }))).toBeUndefined();
  });
});
