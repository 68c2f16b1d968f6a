import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { textInput } from '../input/input.js';
import { discoverInputs } from './discover.js';
import type { Rendered, Renderer } from './renderer.js';

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'bylaw-rendering-')));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function write(...files: string[]): void {
  for (const path of files) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), 'a: 1\n');
  }
}

/** A plugin's renderer of folders that hold a `recipe.txt`, and of files `*.recipe`; it makes one manifest of each. */
function recipes(more: Partial<Renderer> = {}, result: (path: string) => Partial<Rendered> = () => ({})): Renderer & { calls: string[] } {
  const calls: string[] = [];
  return {
    calls,
    name: 'recipe',
    recognises: (path, names) => names?.includes('recipe.txt') ?? path.endsWith('.recipe'),
    render: async (path, shown, { network }) => {
      calls.push(`${shown}${network ? ' with the network' : ''}`);
      return { inputs: [textInput(`${shown}/made`, 'b: 2\n', { rendered: shown })], errors: [], covers: [], ...result(path) };
    },
    ...more,
  };
}

async function discover(renderer: Renderer, ...paths: string[]) {
  const { inputs, errors } = await discoverInputs(paths, {
    cwd,
    rendering: { renderers: [renderer], options: { network: true, namespace: 'default' } },
  });
  return { names: inputs.map(({ file }) => file), errors };
}

describe('discovering what is rendered', () => {
  it('puts the manifests at the position of the folder, and reads the other files as before', async () => {
    write('k8s/a.yaml', 'k8s/m/recipe.txt', 'k8s/m/x.yaml', 'k8s/z.yaml');
    const renderer = recipes();
    expect(await discover(renderer, 'k8s')).toEqual({ names: ['k8s/a.yaml', 'k8s/m/made', 'k8s/m/x.yaml', 'k8s/z.yaml'], errors: [] });
    expect(renderer.calls).toEqual(['k8s/m with the network']);
  });

  it('does not read what it was made from, neither in the same walk nor in a later one', async () => {
    write('k8s/m/recipe.txt', 'k8s/m/x.yaml', 'shared/y.yaml', 'shared/other.yaml', 'k8s/links/recipe.txt', 'k8s/links/real/l.yaml');
    symlinkSync('real/l.yaml', join(cwd, 'k8s/links/l.yaml'));
    const covers = ['k8s/m/x.yaml', 'shared/y.yaml', 'k8s/links/l.yaml', 'k8s/gone.yaml'].map((path) => join(cwd, path));
    const { names } = await discover(
      recipes({}, () => ({ covers })),
      'k8s',
      'shared',
    );
    expect(names).toEqual(['k8s/links/made', 'k8s/m/made', 'shared/other.yaml']);
  });

  it('reads a file that is named, whatever was made from it', async () => {
    write('k8s/recipe.txt', 'k8s/x.yaml');
    const renderer = recipes({}, () => ({ covers: [join(cwd, 'k8s/x.yaml')] }));
    expect((await discover(renderer, 'k8s', 'k8s/x.yaml')).names).toEqual(['k8s/made', 'k8s/x.yaml']);
  });

  it('renders a source once, however it is reached', async () => {
    write('k8s/m/recipe.txt', 'k8s/m/x.yaml');
    const renderer = recipes();
    expect((await discover(renderer, 'k8s/m', './k8s', 'k8s/**/*', 'k8s/m')).names).toEqual(['k8s/m/made', 'k8s/m/x.yaml']);
    expect(renderer.calls).toHaveLength(1);
  });

  it('renders only the roots that the renderer names', async () => {
    write('k8s/base/recipe.txt', 'k8s/prod/recipe.txt');
    const renderer = recipes({ roots: async (sources) => sources.filter((source) => source.endsWith('prod')) });
    expect((await discover(renderer, 'k8s')).names).toEqual(['k8s/prod/made']);
    expect((await discover(renderer, 'k8s/base')).names).toEqual([]);
  });

  it('continues if one does not render', async () => {
    write('k8s/bad/recipe.txt', 'k8s/bad/x.yaml', 'k8s/good/recipe.txt');
    const error = { code: 'render-failed' as const, message: 'no', location: null };
    const renderer = recipes({}, (path) => (path.endsWith('bad') ? { inputs: [], errors: [error] } : {}));
    expect(await discover(renderer, 'k8s')).toEqual({ names: ['k8s/bad/x.yaml', 'k8s/good/made'], errors: [error] });
  });

  it('renders a file that is named and that the renderer knows', async () => {
    write('dist/web.recipe', 'dist/web.yaml');
    expect((await discover(recipes(), 'dist/web.recipe')).names).toEqual(['dist/web.recipe/made']);
    expect((await discover(recipes(), 'dist')).names).toEqual(['dist/web.yaml']);
  });

  it('renders the whole chart for one of its templates, for its folder of templates, and for a pattern that meets it', async () => {
    write('apps/web/Chart.yaml', 'apps/web/templates/a.yaml', 'apps/web/crds/c.yaml');
    const helm = () => recipes({ recognises: (_path, names) => names?.includes('Chart.yaml') ?? false });
    for (const path of ['apps/web/templates/a.yaml', 'apps/web/templates', 'apps/*/templates/*.yaml'])
      expect(await discover(helm(), path)).toEqual({ names: ['apps/web/made'], errors: [] });
    const names = ['apps/web/made', 'apps/web/Chart.yaml', 'apps/web/crds/c.yaml'];
    expect(await discover(helm(), 'apps')).toEqual({ names, errors: [] });
  });

  it('refuses a chart that no renderer knows', async () => {
    write('apps/web/Chart.yaml', 'apps/web/templates/a.yaml');
    expect((await discover(recipes(), 'apps')).errors).toMatchObject([
      { code: 'template-not-rendered', location: { file: 'apps/web/Chart.yaml' } },
    ]);
  });

  it('gives the manifests of many sources in the order of their paths', async () => {
    const folders = Array.from({ length: 12 }, (_, index) => `k8s/${String.fromCharCode(97 + index)}`);
    write(...folders.map((folder) => `${folder}/recipe.txt`));
    expect((await discover(recipes(), 'k8s')).names).toEqual(folders.map((folder) => `${folder}/made`));
  });
});
