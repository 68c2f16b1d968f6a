import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CATEGORY_PACKAGES } from '@bylaw/core/rule';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { filesShownIn } from './markdown.js';
import { bylaw, bylawAlone, type CliOptions, folderOf, ROOT, serveBylaw, toolAnswer } from './run-cli.js';

const PACKAGES = ['core', 'cli', 'plugin-k8s', 'plugin-cloud', 'plugin-finops', 'plugin-carbon', 'plugin-gate'];
const ABSENT = ['cloud', 'finops', 'carbon', 'gate'];
const POD =
  'apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec:\n  containers: [{ name: a, image: nginx, securityContext: { privileged: true } }]\n';

interface OpenApi {
  tags: { name: string; description: string }[];
  components: { schemas: { Comparison: { properties: object } } };
}

let tarballs: { [name: string]: string };
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bylaw-packed-'));
  const workspaces = PACKAGES.flatMap((name) => ['--workspace', `packages/${name}`]);
  const packed = JSON.parse(npm(['pack', '--json', '--pack-destination', folder, ...workspaces, '--include-workspace-root'], ROOT));
  // npm 12 answers an object by name, earlier ones a list.
  const described: { name: string; filename: string }[] = Array.isArray(packed) ? packed : Object.values(packed);
  tarballs = Object.fromEntries(described.map(({ name, filename }) => [name, join(folder, filename.replace('@', '').replace('/', '-'))]));
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packages', () => {
  it('are all packed', () => {
    expect(readdirSync(join(ROOT, 'packages')).sort()).toEqual([...PACKAGES].sort());
    expect(Object.keys(tarballs).sort()).toEqual(['bylaw', ...PACKAGES.map((name) => `@bylaw/${name}`)].sort());
  });

  it.each(['bylaw', ...PACKAGES.map((name) => `@bylaw/${name}`)])('%s holds no test, no source and no trace of this machine', (name) => {
    const unpacked = mkdtempSync(join(tmpdir(), 'bylaw-unpacked-'));
    onTestFinished(() => rmSync(unpacked, { recursive: true, force: true }));
    execFileSync('tar', ['-xzf', tarballs[name] ?? '', '-C', unpacked]);
    const files = readdirSync(unpacked, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map((entry) => entry.name).filter((file) => /\.test[.-]|\.tsbuildinfo$|(?<!\.d)\.ts$/.test(file))).toEqual([]);
    for (const { parentPath, name: file } of files) expect(readFileSync(join(parentPath, file), 'utf8')).not.toContain(ROOT.slice(0, -1));
  });
});

describe('the slim distribution: core, the command line and one plugin', () => {
  let here: CliOptions;
  beforeAll(() => {
    const cwd = installed('slim', ['@bylaw/core', '@bylaw/cli', '@bylaw/plugin-k8s']);
    here = { cwd, bin: join(cwd, 'node_modules', '@bylaw', 'cli', 'bin', 'run.js') };
  }, 300_000);

  it('has the rules of its plugin, and knows the other categories as empty', async () => {
    const own = JSON.parse((await bylawAlone(['rules', '--json'], here)).stdout);
    const all = JSON.parse((await bylaw(['rules', '--json'])).stdout);
    const ofKubernetes = all.rules.filter(
      ({ category }: { category: keyof typeof CATEGORY_PACKAGES }) => CATEGORY_PACKAGES[category] === '@bylaw/plugin-k8s',
    );
    expect(ofKubernetes.length).toBeGreaterThan(0);
    expect(own.rules).toEqual(ofKubernetes);
    for (const category of ['AWS', 'AZ', 'GCP', 'FO', 'CB']) {
      const { code, stdout } = await bylawAlone(['rules', '--category', category, '--json'], here);
      expect(JSON.parse(stdout)).toEqual({ rules: [], total: 0, installed: 0, not_installed: [category] });
      expect(code).toBe(0);
    }
  });

  it('evaluates', async () => {
    const { code, stdout, stderr } = await bylawAlone(['evaluate', '-', '--json'], { ...here, input: POD });
    expect(JSON.parse(stdout).findings.map((finding: { rule_id: string }) => finding.rule_id)).toContain('CS-001');
    expect(stderr).toBe('');
    expect(code).toBe(1);
  });

  it('says what brings the commands that install plugins', async () => {
    const { code, stderr } = await bylawAlone(['plugins', 'install', 'bylaw-plugin-x'], here);
    expect(stderr).toContain('`@oclif/plugin-plugins`');
    expect(code).toBe(2);
  });

  it('has the commands that other packages brought to it', async () => {
    expect((await bylawAlone(['help', 'evaluate'], here)).stdout).toContain('USAGE');
    expect((await bylawAlone(['version'], here)).stdout).toBe((await bylawAlone(['--version'], here)).stdout);
    expect((await bylawAlone(['autocomplete', 'bash'], here)).stdout).toContain('bylaw');
  });

  it('names the licences of what is bundled, and brings few packages beside it', () => {
    const modules = join(here.cwd ?? '', 'node_modules');
    expect(readFileSync(join(modules, '@bylaw', 'core', 'lib', 'THIRD-PARTY-LICENSES.txt'), 'utf8')).toContain('@oclif/core');
    const brought = readdirSync(modules).filter((name) => !name.startsWith('.'));
    expect(brought).toContain('ajv');
    expect(brought).not.toContain('@oclif');
    expect(brought.length).toBeLessThan(60);
  });

  it('compares without what absent plugins would add', async () => {
    const cwd = folderOf({ 'a.yaml': POD, 'b.yaml': POD.replace('name: p', 'name: q') });
    const { stdout, stderr } = await bylawAlone(['validate', 'a.yaml', 'b.yaml', '--json', '--provider', 'aws'], { ...here, cwd });
    const members = ['introduced', 'resolved', 'unchanged', 'not_comparable', 'changes', 'errors', 'notes', 'unchecked'];
    expect(Object.keys(JSON.parse(stdout))).toEqual(['verdict', 'score', ...members]);
    expect(stderr).toBe('');
    expect((await bylawAlone(['validate', 'a.yaml', 'b.yaml'], { ...here, cwd })).stdout).not.toMatch(/carbon|cost/i);
  });

  it('has no command of an absent plugin', async () => {
    expect(await listed(here)).toEqual(['@bylaw/plugin-k8s']);
    for (const name of ABSENT) {
      const { code, stderr } = await bylawAlone(['init', '--yes', '--plugins', name], here);
      expect(stderr).toContain(`No installed plugin is called \`${name}\``);
      expect(code).toBe(2);
    }
    for (const command of ['check', 'finops', 'carbon'])
      expect((await bylawAlone([command], here)).stderr).toContain(`Unknown command \`bylaw ${command}\``);
  });

  it('serves no route of an absent plugin', async () => {
    const { url, stop } = await serveBylaw(here);
    onTestFinished(stop);
    const health = await (await fetch(`${url}/api/v1/health`)).json();
    expect(health).toMatchObject({ status: 'ok', plugins: [{ name: 'k8s' }] });
    for (const path of ['/api/v1/carbon/estimate', '/api/v1/finops/anomalies', '/v1/proposals']) {
      const response = await fetch(`${url}${path}`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
      expect([path, response.status]).toEqual([path, 404]);
    }
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(paths).filter((path) => /carbon|finops|^\/v1/.test(path))).toEqual([]);
  });

  it('takes a plugin of third parties with its commands and endpoints', async () => {
    const { cwd = '' } = here;
    const plugin = join(cwd, 'node_modules', 'bylaw-plugin-acme');
    onTestFinished(() => rmSync(plugin, { recursive: true }));
    writeAll(plugin, {
      'package.json': JSON.stringify({
        name: 'bylaw-plugin-acme',
        version: '3.2.1',
        type: 'module',
        bylaw: './index.js',
        oclif: { commands: './commands' },
      }),
      'index.js': `import { definePlugin } from '@bylaw/core/plugin';
import { defineEndpoint } from '@bylaw/core/endpoint';
const greet = defineEndpoint({
  id: 'greet', method: 'GET', path: '/api/v1/acme', auth: 'open', tag: 'acme', summary: 'Greets.',
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: { description: 'A greeting.', schema: {} },
  setup: ({ config }) => config.acme,
  run: (_, acme) => acme,
});
export default definePlugin({
  name: 'acme',
  config: { acme: { description: 'Acme.', type: 'object', properties: { greeting: { description: 'What it says.', type: 'string', default: 'hello' } } } },
  endpoints: [greet],
});
`,
      'commands/greet.js': `import { Command } from '@bylaw/core/oclif';\nexport default class Greet extends Command {\n  async run() {\n    this.log('hello');\n  }\n}\n`,
    });
    expect((await bylawAlone(['greet'], here)).stdout).toBe('hello\n');
    const { url, stop } = await serveBylaw(here);
    onTestFinished(stop);
    expect(await (await fetch(`${url}/api/v1/acme`)).json()).toEqual({ greeting: 'hello' });
  });

  it('takes the plugin of the documentation, whose reader and format answer the same through each interface', async () => {
    const { project, there, files } = withExamplePlugin(here);
    const { stdout, code } = await bylawAlone(['evaluate', 'shop', '--category', 'ACME', '--json', '--fail-on', 'LOW'], there);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      findings: [{ rule_id: 'ACME-001', resource: { name: 'jobs' }, location: { file: 'shop/a.inventory', line: 3, column: 6 } }],
      errors: [],
      undecided: [
        { rule_id: 'ACME-001', resource: { name: 'cart' }, path: '/metadata/labels/team', message: 'The team is not assigned yet.' },
      ],
    });
    expect(code).toBe(1);
    expect((await bylawAlone(['directory'], here)).stdout).toBe('https://teams.example.com\n');
    const tasks = `- ACME-001 Deployment jobs (shop/a.inventory:3:6): Set metadata.labels.team to a team that exists.
! Undecided: 1 check: The team is not assigned yet.
PASS: nothing at or above HIGH: 1 medium; 1 check undecided
`;
    const asTasks = ['evaluate', 'shop', '--category', 'ACME', '--format', 'tasks'];
    expect(await bylawAlone(asTasks, there)).toMatchObject({ code: 0, stdout: tasks });
    const { stderr } = await bylawAlone([...asTasks, '--output', 'tasks.txt'], there);
    expect(readFileSync(join(project, 'tasks.txt'), 'utf8')).toBe(tasks);
    expect(stderr).toMatch(/^note: Undecided: 1 check: The team is not assigned yet\.\nwrote tasks\.txt: PASS {2}nothing at or above HIGH/);
    expect((await bylawAlone(['evaluate', '--help'], there)).stdout).toMatch(/gitlab\|tasks>/);
    expect((await bylawAlone(['scan', '--help'], there)).stdout.replace(/\s+/g, ' ')).toContain(
      'Formats of plugins: tasks: one task per finding.',
    );
    expect((await bylawAlone(['evaluate', 'shop', '--format', 'task'], there)).stderr).toContain('gitlab, tasks');
    const { url, stop } = await serveBylaw(here);
    onTestFinished(stop);
    expect((await bylawAlone([...asTasks, '--remote', url], there)).stdout).toBe(tasks);
    expect(await (await fetch(`${url}/api/v1/acme/owners`)).json()).toEqual({ rules: ['ACME-001'] });
    const body = JSON.stringify({ files, categories: ['ACME'] });
    const answer = await fetch(`${url}/api/v1/evaluate`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { findings, undecided, summary } = (await answer.json()) as typeof report;
    expect({ findings, undecided, summary }).toEqual({ findings: report.findings, undecided: report.undecided, summary: report.summary });
  });

  it('takes the plugin of the documentation, whose member of comparisons is the same through each interface', async () => {
    const { project, there, files } = withExamplePlugin(here);
    const { url, stop } = await serveBylaw(here);
    onTestFinished(stop);
    const before = [{ path: 'main/a.inventory', content: 'web payments\njobs payments\n', explicit: false }];
    writeAll(project, { 'main/a.inventory': 'web payments\njobs payments\n' });
    const gap = { current: 0, proposed: 1, added: ['Deployment/jobs'], undecided: ['Deployment/cart'] };
    const sides = JSON.stringify({ current: { files: before }, proposed: { files }, categories: ['ACME'] });
    const response = await fetch(`${url}/api/v1/validate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: sides,
    });
    const compared = await response.text();
    expect(JSON.parse(compared)).toMatchObject({ verdict: 'regressed', ownership_gap: gap });
    const validate = ['validate', 'main', 'shop', '--category', 'ACME'];
    expect((await bylawAlone([...validate, '--json'], there)).stdout).toBe(compared);
    expect((await bylawAlone([...validate, '--json', '--remote', url], there)).stdout).toBe(compared);
    expect(await toolAnswer('validate', JSON.parse(sides), there)).toEqual(JSON.parse(compared));
    const shown = await bylawAlone([...validate, '--fail-on-ownership-gap-increase', '0', '--html', 'page.html'], there);
    expect(shown.stdout).toContain(`
Ownership gap
  Ownership gap: 1 without a known team, 0 before.
    Deployment/jobs: no known team
  The ownership gap of Deployment/cart is unknown: The team is not assigned yet.
`);
    expect(shown.stderr).toBe(`ownership gap rises from zero: --fail-on-ownership-gap-increase allows 0 %.
warning: --fail-on-ownership-gap-increase does not include 1 changed resource with unknown ownership gap.
`);
    expect(readFileSync(join(project, 'page.html'), 'utf8')).toContain('<h2>Ownership gap</h2>');
    expect((await bylawAlone(['validate', '--help'], there)).stdout).toContain('--fail-on-ownership-gap-increase=PERCENT');
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
    expect(document.tags).toContainEqual({ name: 'acme', description: 'Who owns what.' });
    expect(Object.keys(document.components.schemas.Comparison.properties)).toContain('ownership_gap');
    expect(JSON.stringify(document.tags)).not.toMatch(/carbon|finops|gate/);
  });

  it('works without any plugin at all', async () => {
    const { cwd = '' } = here;
    const plugin = join(cwd, 'node_modules', '@bylaw', 'plugin-k8s');
    cpSync(plugin, join(cwd, 'aside'), { recursive: true });
    rmSync(plugin, { recursive: true });
    onTestFinished(() => cpSync(join(cwd, 'aside'), plugin, { recursive: true }));
    expect((await bylawAlone(['rules'], here)).stdout).toBe('No rules are installed.\n');
    const { code, stderr } = await bylawAlone(['evaluate', '-', '--json'], { ...here, input: POD });
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'no-rules-selected' });
    expect(code).toBe(2);
  });
});

describe('the full distribution', () => {
  let here: CliOptions;
  beforeAll(() => {
    const cwd = installed('full', Object.keys(tarballs));
    here = { cwd, bin: join(cwd, 'node_modules', 'bylaw', 'bin', 'run.js') };
  }, 300_000);

  it('has every plugin, and does what a checkout does', async () => {
    expect(await listed(here)).toEqual(
      PACKAGES.slice(2)
        .map((name) => `@bylaw/${name}`)
        .sort(),
    );
    for (const args of [
      ['rules', '--json'],
      ['rules', '--id', 'CS-001'],
      ['compliance', '--json'],
      ['help', 'evaluate'],
    ])
      expect((await bylawAlone(args, here)).stdout).toBe((await bylaw(args)).stdout);
  });
});

/** Builds the plugin of the documentation beside the others, until the test is over, and gives a project that it reads. */
function withExamplePlugin(here: CliOptions) {
  const plugin = join(here.cwd ?? '', 'node_modules', 'bylaw-plugin-acme');
  onTestFinished(() => rmSync(plugin, { recursive: true }));
  writeAll(plugin, filesShownIn(readFileSync(join(ROOT, 'docs/plugins.md'), 'utf8'), /^(?!bylaw\.yaml).*\.(?:json|js|yaml)$/));
  execFileSync(process.execPath, ['build.js'], { cwd: plugin });
  const content = 'web payments\ncart ?\njobs nobody\n';
  const project = folderOf({ 'shop/a.inventory': content });
  const files = [{ path: 'shop/a.inventory', content, explicit: false }];
  return { project, there: { ...here, cwd: project }, files };
}

/** Package names of the plugins, by short name. */
async function listed(options: CliOptions): Promise<string[]> {
  const { plugins }: { plugins: { package: string }[] } = JSON.parse((await bylawAlone(['plugins', '--json'], options)).stdout);
  return plugins.map((plugin) => plugin.package);
}

/** An empty folder with nothing but these tarballs and what they depend on. The tests bring their own Node. */
function installed(name: string, packages: readonly string[]): string {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{}');
  npm(
    [
      'install',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--omit=optional',
      ...packages.map((one) => tarballs[one] ?? one),
    ],
    cwd,
  );
  return cwd;
}

/** The npm that belongs to the Node of the tests, or the one that runs them. */
function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', [...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
}

function writeAll(root: string, files: { readonly [path: string]: string }): void {
  for (const [path, content] of Object.entries(files)) {
    if (!existsSync(dirname(join(root, path)))) mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
