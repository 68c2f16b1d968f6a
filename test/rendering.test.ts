import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { onPath } from './on-path.js';
import { bylaw, folderOf, serveBylaw, startBylaw } from './run-cli.js';

const absent = !onPath('helm') || !(onPath('kustomize') || onPath('kubectl'));

const pod = (name: string, image: string, more = '') =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\nspec:\n  hostPID: true\n  containers:\n    - name: app\n      image: ${image}\n${more}`;

/** A chart, a base with two overlays, and a manifest of its own. */
const PROJECT = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'chart/values.yaml': 'tag: "1.0"\n',
  'chart/templates/web.yaml': `# bylaw:ignore CS-003 rendered comments count\n${pod('{{ .Release.Name }}', 'registry.example.com/web:{{ .Values.tag }}')}`,
  'k8s/base/kustomization.yaml': 'resources: [pod.yaml]\n',
  'k8s/base/pod.yaml': pod('base', 'registry.example.com/base:1.0'),
  'k8s/dev/kustomization.yaml': 'resources: [../base]\nnamePrefix: dev-\n',
  'k8s/prod/kustomization.yaml': 'resources: [../base]\nnamePrefix: prod-\nimages: [{name: registry.example.com/base, newTag: latest}]\n',
  'plain.yaml': pod('plain', 'registry.example.com/plain:1.0'),
};

interface Row {
  rule_id: string;
  status: string;
  resource: { name: string };
  location: { file: string; line: number; column: number; rendered_from?: string };
}

/** Who breaks a rule, and where it stands. */
function places(stdout: string, rule: string): string[] {
  const { findings }: { findings: Row[] } = JSON.parse(stdout);
  return findings
    .filter(({ rule_id }) => rule_id === rule)
    .map(
      ({ resource, status, location: { file, line, rendered_from } }) =>
        `${status} ${resource.name} ${file}:${line} ${rendered_from ?? ''}`,
    );
}

describe.skipIf(absent)('a project with a chart and kustomizations (needs helm, and kustomize or kubectl, on the PATH)', () => {
  it('is evaluated by what it renders to, each once, and the files of its own by what they are', async () => {
    const { code, stdout } = await bylaw(['evaluate', '.', '--json'], { cwd: folderOf(PROJECT) });
    expect(JSON.parse(stdout).errors).toEqual([]);
    // hostPID
    expect(places(stdout, 'CS-003')).toEqual([
      'suppressed release-name chart/templates/web.yaml:1 chart',
      'fail dev-base k8s/base/pod.yaml:1 k8s/dev',
      'fail prod-base k8s/base/pod.yaml:1 k8s/prod',
      'fail plain plain.yaml:6 ',
    ]);
    // the tag latest, which only an overlay sets
    expect(places(stdout, 'SC-001')).toEqual(['fail prod-base k8s/base/pod.yaml:1 k8s/prod']);
    expect(code).toBe(1);
  });

  it('is rendered with the values of the command line, or of the configuration', async () => {
    const cwd = folderOf({ ...PROJECT, 'values/latest.yaml': 'tag: latest\n' });
    const byFlag = await bylaw(['evaluate', 'chart', '--helm-values', 'values/latest.yaml', '--helm-release', 'shop', '--json'], { cwd });
    expect(places(byFlag.stdout, 'SC-001')).toEqual(['fail shop chart/templates/web.yaml:1 chart']);
    const bySet = await bylaw(['evaluate', 'chart', '--helm-set', 'tag=latest', '--json'], { cwd });
    expect(places(bySet.stdout, 'SC-001')).toHaveLength(1);
    const configured = folderOf({ ...PROJECT, 'latest.yaml': 'tag: latest\n', 'bylaw.yaml': 'render: {helm: {values: [latest.yaml]}}\n' });
    expect(places((await bylaw(['evaluate', '.', '--json'], { cwd: join(configured, 'chart') })).stdout, 'SC-001')).toHaveLength(1);
  });

  it('has exceptions by the name of the template', async () => {
    const cwd = folderOf({ ...PROJECT, 'bylaw.yaml': 'exceptions: [{rule: CS-003, file: "k8s/base/*", reason: known}]\n' });
    const { stdout } = await bylaw(['evaluate', 'k8s', '--json'], { cwd });
    expect(places(stdout, 'CS-003').every((place) => place.startsWith('suppressed'))).toBe(true);
  });

  it('is not rendered where that is not wanted: the chart is then an error, and kustomizations are files', async () => {
    const cwd = folderOf(PROJECT);
    const { code, stdout } = await bylaw(['evaluate', '.', '--no-render', '--json'], { cwd });
    expect(JSON.parse(stdout).errors).toMatchObject([{ code: 'template-not-rendered', location: { file: 'chart/Chart.yaml' } }]);
    expect(places(stdout, 'CS-003')).toEqual(['fail base k8s/base/pod.yaml:6 ', 'fail plain plain.yaml:6 ']);
    expect(code).toBe(2);
    const configured = folderOf({ ...PROJECT, 'bylaw.yaml': 'render: {enabled: false}\n' });
    expect((await bylaw(['evaluate', '.', '--json'], { cwd: configured })).stdout).toBe(stdout);
  });

  it('is compared as it renders', async () => {
    const current = folderOf(PROJECT);
    const proposed = folderOf({ ...PROJECT, 'chart/values.yaml': 'tag: latest\n' });
    const { code, stdout } = await bylaw(['validate', join(current, 'chart'), join(proposed, 'chart'), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'regressed', changes: [{ paths: ['/spec/containers/0/image'] }] });
    expect(places(JSON.stringify({ findings: JSON.parse(stdout).introduced }), 'SC-001')).toHaveLength(1);
    expect(code).toBe(1);
  });

  describe('with a server', () => {
    let url: string;
    beforeAll(async () => {
      const server = await serveBylaw({ env: { PATH: '/nonexistent' } });
      url = server.url;
      return server.stop;
    });

    it.each([
      ['evaluate . --json', ''],
      ['evaluate . --format text', ''],
      ['evaluate . --format sarif', 'note: Suppressed: 1 finding (comment 1) in chart/templates/web.yaml 1.\n'],
      ['validate k8s/dev k8s/prod --json', ''],
    ])('is rendered on this side, and evaluated the same, byte by byte: %s', async (line, note) => {
      const cwd = folderOf(PROJECT);
      const here = await bylaw(line.split(' '), { cwd });
      expect(await bylaw([...line.split(' '), '--remote', url], { cwd })).toEqual(here);
      expect(here.stderr).toBe(note);
    });
  });

  it('shows in reports what was rendered, and no line that the file does not have', async () => {
    const cwd = folderOf(PROJECT);
    const report = async (format: string) => (await bylaw(['evaluate', 'k8s', '--rule', 'CS-003', '--format', format], { cwd })).stdout;
    expect(await report('text')).toContain('k8s/base/pod.yaml (rendered from k8s/prod)');
    const [result] = JSON.parse(await report('sarif')).runs[0].results;
    expect(result).toMatchObject({ properties: { rendered_from: 'k8s/dev' } });
    expect(result.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'k8s/base/pod.yaml' },
      region: { startLine: 1, startColumn: 1 },
    });
    const issues: { fingerprint: string }[] = JSON.parse(await report('gitlab'));
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(2);
    expect(await report('github')).toMatch(/^::error file=k8s\/base\/pod.yaml,line=1,col=1,/);
  });
});

describe('a machine without helm and kustomize', () => {
  it('says what to install, and evaluates everything else', async () => {
    const cwd = folderOf(PROJECT);
    const { code, stdout } = await bylaw(['evaluate', '.', '--json'], { cwd, env: { PATH: '/nonexistent' } });
    const errors: { code: string; location: { file: string } }[] = JSON.parse(stdout).errors;
    expect(errors.map(({ code, location }) => [code, location.file])).toEqual([
      ['render-program-missing', 'chart/Chart.yaml'],
      ['render-program-missing', 'k8s/dev/kustomization.yaml'],
      ['render-program-missing', 'k8s/prod/kustomization.yaml'],
    ]);
    expect(places(stdout, 'CS-003')).toEqual(['fail base k8s/base/pod.yaml:6 ', 'fail plain plain.yaml:6 ']);
    expect(code).toBe(2);
  });

  it('refuses wrong flags before it reads anything', async () => {
    const cwd = folderOf(PROJECT);
    const release = await bylaw(['evaluate', 'chart', '--helm-release', '--post-renderer=./x'], { cwd });
    expect(release).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--helm-release must be a valid Helm release name'),
    });
    const values = await bylaw(['evaluate', 'chart', '--helm-values', 'https://example.com/v.yaml'], { cwd });
    expect(values).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Cannot read the values file https://example.com/v.yaml'),
    });
  });

  it('takes no program from the configuration of the project', async () => {
    const cwd = folderOf({ ...PROJECT, 'bylaw.yaml': 'render: {helm: {program: ./evil}}\n' });
    expect(await bylaw(['evaluate', '.'], { cwd })).toMatchObject({ code: 3, stderr: expect.stringContaining('program') });
  });
});

describe('an interrupted run', () => {
  it('ends the program that renders, leaves nothing behind, and ends as the signal says', async () => {
    const hang = `#!${process.execPath}\nrequire('fs').writeFileSync(process.env.HOME + '/../started', String(process.pid)); setInterval(() => {}, 1000);\n`;
    const cwd = folderOf({ ...PROJECT, 'tmp/.keep': '', 'bin/helm': hang });
    chmodSync(join(cwd, 'bin/helm'), 0o755);
    const child = startBylaw(['evaluate', 'chart'], { cwd, env: { SVC_HELM: join(cwd, 'bin/helm'), TMPDIR: join(cwd, 'tmp') } });
    await vi.waitFor(() => expect(existsSync(join(cwd, 'tmp/started'))).toBe(true), { timeout: 30_000 });
    child.kill('SIGINT');
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGINT');
    const pid = Number(readFileSync(join(cwd, 'tmp/started'), 'utf8'));
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false));
    expect(readdirSync(join(cwd, 'tmp')).filter((name) => name.startsWith('bylaw'))).toEqual([]);
  });
});

/** A process that nobody has waited for yet is dead all the same. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !(existsSync(`/proc/${pid}/stat`) && readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '));
}
