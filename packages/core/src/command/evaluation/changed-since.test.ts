import { rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BylawError } from '../../errors.js';
import { git, temporaryFolder, write } from '../../git/testing/repository.test-support.js';
import { discoverInputs, type Input, type Rendering, textInput } from '../../resource/index.js';
import { changedSince } from './changed-since.js';

/** A repository on the branch `feature`, which began from the one commit of `main`. */
async function branch(files: { [path: string]: string }): Promise<string> {
  const folder = await temporaryFolder();
  git(folder, 'init', '-q');
  await write(folder, files);
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'first');
  git(folder, 'checkout', '-q', '-b', 'feature');
  return folder;
}

const configMap = (name: string, value = 'x') => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { key: ${value} }\n`;

/** The files that count as changed, each with the number of its objects that do not. */
async function changed(folder: string, path = '.', rendering?: Rendering): Promise<{ [file: string]: number }> {
  const { inputs, errors } = await discoverInputs([path], { cwd: folder, ...(rendering && { rendering }) });
  expect(errors).toEqual([]);
  const part = await changedSince('main', inputs, folder);
  expect(part.setInputs).toEqual(inputs);
  return Object.fromEntries(part.inputs.map(({ file }) => [file, part.unchanged.get(file)?.size ?? 0]));
}

async function errorOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.catch((reason: unknown) => reason);
  return error instanceof BylawError ? error.code : `no BylawError: ${String(error)}`;
}

describe('what has changed since a branch began', () => {
  it('is nothing in the beginning, which is said', async () => {
    const folder = await branch({ 'a.yaml': configMap('a'), 'deploy/b.yaml': configMap('b') });
    const { inputs } = await discoverInputs(['.'], { cwd: folder });
    const part = await changedSince('main', inputs, folder);
    const commit = git(folder, 'rev-parse', 'main').slice(0, 10);
    expect(part).toMatchObject({
      inputs: [],
      notes: [
        {
          code: 'unchanged',
          message: `2 of 2 files have not changed since main (commit ${commit}) and were not evaluated.`,
          count: 2,
          first: ['a.yaml', 'deploy/b.yaml'],
        },
      ],
    });
  });

  it('is in files that were edited, added or renamed, committed or not', async () => {
    const names = ['same', 'edited', 'committed', 'renamed', 'touched'];
    const folder = await branch(Object.fromEntries(names.map((name) => [`${name}.yaml`, configMap(name)])));
    await write(folder, { 'committed.yaml': configMap('committed', 'y') });
    git(folder, 'commit', '-qam', 'second');
    await write(folder, { 'edited.yaml': configMap('edited', 'y'), 'new.yaml': configMap('new'), 'touched.yaml': configMap('touched') });
    await rename(join(folder, 'renamed.yaml'), join(folder, 'moved.yaml'));
    expect(await changed(folder)).toEqual({ 'committed.yaml': 1, 'edited.yaml': 1, 'moved.yaml': 0, 'new.yaml': 0 });
  });

  it('does not count what changed on the other branch since', async () => {
    const folder = await branch({ 'a.yaml': configMap('a'), 'b.yaml': configMap('b') });
    git(folder, 'checkout', '-q', 'main');
    await write(folder, { 'a.yaml': configMap('a', 'y') });
    git(folder, 'commit', '-qam', 'on main');
    git(folder, 'checkout', '-q', 'feature');
    await write(folder, { 'b.yaml': configMap('b', 'y') });
    expect(await changed(folder)).toEqual({ 'b.yaml': 1 });
  });

  it('counts what Git does not track, and what is not a file', async () => {
    const folder = await branch({ 'a.yaml': configMap('a'), '.gitignore': 'ignored.yaml\n' });
    await write(folder, { 'ignored.yaml': configMap('ignored') });
    expect(await changed(folder, 'ignored.yaml')).toEqual({ 'ignored.yaml': 0 });
    const { inputs } = await discoverInputs(['a.yaml'], { cwd: folder });
    const part = await changedSince('main', [...inputs, textInput('<stdin>', configMap('b'))], folder);
    expect(part.inputs.map(({ file }) => file)).toEqual(['<stdin>']);
  });

  it('counts an old file that a new link brings in, and none that an old link does', async () => {
    const folder = await branch({ 'deploy/a.yaml': configMap('a'), 'docs/b.yaml': configMap('b'), 'docs/c.yaml': configMap('c') });
    await symlink('../docs/b.yaml', join(folder, 'deploy/old.yaml'));
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'link');
    git(folder, 'branch', '-f', 'main');
    expect(await changed(folder, 'deploy')).toEqual({});
    await symlink('../docs/c.yaml', join(folder, 'deploy/new.yaml'));
    expect(await changed(folder, 'deploy')).toEqual({ 'deploy/new.yaml': 0 });
    await rm(join(folder, 'deploy/old.yaml'));
    await symlink('../docs/c.yaml', join(folder, 'deploy/old.yaml'));
    await rm(join(folder, 'deploy/new.yaml'));
    expect(await changed(folder, 'deploy')).toEqual({ 'deploy/old.yaml': 0 });
  });

  it('finds each file in its own repository', async () => {
    const one = await branch({ 'a.yaml': configMap('a'), 'b.yaml': configMap('b') });
    const two = await branch({ 'a.yaml': configMap('a'), 'b.yaml': configMap('b') });
    await write(one, { 'a.yaml': configMap('a', 'y') });
    await write(two, { 'b.yaml': configMap('b', 'y') });
    const outside = await temporaryFolder();
    await write(outside, { 'c.yaml': configMap('c') });
    const { inputs } = await discoverInputs([one, two, outside], { cwd: '/' });
    const part = await changedSince('main', inputs, '/');
    expect(part.inputs.map(({ file }) => file)).toEqual([join(one, 'a.yaml'), join(two, 'b.yaml'), join(outside, 'c.yaml')]);
  });

  describe('where manifests are rendered', () => {
    /** Renders each folder with a `recipe` to one object. */
    const rendering = (madeFrom: (path: string) => string[] | undefined): Rendering => ({
      renderers: [
        {
          name: 'recipe',
          recognises: (_, names) => names?.includes('recipe') ?? false,
          async render(path, shown) {
            const from = madeFrom(path);
            return {
              inputs: [textInput(`${shown}/made.yaml`, configMap('made'), { rendered: shown })],
              errors: [],
              covers: [],
              ...(from && { madeFrom: from }),
            };
          },
        },
      ],
      options: { network: false, namespace: 'default' },
    });
    const own = rendering((path) => [path]);
    const FILES = { 'app/recipe': '', 'app/values/v.txt': 'a', 'other/recipe': '', 'shared.txt': 'a' };

    it('is all that is rendered from a folder in which a file was edited, added or removed', async () => {
      const edit: ((folder: string) => Promise<void>)[] = [
        (folder) => write(folder, { 'app/values/v.txt': 'b' }),
        (folder) => write(folder, { 'app/values/w.txt': 'a' }),
        (folder) => rm(join(folder, 'app/values/v.txt')),
        (folder) => symlink('../shared.txt', join(folder, 'app/link')),
      ];
      for (const change of edit) {
        const folder = await branch(FILES);
        expect(await changed(folder, '.', own)).toEqual({});
        await change(folder);
        expect(await changed(folder, '.', own)).toEqual({ 'app/made.yaml': 0 });
      }
    });

    it('is what a link brings in, which may be new', async () => {
      const folder = await branch({ 'charts/app/recipe': '', 'deploy/a.yaml': configMap('a') });
      await symlink('../charts/app', join(folder, 'deploy/app'));
      expect(await changed(folder, 'deploy', own)).toEqual({ 'charts/app/made.yaml': 0 });
    });

    it('is what is rendered from a file elsewhere, and from what is not known', async () => {
      const folder = await branch(FILES);
      await write(folder, { 'shared.txt': 'b' });
      expect(await changed(folder, 'app', own)).toEqual({});
      expect(
        await changed(
          folder,
          'app',
          rendering((path) => [path, join(folder, 'shared.txt')]),
        ),
      ).toEqual({ 'app/made.yaml': 0 });
      const unknown = await discoverInputs(['app'], { cwd: folder, rendering: rendering(() => undefined) });
      expect(
        (await changedSince('main', [...unknown.inputs, ...(await filesOf(folder))], folder)).inputs.map(({ file }) => file),
      ).toContain('app/made.yaml');
    });
  });

  it('cannot be said outside of a repository, or of an unknown commit', async () => {
    const outside = await temporaryFolder();
    await write(outside, { 'a.yaml': configMap('a') });
    expect(await errorOf(changedSince('main', await filesOf(outside), outside))).toBe('no-repository');
    const folder = await branch({ 'a.yaml': configMap('a') });
    expect(await errorOf(changedSince('nowhere', await filesOf(folder), folder))).toBe('git-ref-unknown');
  });
});

async function filesOf(folder: string): Promise<Input[]> {
  await write(folder, { 'plain.yaml': configMap('plain') });
  return (await discoverInputs(['plain.yaml'], { cwd: folder })).inputs;
}
