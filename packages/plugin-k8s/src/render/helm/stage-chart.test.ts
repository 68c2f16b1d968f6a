import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boundaryOf, discoverInputs, type RenderOptions } from '@bylaw/core/resource';
import { describe, expect, it } from 'vitest';
import { kustomizeRenderer } from '../kustomize/kustomize.js';
import { folderWith } from '../testing/files.test-support.js';
import { contentOf, noHelm, noKustomize, OPTIONS, SETTINGS } from '../testing/render.test-support.js';
import { helmRenderer } from './helm.js';
import { stageChart } from './stage-chart.js';

const CHART = 'apiVersion: v2\nname: web\nversion: 1.0.0\n';
const configMap = (name: string, data = '') => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${data}`;
const READS = configMap('a', 'data:\n  file: {{ .Files.Get "files/x.txt" | quote }}\n  value: {{ .Values.password | quote }}\n');

/** A repository with a chart in `app/web`, and a folder outside of it with secrets. */
function repository(files: { [path: string]: string } = {}, links: { [path: string]: string } = {}) {
  const at = folderWith({
    'outside/secret.txt': 'S3CRET',
    'outside/values.yaml': 'password: S3CRET\n',
    'outside/templates/t.yaml': configMap('outside'),
    'repo/.git/config': 'S3CRET',
    'repo/shared/x.txt': 'shared',
    'repo/shared/dep/Chart.yaml': CHART.replace('web', 'dep'),
    'repo/shared/dep/templates/d.yaml': configMap('dep'),
    'repo/app/web/Chart.yaml': CHART,
    'repo/app/web/templates/a.yaml': READS,
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`repo/app/web/${path}`, text])),
  });
  for (const [path, target] of Object.entries(links)) {
    const link = join(at, 'repo/app/web', path);
    mkdirSync(join(link, '..'), { recursive: true });
    symlinkSync(target, link);
  }
  return { at, chart: join(at, 'repo/app/web') };
}

async function render(chart: string, options: Partial<RenderOptions> = {}) {
  const rendered = await helmRenderer(SETTINGS).render(chart, 'app/web', { ...OPTIONS, ...options });
  return { ...rendered, ...(await contentOf(rendered)) };
}

describe('the copy of a chart that is rendered', () => {
  const stage = async (chart: string) => {
    const target = join(folderWith(), 'copy');
    const staged = await stageChart(chart, 'app/web', await boundaryOf(chart), target);
    return { target, staged, errors: staged?.errors.map(({ code, location }) => `${code} ${location?.file}`) };
  };

  it('holds what links in the repository lead to, and no link', async () => {
    const { chart, at } = repository({}, { 'files/x.txt': '../../../shared/x.txt', 'charts/dep': '../../../shared/dep' });
    const { target, staged, errors } = await stage(chart);
    expect(errors).toEqual([]);
    expect(staged?.files).toEqual([
      'Chart.yaml',
      'charts/dep/Chart.yaml',
      'charts/dep/templates/d.yaml',
      'files/x.txt',
      'templates/a.yaml',
    ]);
    expect(staged?.linked).toEqual([join(at, 'repo/shared/dep'), join(at, 'repo/shared/x.txt')]);
    expect(readFileSync(join(target, 'files/x.txt'), 'utf8')).toBe('shared');
    const entries = readdirSync(target, { recursive: true, withFileTypes: true });
    expect(entries.filter((entry) => entry.isSymbolicLink())).toEqual([]);
  });

  it('leaves out links that lead out of the repository, into .git, in a circle or to nothing, and says so', async () => {
    const links = {
      'files/out.txt': '../../../../outside/secret.txt',
      'files/absolute': '/etc',
      'files/git': '../../../.git/config',
      'files/circle': '..',
      'files/nothing': 'gone',
    };
    const { target, errors } = await stage(repository({}, links).chart);
    expect(errors).toEqual(['absolute', 'circle', 'git', 'nothing', 'out.txt'].map((name) => `link-not-followed app/web/files/${name}`));
    expect(readdirSync(join(target, 'files'))).toEqual([]);
  });

  it('leaves out Git, pipes, and folders that .helmignore names', async () => {
    const { chart } = repository({
      '.git/config': 'S3CRET',
      '.helmignore': '# no\nnode_modules/\ntemplates\n*.md\n',
      'node_modules/a.js': '',
    });
    execFileSync('mkfifo', [join(chart, 'pipe')]);
    const { staged, errors } = await stage(chart);
    expect(staged?.files).toEqual(['.helmignore', 'Chart.yaml', 'templates/a.yaml']);
    expect(errors).toEqual(['not-a-file app/web/pipe']);
  });

  it('is not made of a chart whose links multiply without end', async () => {
    const links: { [path: string]: string } = {};
    for (let level = 0; level < 16; level++) for (const name of ['a', 'b']) links[`l${level}/${name}`] = `../l${level + 1}`;
    const { staged } = await stage(repository({ 'l16/x.txt': '' }, links).chart);
    expect(staged).toBeUndefined();
  });
});

describe.skipIf(noHelm)('a chart with links (needs helm on the PATH)', () => {
  it('is rendered with what is in its repository, under its own names', async () => {
    const { chart, at } = repository({}, { 'files/x.txt': '../../../shared/x.txt', 'charts/dep': '../../../shared/dep' });
    const { names, errors, objects, madeFrom } = await render(chart);
    expect(errors).toEqual([]);
    expect(names).toEqual(['app/web/charts/dep/templates/d.yaml ConfigMap/dep', 'app/web/templates/a.yaml ConfigMap/a']);
    expect(objects[1]?.object).toMatchObject({ data: { file: 'shared' } });
    expect(madeFrom).toEqual([chart, join(at, 'repo/shared/dep'), join(at, 'repo/shared/x.txt')]);
  });

  it.each([
    ['a file', { 'files/x.txt': '../../../../outside/secret.txt' }, 'files/x.txt'],
    ['a folder', { files: '../../../outside' }, 'files'],
    ['its values', { 'values.yaml': '../../../outside/values.yaml' }, 'values.yaml'],
    ['a template', { 'templates/t.yaml': '../../../../outside/templates/t.yaml' }, 'templates/t.yaml'],
    ['a subchart', { 'charts/dep': '../../../../outside' }, 'charts/dep'],
    ['its Git repository', { 'files/x.txt': '../../../.git/config' }, 'files/x.txt'],
  ])('is rendered without what is outside: %s', async (_what, links, place) => {
    const { names, errors, objects } = await render(repository({}, links).chart);
    expect(errors).toMatchObject([{ code: 'link-not-followed', location: { file: `app/web/${place}`, line: 1, column: 1 } }]);
    expect(names).toEqual(['app/web/templates/a.yaml ConfigMap/a']);
    expect(JSON.stringify(objects)).not.toContain('S3CRET');
  });

  it('may use what is in the folder that the user named, where there is no repository', async () => {
    const at = folderWith({ 'web/Chart.yaml': CHART, 'web/templates/a.yaml': READS, 'shared/x.txt': 'shared' });
    mkdirSync(join(at, 'web/files'));
    symlinkSync('../../shared/x.txt', join(at, 'web/files/x.txt'));
    expect((await render(join(at, 'web'), { root: at })).errors).toEqual([]);
    expect((await render(join(at, 'web'))).errors).toMatchObject([{ code: 'link-not-followed' }]);
  });

  it('has one error for a link that the walk through its folder meets, too', async () => {
    const { at } = repository({}, { 'files/x.yaml': '../../../../outside/values.yaml' });
    const rendering = { renderers: [helmRenderer(SETTINGS)], options: OPTIONS };
    const { errors } = await discoverInputs(['.'], { cwd: join(at, 'repo'), rendering });
    expect(errors.map(({ code, location }) => `${code} ${location?.file}`)).toEqual(['link-not-followed app/web/files/x.yaml']);
  });

  it('follows files of values that somebody names wherever they lead', async () => {
    const { chart, at } = repository();
    symlinkSync(join(at, 'outside/values.yaml'), join(at, 'repo/values.yaml'));
    const { objects } = await render(chart, { values: [join(at, 'repo/values.yaml')] });
    expect(objects[0]?.object).toMatchObject({ data: { value: 'S3CRET' } });
  });

  it('does not show what a schema outside demands, in a folder or packed', async () => {
    const at = folderWith({
      'schema.json': '{"properties":{"password":{"const":"S3CRET"}}}',
      'web/Chart.yaml': CHART,
      'web/values.yaml': 'password: wrong\n',
    });
    writeFileSync(join(at, 'web/values.schema.json'), JSON.stringify({ $ref: `file://${at}/schema.json` }));
    execFileSync('tar', ['-czf', join(at, 'web.tgz'), '-C', at, 'web']);
    for (const chart of ['web', 'web.tgz']) {
      const { errors } = await render(join(at, chart));
      expect(errors).toMatchObject([{ code: 'render-failed', message: expect.stringContaining('the values do not fit a schema') }]);
      expect(JSON.stringify(errors)).not.toContain('S3CRET');
    }
  });

  it('passes over the links in a packed chart, as helm does', async () => {
    const { chart } = repository({}, { 'files/x.txt': '../../../../outside/secret.txt', 'values.yaml': '../../../outside/values.yaml' });
    const packed = join(chart, '../web.tgz');
    execFileSync('tar', ['-czf', packed, '-C', join(chart, '..'), 'web']);
    const { objects } = await render(packed);
    expect(objects).toMatchObject([{ object: { data: { file: '' } } }]);
    expect(JSON.stringify(objects)).not.toContain('S3CRET');
  });
});

describe.skipIf(noKustomize)('a kustomization with links (needs kustomize or kubectl on the PATH)', () => {
  const build = async (kustomization: string, link?: [path: string, target: string]) => {
    const at = folderWith({
      'outside/secret.txt': 'S3CRET',
      'outside/kustomization.yaml': 'resources: [a.yaml]\n',
      'outside/a.yaml': configMap('outside'),
      'repo/.git/HEAD': '',
      'repo/app/kustomization.yaml': kustomization,
    });
    if (link) symlinkSync(link[1], join(at, 'repo/app', link[0]));
    const rendered = await kustomizeRenderer(SETTINGS).render(join(at, 'repo/app'), 'app', OPTIONS);
    return { ...rendered, ...(await contentOf(rendered)) };
  };

  it.each([
    ['a file behind a link', 'configMapGenerator: [{name: x, files: [link]}]\n', ['link', '../../outside/secret.txt'] as [string, string]],
    ['a base behind a link', 'resources: [link]\n', ['link', '../../outside'] as [string, string]],
    ['a base that it names', 'resources: [../../outside]\n', undefined],
  ])('takes in nothing from outside of its repository: %s', async (_what, kustomization, link) => {
    const { names, errors } = await build(kustomization, link);
    expect(names).toEqual([]);
    expect(errors).toMatchObject([{ code: 'render-failed', location: { file: 'app/kustomization.yaml' } }]);
    expect(JSON.stringify(errors)).not.toContain('S3CRET');
  });
});
