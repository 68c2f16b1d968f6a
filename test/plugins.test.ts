import { globSync, readdirSync, readFileSync } from 'node:fs';
import { publicationNote } from '@bylaw/core/publication';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bylaw, bylawAlone, folderOf, serveBylaw, toolAnswer } from './run-cli.js';

interface Listed {
  name: string;
  package: string;
  version: string;
  source: string;
  rules: number;
  commands: string[];
}

describe('bylaw plugins', () => {
  it('lists the bundled plugins with the number of their rules and their commands', async () => {
    const { code, stdout } = await bylawAlone(['plugins', '--json']);
    const { plugins }: { plugins: Listed[] } = JSON.parse(stdout);
    const { total } = JSON.parse((await bylaw(['rules', '--json'])).stdout);
    expect(plugins.map(({ name }) => name)).toEqual(['carbon', 'cloud', 'finops', 'gate', 'k8s']);
    expect(plugins.every(({ source }) => source === 'bundled')).toBe(true);
    expect(plugins.at(-1)).toMatchObject({ package: '@bylaw/plugin-k8s', version: expect.stringMatching(/^\d/) });
    expect(plugins.reduce((sum, { rules }) => sum + rules, 0)).toBe(total);
    expect(plugins.at(-1)?.commands).toEqual(expect.arrayContaining(['export vap', 'scan', 'webhook manifests']));
    expect(plugins.find(({ name }) => name === 'cloud')).toMatchObject({ rules: 0, commands: [] });
    expect(code).toBe(0);
  });

  it('prints them as text, and says of an empty one that it has nothing yet', async () => {
    const { code, stdout, stderr } = await bylaw(['plugins']);
    expect(stdout).toMatch(/^k8s \d\S* {2}bundled\n {2}rules {5}\d+\n {2}commands {2}export clusterrole, /m);
    expect(stdout).toMatch(/^carbon \d\S* {2}bundled\n {2}rules {5}\d+\n {2}commands {2}carbon estimate, /m);
    expect(stdout).toMatch(/^gate \d\S* {2}bundled\n {2}rules {5}none\n {2}commands {2}/m);
    expect(stdout).toMatch(/^cloud \d\S* {2}bundled\n {2}no rules and no commands yet\n/m);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  it('leaves the other commands of the topic in place', async () => {
    expect((await bylaw(['plugins', 'install', '--help'])).stdout).toContain('plugins install');
  });
});

describe('the rules of one plugin in use', () => {
  const NODE_POOL =
    'apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: { name: general }\nspec: { disruption: { consolidateAfter: 0s } }\n';
  const here = () => ({ cwd: folderOf({ 'bylaw.yaml': 'plugins: [finops]\n', 'pool.yaml': NODE_POOL }) });

  it('are all the rules that commands, routes and tools know', async () => {
    const options = here();
    const { stdout } = await bylaw(['rules', '--json'], options);
    const listed: { rules: { category: string }[] } = JSON.parse(stdout);
    expect(new Set(listed.rules.map(({ category }) => category))).toEqual(new Set(['FO']));
    expect(await toolAnswer('list_rules', {}, options)).toEqual(listed);
    const { url, stop } = await serveBylaw(options);
    onTestFinished(stop);
    expect(await (await fetch(`${url}/api/v1/rules`)).json()).toEqual(listed);
  });

  it('evaluate without those of the others', async () => {
    const { code, stdout } = await bylaw(['evaluate', 'pool.yaml', '--json'], here());
    const { findings }: { findings: { rule_id: string }[] } = JSON.parse(stdout);
    expect(findings.map(({ rule_id }) => rule_id)).toEqual(['FO-010']);
    expect(code).toBe(0);
  });
});

describe('bylaw init', () => {
  it('refuses a plugin that has nothing to offer yet', async () => {
    const cwd = folderOf();
    const { code, stderr } = await bylaw(['init', '--yes', '--plugins', 'cloud'], { cwd });
    expect(stderr).toContain('The plugin `cloud` has no rules and no commands yet.');
    expect(stderr).toContain('Available: carbon, finops, gate, k8s.');
    expect(code).toBe(2);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('warns while the packages are not on npm, above all about the CI job', async () => {
    const note = publicationNote();
    const { stderr } = await bylaw(['init', '--yes'], { cwd: folderOf() });
    expect(stderr).toBe(note && `warning: ${note}\n`);
    const withJob = await bylaw(['init', '--yes', '--ci', 'github', '--json'], { cwd: folderOf() });
    expect(withJob.stderr).toBe(note && `warning: ${note} The job in .github/workflows/bylaw.yaml fails until they are on npm.\n`);
  });
});

describe('advice to install a package', () => {
  it('comes from one place, which knows whether the packages are on npm', () => {
    const files = globSync('packages/*/src/**/*.ts').filter((file) => !/\.test[.-]/.test(file));
    expect(files.length).toBeGreaterThan(500);
    const advising = files.filter((file) => /npm (?:install|i) |npx /.test(readFileSync(file, 'utf8')));
    expect(advising.map((file) => file.replaceAll('\\', '/')).sort()).toEqual([
      'packages/cli/src/init/files.ts',
      'packages/core/src/publication.ts',
    ]);
  });
});
