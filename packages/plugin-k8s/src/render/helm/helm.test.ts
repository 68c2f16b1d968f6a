import { join } from 'node:path';
import type { RenderOptions } from '@bylaw/core/resource';
import { describe, expect, it } from 'vitest';
import { folderWith, nodeProgram } from '../testing/files.test-support.js';
import { packedChart } from '../testing/packed-chart.test-support.js';
import { contentOf, noHelm, OPTIONS, SETTINGS } from '../testing/render.test-support.js';
import { helmRenderer } from './helm.js';

const CHART = 'apiVersion: v2\nname: web\nversion: 1.0.0\n';
const configMap = (name: string, data = '') => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${data}`;

const WEB = {
  'Chart.yaml': CHART,
  'values.yaml': 'name: default\nport: 80\n',
  'templates/a.yaml': configMap('"{{ .Release.Name }}-{{ .Values.name }}"', 'data:\n  port: {{ .Values.port | quote }}\n'),
  'templates/_helpers.tpl': '{{ define "x" }}{{ end }}',
  'templates/NOTES.txt': 'Thank you.',
};

/** The chart of these files, as the user knows it under `apps/web`. */
async function render(files: { [path: string]: string }, options: Partial<RenderOptions> = {}, settings: Partial<typeof SETTINGS> = {}) {
  const folder = folderWith(files);
  const rendered = await helmRenderer({ ...SETTINGS, ...settings }).render(folder, 'apps/web', { ...OPTIONS, ...options });
  return { ...(await contentOf(rendered)), inputs: rendered.inputs, folder, covers: rendered.covers, madeFrom: rendered.madeFrom };
}

describe('recognising a chart', () => {
  it('takes a folder with a Chart.yaml, and a packed chart that is named', () => {
    const { recognises } = helmRenderer(SETTINGS);
    expect(recognises('x', ['Chart.yaml', 'a.yaml'])).toBe(true);
    expect(recognises('x.tgz', ['chart.yaml'])).toBe(false);
    expect([recognises('web-1.0.0.tgz'), recognises('web.tar.gz'), recognises('web.zip')]).toEqual([true, true, false]);
  });
});

describe.skipIf(noHelm)('rendering a chart (needs helm on the PATH)', () => {
  it('gives the objects of its templates, each under the file of the template', async () => {
    const { objects, errors, inputs } = await render(WEB);
    expect(errors).toEqual([]);
    expect(objects).toMatchObject([
      { name: 'release-name-default', source: { file: 'apps/web/templates/a.yaml', line: 1, column: 1, rendered: 'apps/web' } },
    ]);
    expect(inputs).toMatchObject([{ file: 'apps/web/templates/a.yaml', explicit: true, rendered: 'apps/web' }]);
  });

  it('knows the templates and definitions of the charts that it depends on', async () => {
    const definition = 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: x\n';
    const { names, covers, folder } = await render({
      ...WEB,
      'charts/db/Chart.yaml': CHART.replace('web', 'db'),
      'charts/db/templates/b.yaml': configMap('b'),
      'crds/deep/x.yaml': definition,
    });
    expect(names).toEqual([
      'apps/web/charts/db/templates/b.yaml ConfigMap/b',
      'apps/web/crds/deep/x.yaml CustomResourceDefinition/x',
      'apps/web/templates/a.yaml ConfigMap/release-name-default',
    ]);
    expect(covers).toEqual([join(folder, 'crds/deep/x.yaml')]);
  });

  it('names the chart and the files of values that it was made from', async () => {
    const values = folderWith({ 'prod.yaml': 'name: prod\n' });
    const { madeFrom, folder } = await render(WEB, { values: [join(values, 'prod.yaml')] });
    expect(madeFrom).toEqual([folder, join(values, 'prod.yaml')]);
  });

  it('passes values, release, namespace, version and APIs on', async () => {
    const values = folderWith({ 'one,"two".yaml': 'name: from-file\nport: 1\n', 'three.yaml': 'port: 3\n' });
    const files = ['one,"two".yaml', 'three.yaml'].map((file) => join(values, file));
    const more =
      '  ns: {{ .Release.Namespace }}\n  api: {{ .Capabilities.APIVersions.Has "x.dev/v1" | quote }}\n  kube: {{ .Capabilities.KubeVersion.Minor | quote }}\n  set: {{ .Values.a.b | quote }}\n  text: {{ .Values.c | quote }}\n';
    const chart = { ...WEB, 'templates/a.yaml': `${WEB['templates/a.yaml']}${more}` };
    const { objects } = await render(chart, {
      values: files,
      release: 'shop',
      namespace: 'prod',
      kubeVersion: '1.31',
      apiVersions: ['y.dev/v1', 'x.dev/v1'],
      set: ['a.b=1', 'unused=2'],
      setString: ['c=007'],
    });
    expect(objects).toMatchObject([
      { name: 'shop-from-file', object: { data: { port: '3', ns: 'prod', api: 'true', kube: '31', set: '1', text: '007' } } },
    ]);
    const configured = await render(
      chart,
      { set: ['a.b=1'] },
      { helm: { ...SETTINGS.helm, release: 'configured', values: files, kube_version: 'v1.30.1', api_versions: ['x.dev/v1'] } },
    );
    expect(configured.objects).toMatchObject([{ name: 'configured-from-file', object: { data: { api: 'true', kube: '30' } } }]);
  });

  it('leaves tests out unless they are asked for, and keeps other hooks', async () => {
    const hook = (name: string, kind: string) =>
      configMap(name).replace('metadata:\n', `metadata:\n  annotations: {"helm.sh/hook": ${kind}}\n`);
    const chart = { ...WEB, 'templates/tests/t.yaml': hook('t', 'test'), 'templates/h.yaml': hook('h', 'pre-install') };
    const install = ['apps/web/templates/a.yaml ConfigMap/release-name-default', 'apps/web/templates/h.yaml ConfigMap/h'];
    expect((await render(chart)).names).toEqual(install);
    const withTests = await render(chart, {}, { helm: { ...SETTINGS.helm, tests: true } });
    expect(withTests.names).toEqual([...install, 'apps/web/templates/tests/t.yaml ConfigMap/t']);
  });

  it('keeps the comments that accept findings', async () => {
    const template =
      '# bylaw:ignore CS-001 {{ .Values.name }}\napiVersion: v1\nkind: Pod\nspec:\n  # bylaw:ignore CS-002 known\n  containers: []\n';
    const { objects } = await render({ ...WEB, 'templates/a.yaml': template });
    expect(objects[0]?.ignoreComments).toMatchObject([
      { ruleId: 'CS-001', reason: 'default', pointer: '' },
      { ruleId: 'CS-002', reason: 'known', pointer: '/spec/containers' },
    ]);
  });

  it('renders a packed chart, under the name of the file', async () => {
    const folder = folderWith({ 'web.tgz': '' });
    const path = join(folder, 'web.tgz');
    packedChart(path, WEB);
    const rendered = await contentOf(await helmRenderer(SETTINGS).render(path, 'dist/web.tgz', OPTIONS));
    expect(rendered).toMatchObject({ names: ['dist/web.tgz/templates/a.yaml ConfigMap/release-name-default'], errors: [] });
    const broken = await helmRenderer(SETTINGS).render(join(folderWith({ 'x.tgz': 'no archive' }), 'x.tgz'), 'x.tgz', OPTIONS);
    expect(broken.errors).toMatchObject([{ code: 'render-failed', location: { file: 'x.tgz', line: 1, column: 1 } }]);
  });

  it('leaves out the templates of a library chart, and says which', async () => {
    const library = { ...WEB, 'Chart.yaml': `${CHART}type: library\n` };
    const folder = folderWith(library);
    const rendered = await helmRenderer(SETTINGS).render(folder, 'lib', OPTIONS);
    expect(rendered).toEqual({ inputs: [], errors: [], covers: [], leftOut: [join(folder, 'templates/a.yaml')] });
    const path = join(folderWith(), 'lib.tgz');
    packedChart(path, library);
    expect(await helmRenderer(SETTINGS).render(path, 'lib.tgz', OPTIONS)).toMatchObject({ errors: [], leftOut: [path] });
  });

  it('says which templates .helmignore hides, and does not cover definitions that it hides', async () => {
    const definition = 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: ';
    const folder = folderWith({
      ...WEB,
      '.helmignore': '# hidden\nhidden.yaml\ntemplates/sub/\n',
      'templates/hidden.yaml': WEB['templates/a.yaml'],
      'templates/sub/b.yaml': WEB['templates/a.yaml'],
      'crds/a.yaml': `${definition}a }\n`,
      'crds/hidden.yaml': `${definition}b }\n`,
    });
    const { covers, leftOut, inputs } = await helmRenderer(SETTINGS).render(folder, 'web', OPTIONS);
    expect(inputs.map(({ file }) => file)).toEqual(['web/crds/a.yaml', 'web/templates/a.yaml']);
    expect(covers).toEqual([join(folder, 'crds/a.yaml')]);
    expect(leftOut).toEqual([join(folder, 'templates/hidden.yaml'), join(folder, 'templates/sub/b.yaml')]);
  });

  it('says which templates hold objects that Helm never shows: partials that define nothing, and tests', async () => {
    const pod = WEB['templates/a.yaml'];
    const test = 'apiVersion: v1\nkind: Pod\nmetadata: { name: t, annotations: { "helm.sh/hook": test } }\n';
    const files = {
      ...WEB,
      'templates/_hidden.yaml': pod,
      'templates/_defined.yaml': `{{- define "x" }}\n${pod}\n{{- end }}\n`,
      'templates/tests/test.yaml': test,
      'templates/off.yaml': `{{ if false }}\n${pod}\n{{ end }}\n`,
    };
    const folder = folderWith(files);
    const { leftOut } = await helmRenderer(SETTINGS).render(folder, 'web', OPTIONS);
    expect(leftOut).toEqual([join(folder, 'templates/_hidden.yaml'), join(folder, 'templates/tests/test.yaml')]);
    const withTests = { ...SETTINGS, helm: { ...SETTINGS.helm, tests: true } };
    expect((await helmRenderer(withTests).render(folder, 'web', OPTIONS)).leftOut).toEqual([join(folder, 'templates/_hidden.yaml')]);
  });

  it('believes Chart.yaml, not a template that fails as a library chart would', async () => {
    const template = '{{ fail "library charts are not installable" }}';
    const { names, errors } = await render({ ...WEB, 'templates/b.yaml': template });
    expect(names).toEqual([]);
    expect(errors).toMatchObject([{ code: 'render-failed', message: expect.stringContaining('library charts are not installable') }]);
  });

  it.each([
    ['a value that is required', { 'templates/a.yaml': '{{ required "name it" .Values.nope }}' }, 'name it'],
    ['a template that does not parse', { 'templates/a.yaml': '{{ if }}' }, 'missing value for if'],
    ['a template that gives no YAML', { 'templates/a.yaml': 'a: [\n' }, 'YAML parse error on web/templates/a.yaml'],
    ['values that break the schema', { 'values.schema.json': '{"required":["zone"]}' }, "missing property 'zone'"],
    [
      'a dependency that is not there',
      { 'Chart.yaml': `${CHART}dependencies: [{name: db, version: 1.x, repository: "https://charts.example.com"}]\n` },
      'helm dependency build',
    ],
    ['a chart for another Kubernetes', { 'Chart.yaml': `${CHART}kubeVersion: ">=9"\n` }, 'requires kubeVersion: >=9'],
    ['a Chart.yaml that is none', { 'Chart.yaml': '[]' }, 'Chart.yaml'],
  ])('says what is wrong: %s', async (_what, files, message) => {
    const { names, errors, covers } = await render({ ...WEB, 'crds/x.yaml': configMap('x'), ...files });
    expect({ names, covers }).toEqual({ names: [], covers: [] });
    expect(errors).toMatchObject([
      {
        code: 'render-failed',
        message: expect.stringContaining(message),
        location: { file: 'apps/web/Chart.yaml', line: 1, column: 1 },
      },
    ]);
    expect(errors[0]?.message).toMatch(/^This Helm chart does not render: .* To reproduce: helm template apps\/web$/);
  });

  it('does not repeat secrets in what it says', async () => {
    const chart = { ...WEB, 'templates/a.yaml': '{{ fail (print .Values.plain .Values.db.password .Values.token) }}' };
    const values = join(folderWith({ 'v.yaml': 'plain: shown\ndb: {password: hunter2}\n' }), 'v.yaml');
    const { errors } = await render(chart, { values: [values], set: ['token=t0k3n'] });
    expect(errors[0]?.message).toContain('shown******');
    expect(errors[0]?.message).not.toMatch(/hunter2|t0k3n/);
  });

  it('never uses the network, whatever a schema refers to', async () => {
    const schema = '{"properties":{"name":{"$ref":"https://schemas.example.com/x.json"}}}';
    const { errors } = await render({ ...WEB, 'values.schema.json': schema });
    expect(errors).toMatchObject([{ code: 'render-network', message: expect.stringContaining('--render-network') }]);
  });

  it('starts no plugin and reads nothing of the user', async () => {
    const home = folderWith({
      'plugins/evil/plugin.yaml': 'name: evil\nversion: 1.0.0\nusage: x\ndescription: x\ncommand: "false"\n',
      'repositories.yaml': 'no',
    });
    const env = {
      ...process.env,
      HELM_PLUGINS: join(home, 'plugins'),
      HELM_REPOSITORY_CONFIG: join(home, 'repositories.yaml'),
      HELM_NAMESPACE: 'x',
      KUBECONFIG: join(home, 'none'),
    };
    expect(await render(WEB, {}, { env })).toMatchObject({ errors: [], objects: [{ name: 'release-name-default' }] });
  });

  it('gives the same bytes each time', async () => {
    const text = async () => {
      const { inputs } = await render(WEB);
      return Buffer.concat(await Array.fromAsync(inputs[0]?.open() ?? [])).toString();
    };
    expect(await text()).toBe(await text());
  });
});

describe('a program that fails', () => {
  const run = async (script: string, settings: Partial<typeof SETTINGS> = {}) => {
    const program = nodeProgram(folderWith(), 'helm', script);
    return render(WEB, {}, { ...settings, env: { SVC_HELM: program } });
  };

  it('is stopped when it takes too long or writes too much', async () => {
    expect((await run('setInterval(() => {}, 1000)', { timeout_ms: 500 })).errors).toMatchObject([
      { code: 'render-limit', message: expect.stringContaining('within 0.5 s') },
    ]);
    expect((await run('console.log("x".repeat(2e6))')).errors).toMatchObject([
      { code: 'render-limit', message: expect.stringContaining('more than 1,000,000 bytes') },
    ]);
  });

  it('is named when it is missing, with what to install', async () => {
    const { errors } = await render(WEB, {}, { env: { PATH: '/nonexistent' } });
    expect(errors).toMatchObject([{ code: 'render-program-missing', location: { file: 'apps/web/Chart.yaml' } }]);
    expect(errors[0]?.message).toMatch(/Install Helm.*helm template apps\/web \| bylaw evaluate -$/);
  });

  it('gets its arguments apart from options, and names of files as one', async () => {
    const { errors } = await run('console.error(JSON.stringify(process.argv.slice(2))); process.exit(1)');
    expect(errors[0]?.message).toContain('"--namespace=default","--","release-name","apps/web"]');
  });
});
