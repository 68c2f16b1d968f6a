import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, plant } from '../resource/files/testing/tree.test-support.js';
import { loadConfig } from './load-config.js';
import type { OwnedSections } from './sections.js';

const gate: OwnedSections = {
  plugin: 'gate',
  sections: {
    store: {
      description: 'Store.',
      type: 'object',
      properties: { path: { type: 'string', isPath: true, default: '.bylaw/gate.sqlite', description: 'File.' } },
    },
  },
};

/** Loads the configuration that a search from the folder `work/app` finds. */
async function load(tree: { [path: string]: string }, options: Partial<Parameters<typeof loadConfig>[0]> = {}) {
  const at = newFolder();
  plant(at, { 'work/app/': '', 'outside/secret.txt': 'secret', ...tree });
  return loadConfig({ cwd: join(at, 'work/app'), env: {}, plugins: [gate], ...options });
}

const REPOSITORY = { 'work/.git/HEAD': 'ref: refs/heads/main\n' };

describe('a configuration that was found', () => {
  it.each([
    ['an absolute path', 'scores: {path: /var/lib/bylaw/scores.sqlite}', '`scores.path` (/scores/path)'],
    ['a path upwards', 'scores: {path: ../outside/scores.sqlite}', '`scores.path` (/scores/path)'],
    ['a link to a file', 'evaluate: {baseline: link}', '`evaluate.baseline` (/evaluate/baseline)'],
    ['a path behind a link to a folder', 'evaluate: {rule_dirs: [rules, folder/rules]}', '`evaluate.rule_dirs` (/evaluate/rule_dirs/1)'],
    ['a link to a file that is still to be created', 'scores: {path: new}', '`scores.path` (/scores/path)'],
    ['a link in a circle', 'scores: {path: circle}', '`scores.path` (/scores/path)'],
    ['the folder of Git', 'scores: {path: .git/hooks/pre-commit}', '`scores.path` (/scores/path)'],
    ['a path of a plugin', 'store: {path: ../outside/x}', '`store.path` (/store/path)'],
  ])('does not lead out of its repository: %s', async (_what, yaml, message) => {
    const tree = { link: '-> ../outside/secret.txt', folder: '-> ../outside', new: '-> ../outside/new', circle: '-> circle', rules: '' };
    const planted = Object.fromEntries(Object.entries(tree).map(([name, content]) => [`work/${name}`, content]));
    await expect(load({ ...REPOSITORY, ...planted, 'work/bylaw.yaml': `${yaml}\n` })).rejects.toMatchObject({
      code: 'config-path-outside',
      exitCode: 3,
      message: `${message} leads out of the Git repository that the configuration was found in.`,
      location: { file: '../bylaw.yaml', line: 1 },
      hint: expect.stringMatching(/^Use a path inside\. For a path outside, (pass --|name the configuration file itself with --config)/),
    });
  });

  it('names every path that leads out', async () => {
    const yaml = 'scores: {path: /a}\nevaluate: {baseline: /b}\n';
    await expect(load({ ...REPOSITORY, 'work/bylaw.yaml': yaml })).rejects.toThrow(/evaluate\.baseline[\s\S]*scores\.path/);
  });

  it('may use its whole repository, by relative and absolute paths and by links', async () => {
    const tree = { 'work/link': '-> shared/known.json', 'work/shared/known.json': '{}' };
    const { config } = await load({
      ...REPOSITORY,
      ...tree,
      'work/app/bylaw.yaml': 'evaluate: {rule_dirs: [../rules], baseline: ../link}\n',
    });
    expect(config.evaluate.rule_dirs).toEqual([expect.stringMatching(/work\/rules$/)]);
  });

  it('stays in its own folder where there is no repository', async () => {
    await expect(load({ 'work/app/bylaw.yaml': 'scores: {path: ../s.sqlite}\n' })).rejects.toMatchObject({
      message: '`scores.path` (/scores/path) leads out of the folder of the configuration.',
    });
    expect((await load({ 'work/app/bylaw.yaml': 'scores: {path: s.sqlite}\n' })).config.scores.path).toMatch(/app\/s\.sqlite$/);
  });

  it('is itself no link to a file outside', async () => {
    const tree = { ...REPOSITORY, 'outside/bylaw.yaml': 'api: {port: 1}\n', 'work/bylaw.yaml': '-> ../outside/bylaw.yaml' };
    await expect(load(tree)).rejects.toMatchObject({
      code: 'config-path-outside',
      message: expect.stringMatching(/^bylaw\.yaml leads out/),
    });
  });

  it('has no state behind links that lead out, unless somebody names the folder', async () => {
    const hint = 'Use a path inside. For a path outside, name it with SVC_DATA_DIR.';
    await expect(load({ ...REPOSITORY, 'work/app/.bylaw': '-> ../../outside' }, { plugins: [] })).rejects.toMatchObject({
      code: 'config-path-outside',
      hint,
    });
    await expect(load({ ...REPOSITORY, 'work/app/.bylaw/scores.sqlite': '-> ../../../outside/new' })).rejects.toMatchObject({
      code: 'config-path-outside',
      message: expect.stringMatching(/^\.bylaw\/scores\.sqlite leads out/),
    });
    await expect(load({ ...REPOSITORY, 'work/app/.bylaw': '-> ../../outside' })).rejects.toThrow('`store.path`');
    const { dataDir } = await load({ ...REPOSITORY, 'work/app/.bylaw': '-> ../../outside' }, { env: { SVC_DATA_DIR: '/d' }, plugins: [] });
    expect(dataDir).toBe('/d');
  });
});

describe('a configuration that somebody names', () => {
  it.each([
    ['--config', { path: '../bylaw.yaml' }],
    ['SVC_CONFIG', { env: { SVC_CONFIG: '../bylaw.yaml' } }],
  ])('is trusted with any path: %s', async (_what, options) => {
    const tree = { ...REPOSITORY, 'work/bylaw.yaml': 'scores: {path: /var/lib/bylaw/scores.sqlite}\nstore: {path: ../outside/x}\n' };
    const { config } = await load(tree, options);
    expect(config.scores.path).toBe('/var/lib/bylaw/scores.sqlite');
  });
});
