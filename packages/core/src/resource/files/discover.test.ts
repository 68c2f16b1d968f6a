import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Discovery, discoverInputs } from './discover.js';

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'bylaw-discover-')));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function write(...files: (string | [string, string])[]): void {
  for (const file of files) {
    const [path, content] = typeof file === 'string' ? [file, 'a: 1\n'] : file;
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
  }
}

async function discover(...paths: string[]): Promise<Discovery> {
  return discoverInputs(paths, { cwd });
}

function names(discovery: Discovery): string[] {
  return discovery.inputs.map((input) => input.file);
}

async function read(open: () => AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of open()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('discovering inputs', () => {
  it('takes the files that are named, in the order of the command line, once each', async () => {
    write('b.yaml', 'a.yaml', 'notes.txt');
    const found = await discover('b.yaml', './a.yaml', 'notes.txt', 'b.yaml', join(cwd, 'a.yaml'));
    expect(names(found)).toEqual(['b.yaml', 'a.yaml', 'notes.txt']);
    expect(found.inputs.every((input) => input.explicit && input.size === 5)).toBe(true);
    expect(found.errors).toEqual([]);
  });

  it('walks a directory for YAML and JSON of any letter case, sorted by the bytes of the path', async () => {
    write('k8s/b.yaml', 'k8s/B.YML', 'k8s/a/z.json', 'k8s/é.yaml', 'k8s/a.txt', 'k8s/.hidden/h.yaml', 'k8s/Kustomization');
    const found = await discover('k8s');
    expect(names(found)).toEqual(['k8s/.hidden/h.yaml', 'k8s/B.YML', 'k8s/Kustomization', 'k8s/a/z.json', 'k8s/b.yaml', 'k8s/é.yaml']);
    expect(found.inputs.some((input) => input.explicit)).toBe(false);
  });

  it('shows paths as they were named', async () => {
    write('k8s/a.yaml');
    expect(names(await discover('.'))).toEqual(['k8s/a.yaml']);
    expect(names(await discover('./k8s/'))).toEqual(['k8s/a.yaml']);
    expect(names(await discover(join(cwd, 'k8s')))).toEqual([join(cwd, 'k8s/a.yaml')]);
    expect(names(await discoverInputs(['../k8s'], { cwd: join(cwd, 'k8s') }))).toEqual(['../k8s/a.yaml']);
  });

  it('knows a file that is found and then named as named', async () => {
    write('k8s/a.yaml');
    expect((await discover('k8s', 'k8s/a.yaml')).inputs).toMatchObject([{ file: 'k8s/a.yaml', explicit: true }]);
  });

  it('leaves out what Git ignores, from the root of the repository down, .git and node_modules', async () => {
    mkdirSync(join(cwd, '.git'));
    write(['.gitignore', 'out/\n*.gen.yaml\n'], ['apps/.gitignore', '/local.yaml\n!keep.gen.yaml\n']);
    write('apps/a.yaml', 'apps/local.yaml', 'apps/sub/local.yaml', 'apps/x.gen.yaml', 'apps/keep.gen.yaml', 'apps/out/o.yaml');
    write('apps/node_modules/m.yaml', 'apps/module/.git/config.yaml');
    expect(names(await discover('apps'))).toEqual(['apps/a.yaml', 'apps/keep.gen.yaml', 'apps/sub/local.yaml']);
  });

  it('reads a directory that Git ignores when it is named', async () => {
    mkdirSync(join(cwd, '.git'));
    write(['.gitignore', 'rendered/\n'], 'rendered/a.yaml');
    expect(names(await discover('rendered'))).toEqual(['rendered/a.yaml']);
    expect(names(await discover('rendered/*.yaml'))).toEqual(['rendered/a.yaml']);
  });

  it('ignores the .gitignore of a directory above the repository', async () => {
    mkdirSync(join(cwd, 'repo/.git'), { recursive: true });
    write(['.gitignore', '*.yaml\n'], 'repo/a.yaml');
    expect(names(await discover('repo'))).toEqual(['repo/a.yaml']);
  });

  it('expands patterns, and leaves out what a walk would leave out', async () => {
    mkdirSync(join(cwd, '.git'));
    write(['.gitignore', 'out/\n'], 'x/a.yaml', 'x/b/c.yml', 'x/out/o.yaml', 'x/node_modules/m.yaml', 'x/t.txt');
    expect(names(await discover('x/**/*'))).toEqual(['x/a.yaml', 'x/b/c.yml']);
    expect(names(await discover('x/*.{yaml,yml}'))).toEqual(['x/a.yaml']);
    expect((await discover('x/*.yaml')).inputs[0]?.explicit).toBe(false);
  });

  it('takes a file whose name looks like a pattern', async () => {
    write('a[1].yaml');
    expect(names(await discover('a[1].yaml'))).toEqual(['a[1].yaml']);
  });

  it('reads a mounted ConfigMap, which is made of links, once', async () => {
    write('mount/..2026/a.yaml');
    symlinkSync('..2026', join(cwd, 'mount/..data'));
    symlinkSync('..data/a.yaml', join(cwd, 'mount/a.yaml'));
    expect(names(await discover('mount'))).toEqual(['mount/..2026/a.yaml']);
  });

  it('gives one error per Helm chart, and still finds its custom resource definitions', async () => {
    write('apps/web/Chart.yaml', 'apps/web/values.yaml', 'apps/web/values-prod.yaml', 'apps/web/templates/deployment.yaml');
    write('apps/web/charts/db/Chart.yaml', 'apps/web/charts/db/templates/x.yaml', 'apps/web/crds/crd.yaml', 'apps/plain.yaml');
    const found = await discover('apps');
    const data = found.inputs.filter(({ use }) => use === 'data').map(({ file }) => file);
    expect(data).toEqual(['apps/web/Chart.yaml', 'apps/web/values-prod.yaml', 'apps/web/values.yaml']);
    expect(names(found).filter((file) => !data.includes(file))).toEqual(['apps/plain.yaml', 'apps/web/crds/crd.yaml']);
    expect(found.errors).toMatchObject([
      {
        code: 'template-not-rendered',
        message: expect.stringContaining('helm template apps/web | bylaw evaluate -'),
        location: { file: 'apps/web/Chart.yaml' },
      },
    ]);
    expect((await discover('apps/web/templates')).errors).toMatchObject([{ code: 'template-not-rendered' }]);
    const matched = await discover('apps/**/*.yaml');
    expect(names(matched)).toEqual(['apps/plain.yaml', 'apps/web/crds/crd.yaml']);
    expect(matched.errors).toMatchObject([{ code: 'template-not-rendered', location: { file: 'apps/web/Chart.yaml' } }]);
  });

  it('knows the files that a kustomization uses as patches, unless they are named', async () => {
    const kustomization = [
      'resources: [deployment.yaml]',
      'patchesStrategicMerge: [merge.yaml, "kind: X\\nmetadata: {}"]',
      'patches: [{path: ../patches/replicas.yaml}, {patch: "- op: remove"}]',
      'patchesJson6902: [{path: json.yaml}]',
    ].join('\n');
    write(['app/base/kustomization.yaml', kustomization], 'app/base/deployment.yaml', 'app/base/merge.yaml', 'app/base/json.yaml');
    write('app/patches/replicas.yaml', ['app/broken/kustomization.yaml', 'a: [']);
    const patches = ['app/base/json.yaml', 'app/base/merge.yaml', 'app/patches/replicas.yaml'];
    const patchesIn = ({ inputs }: Discovery) => inputs.filter(({ use }) => use === 'patch').map(({ file }) => file);
    expect(patchesIn(await discover('app'))).toEqual(patches);
    expect(patchesIn(await discover('app/**/*.yaml'))).toEqual(patches);
    expect((await discover('app/base/merge.yaml')).inputs).toMatchObject([{ file: 'app/base/merge.yaml', explicit: true }]);
    expect(patchesIn(await discover('app', 'app/base/merge.yaml'))).toEqual(['app/base/json.yaml', 'app/patches/replicas.yaml']);
  });

  it('reads standard input once, and lets it be opened again', async () => {
    let opened = 0;
    const stdin = async function* () {
      opened++;
      yield Buffer.from('a: ');
      yield Buffer.from('1\n');
    };
    const { inputs } = await discoverInputs(['-', '-'], { cwd, stdin });
    expect(inputs).toMatchObject([{ file: '<stdin>', explicit: true }]);
    expect(opened).toBe(0);
    const [input] = inputs;
    expect([await read(() => input?.open() ?? stdin()), await read(() => input?.open() ?? stdin())]).toEqual(['a: 1\n', 'a: 1\n']);
    expect(opened).toBe(1);
  });

  it('says what is missing, and finds the rest', async () => {
    write('a.yaml', 'empty/notes.txt');
    const found = await discover('missing.yaml', 'a.yaml', 'empty', 'no/*.yaml', 'a.yaml/b');
    expect(names(found)).toEqual(['a.yaml']);
    expect(found.errors.map(({ code, location }) => [code, location?.file])).toEqual([
      ['path-not-found', 'missing.yaml'],
      ['no-manifests', 'empty'],
      ['no-manifests', 'no/*.yaml'],
      ['path-not-found', 'a.yaml/b'],
    ]);
    expect(found.errors.every((error) => !error.message.includes(cwd))).toBe(true);
  });
});
