import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { RenderOptions } from '@bylaw/core/resource';
import { describe, expect, it, vi } from 'vitest';
import { findProgram } from '../program/program.js';
import { folderWith, nodeProgram } from '../testing/files.test-support.js';
import { contentOf, noKustomize, OPTIONS, SETTINGS } from '../testing/render.test-support.js';
import { kustomizeRenderer } from './kustomize.js';

const configMap = (name: string, more = '') => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}`;

const APP = {
  'base/kustomization.yaml': 'resources: [a.yaml]\nconfigMapGenerator: [{name: made, files: [data.yaml]}]\n',
  'base/a.yaml': `${configMap('a', '  annotations: {mine: kept}\n')}---\n${configMap('b')}`,
  'base/data.yaml': 'kind: Data\n',
  'prod/kustomization.yaml': 'resources: [../base, ns.yaml]\nnamespace: prod\npatches: [{path: patch.yaml}]\ncomponents: [../extra]\n',
  'prod/ns.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: prod\n',
  'prod/patch.yaml': configMap('a', 'data: {patched: "yes"}\n'),
  'extra/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [x.yaml]\n',
  'extra/x.yaml': configMap('x'),
};

/** The folder `at` of these files, as the user knows it under `apps/<at>`. */
async function render(files: { [path: string]: string }, at = 'prod', options: Partial<RenderOptions> = {}, env = SETTINGS.env) {
  const folder = folderWith(files);
  const rendered = await kustomizeRenderer({ ...SETTINGS, env }).render(join(folder, at), `apps/${at}`, { ...OPTIONS, ...options });
  const [covers, madeFrom] = [rendered.covers, rendered.madeFrom].map((paths) => paths?.map((path) => path.slice(folder.length + 1)));
  return { ...(await contentOf(rendered)), covers, madeFrom, folder };
}

/** The folder `app` with this kustomization. */
function renderOne(kustomization: string, files: { [path: string]: string } = {}, options: Partial<RenderOptions> = {}) {
  return render({ 'app/kustomization.yaml': kustomization, ...files }, 'app', options);
}

describe('recognising a kustomization', () => {
  it('takes a folder with one of the names that kustomize reads', () => {
    const { recognises } = kustomizeRenderer(SETTINGS);
    const known = [['kustomization.yaml'], ['a', 'kustomization.yml'], ['Kustomization'], ['kustomize.yaml']];
    expect(known.map((names) => recognises('x', names))).toEqual([true, true, true, false]);
    expect(recognises('kustomization.yaml')).toBe(false);
  });
});

describe.skipIf(noKustomize)('rendering a kustomization (needs kustomize or kubectl on the PATH)', () => {
  it('gives its objects, each under the file of the base, component or overlay that it was made from', async () => {
    const { names, objects, errors } = await render(APP);
    expect(errors).toEqual([]);
    expect(names).toEqual([
      'apps/base/a.yaml ConfigMap/a',
      'apps/base/a.yaml ConfigMap/b',
      expect.stringMatching(/^apps\/base\/kustomization.yaml ConfigMap\/made-\w+$/),
      'apps/extra/x.yaml ConfigMap/x',
      'apps/prod/ns.yaml Namespace/prod',
    ]);
    expect(objects[0]).toMatchObject({
      namespace: 'prod',
      object: { data: { patched: 'yes' } },
      source: { file: 'apps/base/a.yaml', line: 1, column: 1, rendered: 'apps/prod' },
    });
  });

  it('shows its objects to rules without the annotations that tell the files apart', async () => {
    const { objects } = await render(APP);
    expect(objects.map(({ object }) => object.metadata)).toEqual([
      { name: 'a', namespace: 'prod', annotations: { mine: 'kept' } },
      { name: 'b', namespace: 'prod' },
      { name: expect.any(String), namespace: 'prod' },
      { name: 'x', namespace: 'prod' },
      { name: 'prod' },
    ]);
  });

  it('covers patches with a target only if the target selects something', async () => {
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: any }\n';
    const targets = {
      'all.yaml': '{}',
      'kind.yaml': '{ kind: ConfigMap }',
      'pattern.yaml': '{ name: "web-.*" }',
      'before.yaml': '{ name: web-1 }',
      'label.yaml': '{ labelSelector: "app in (web)" }',
      'none.yaml': '{ kind: Deployment }',
      'part.yaml': '{ name: eb-1 }',
      'other.yaml': '{ labelSelector: "app=db" }',
    };
    const { covers, errors, objects } = await renderOne(
      [
        'resources: [web.yaml]',
        'namePrefix: my-',
        'patches:',
        ...Object.entries(targets).map(([path, target]) => `  - { path: ${path}, target: ${target} }`),
      ].join('\n'),
      {
        'app/web.yaml': configMap('web-1', '  labels: { app: web }\n'),
        ...Object.fromEntries(Object.keys(targets).map((name) => [`app/${name}`, pod])),
      },
    );
    expect(errors).toEqual([]);
    expect(objects.map(({ object }) => object.metadata)).toEqual([{ name: 'my-web-1', labels: { app: 'web' } }]);
    const applied = ['all', 'before', 'kind', 'label', 'pattern', 'web'].map((name) => `app/${name}.yaml`);
    expect(covers?.sort()).toEqual(applied);
  });

  it('covers what it was made from, and not its own files', async () => {
    expect((await render(APP)).covers?.sort()).toEqual(['base/a.yaml', 'extra/x.yaml', 'prod/ns.yaml', 'prod/patch.yaml']);
  });

  it('names the folders that it was made from', async () => {
    expect((await render(APP)).madeFrom).toEqual(['prod', 'base', 'extra']);
  });

  it('keeps what the kustomization itself asks for', async () => {
    const { objects } = await renderOne('resources: [a.yaml]\nbuildMetadata: [managedByLabel]\n', { 'app/a.yaml': configMap('a') });
    expect(objects[0]?.object.metadata).toMatchObject({ labels: { 'app.kubernetes.io/managed-by': expect.stringContaining('kustomize') } });
    expect(objects[0]?.object.metadata).not.toHaveProperty('annotations');
  });

  it('follows links as kustomize does', async () => {
    const folder = folderWith({
      'real/kustomization.yaml': 'resources: [a.yaml]\n',
      'real/a.yaml': configMap('a'),
      'app/kustomization.yaml': 'resources: [../link]\n',
    });
    symlinkSync('real', join(folder, 'link'));
    const { names, errors } = await contentOf(await kustomizeRenderer(SETTINGS).render(join(folder, 'app'), 'app', OPTIONS));
    expect(errors).toEqual([]);
    expect(names).toEqual([expect.stringMatching(/^(?:real|link)\/a.yaml ConfigMap\/a$/)]);
  });

  it('renders also where an overlay cannot refer to it: all then stands under the kustomization', async () => {
    const folder = folderWith({ 'kustomization.yaml': 'resources: [a.yaml]\n', 'a.yaml': configMap('a') });
    mkdirSync(join(folder, 'tmp'));
    vi.stubEnv('TMPDIR', join(folder, 'tmp'));
    const rendered = await kustomizeRenderer(SETTINGS).render(folder, '.', OPTIONS).finally(vi.unstubAllEnvs);
    expect(await contentOf(rendered)).toMatchObject({ names: ['kustomization.yaml ConfigMap/a'], errors: [] });
  });

  it.each([
    ['a file that is missing', 'resources: [missing.yaml]', 'missing.yaml'],
    ['a field that does not exist', 'resorces: [a.yaml]', 'unknown field "resorces"'],
    ['text that is no YAML', 'resources: [', 'invalid Kustomization'],
    ['a file outside of its folder', 'resources: [../other/a.yaml]', 'is not in or below'],
    ['a program that it would start', 'generators: [exec.yaml]', 'external plugins disabled'],
    [
      'charts that it would inflate',
      'helmCharts: [{name: x, repo: "https://charts.example.com"}]',
      'kustomize build apps/app --enable-helm | bylaw evaluate -',
    ],
    ['itself', 'resources: [../app]', 'cycle detected'],
  ])('says what is wrong: %s', async (_what, kustomization, message) => {
    const exec = 'apiVersion: x/v1\nkind: X\nmetadata:\n  name: x\n  annotations: {config.kubernetes.io/function: "exec: {path: ./run}"}\n';
    const { errors, names, covers } = await renderOne(kustomization, { 'other/a.yaml': configMap('a'), 'app/exec.yaml': exec });
    expect({ names, covers }).toEqual({ names: [], covers: [] });
    expect(errors).toMatchObject([
      {
        code: 'render-failed',
        message: expect.stringMatching(/^This kustomization does not render: /),
        location: { file: 'apps/app/kustomization.yaml', line: 1, column: 1 },
      },
    ]);
    expect(errors[0]?.message.replace('kubectl kustomize', 'kustomize build')).toContain(message);
    expect(errors[0]?.message).not.toMatch(/bylaw-render-(?!test)/);
  });

  it.each([
    ['https://user:secret@example.com/x.yaml', 'it refers to https://***@example.com/x.yaml.'],
    ['http://127.0.0.1:1/x.yaml', 'it refers to http://127.0.0.1:1/x.yaml.'],
    ['git@example.com:org/repo.git//base?ref=v1', 'it refers to git@example.com:'],
    ['ssh://git@example.com/org/repo', 'it refers to ssh://'],
    ['github.com/org/repo//base?ref=v1', "no 'git' program"],
  ])('does not reach for %s', async (address, message) => {
    const { errors } = await renderOne('resources: [base]\n', { 'app/base/kustomization.yaml': JSON.stringify({ resources: [address] }) });
    expect(errors).toMatchObject([{ code: 'render-network', message: expect.stringContaining(message) }]);
    expect(errors[0]?.message).toContain('--render-network');
    expect(errors[0]?.message).not.toContain('secret');
  });

  it('does not reach for addresses where files belong either', async () => {
    for (const field of [
      'patches: [{path: "URL"}]',
      'configMapGenerator: [{name: a, files: ["k=URL"]}]',
      'transformers: ["URL"]',
      'openapi: {path: "URL"}',
    ])
      expect((await renderOne(field.replace('URL', 'http://127.0.0.1:1/x'))).errors).toMatchObject([{ code: 'render-network' }]);
  });

  it('lets kustomize reach for it where that is allowed', async () => {
    const { errors } = await renderOne('resources: ["http://127.0.0.1:1/x.yaml"]\n', {}, { network: true });
    expect(errors).toMatchObject([{ code: 'render-failed', message: expect.stringContaining('connection refused') }]);
  });

  it('does not repeat the Secrets that it generates', async () => {
    const { errors } = await renderOne('secretGenerator: [{name: s, literals: [key=hunter2, hunter2]}]\n');
    expect(errors).toMatchObject([{ code: 'render-failed' }]);
    expect(errors[0]?.message).not.toContain('hunter2');
  });

  it('calls kubectl by its own verb', async () => {
    const kustomize = await findProgram('SVC_KUSTOMIZE', ['kustomize'], process.env);
    const script = `if (process.argv[2] !== 'kustomize') process.exit(7);
      const { spawnSync } = require('child_process');
      process.exitCode = spawnSync(${JSON.stringify(kustomize)}, ['build', ...process.argv.slice(3)], { stdio: 'inherit' }).status;`;
    const kubectl =
      kustomize === undefined ? await findProgram('', ['kubectl'], process.env) : nodeProgram(folderWith(), 'kubectl', script);
    const { names, errors } = await render(APP, 'base', {}, { SVC_KUSTOMIZE: kubectl });
    expect({ count: names.length, errors }).toEqual({ count: 3, errors: [] });
  });
});

describe('a missing program', () => {
  it('is named, with what to install', async () => {
    const { errors } = await render(APP, 'prod', {}, { PATH: '/nonexistent' });
    expect(errors).toMatchObject([{ code: 'render-program-missing', location: { file: 'apps/prod/kustomization.yaml' } }]);
    expect(errors[0]?.message).toMatch(/neither kustomize nor kubectl.*--no-render.*kustomize build apps\/prod \| bylaw evaluate -$/);
  });

  it('is one that the variable names and that cannot be run', async () => {
    const program = nodeProgram(folderWith(), 'kustomize', '');
    chmodSync(program, 0o644);
    expect((await render(APP, 'prod', {}, { ...process.env, SVC_KUSTOMIZE: program })).errors).toMatchObject([
      { code: 'render-program-missing' },
    ]);
  });
});
