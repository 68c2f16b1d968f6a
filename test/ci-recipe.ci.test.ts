import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { readYamlFile } from '@bylaw/core/yaml-file';
import { describe, expect, it, onTestFinished } from 'vitest';
import { filesOf } from '../packages/cli/src/init/files.js';
import { git } from '../packages/core/src/git/testing/repository.test-support.js';
import { blocksOf } from './markdown.js';
import { folderOf, ROOT } from './run-cli.js';

const run = promisify(execFile);
const VERSION = '0.1.0';

/** What any program of the attacker does. */
const leaveMark = (mark: string) => `require('node:fs').writeFileSync(${JSON.stringify(mark)}, 'the code of the pull request ran');\n`;

/** The files of a package `bylaw` whose program runs this code. */
const packageOf = (code: string) => ({
  'package.json': JSON.stringify({ name: 'bylaw', version: VERSION, bin: { bylaw: 'run.cjs' } }),
  'run.cjs': `#!/usr/bin/env node\n${code}`,
});

/** A registry on loopback with one package, and how often it was asked. */
async function registryOf(code: string): Promise<{ url: string; requests: string[] }> {
  const folder = folderOf({ 'registry/placeholder': '' });
  const files = packageOf(code);
  const source = folderOf(Object.fromEntries(Object.entries(files).map(([path, text]) => [`package/${path}`, text])));
  const archive = join(folder, 'bylaw.tgz');
  execFileSync('tar', ['-czf', archive, '-C', source, 'package']);
  const bytes = readFileSync(archive);
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (request.url?.endsWith('.tgz')) return void response.end(bytes);
    if (request.url !== '/bylaw') return void response.writeHead(404).end('{}');
    const dist = {
      tarball: `${url}/bylaw/-/bylaw-${VERSION}.tgz`,
      integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    };
    const versions = { [VERSION]: { ...JSON.parse(files['package.json']), dist } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name: 'bylaw', 'dist-tags': { latest: VERSION }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  return { url, requests };
}

/** A machine with a registry of its own, and a repository with one of the attacks. */
async function machine(attack: 'module' | 'registry' | 'node-options') {
  const mark = join(folderOf(), 'mark');
  const genuine = await registryOf('console.log(["genuine", ...process.argv.slice(2)].join(" "));\n');
  const evil = await registryOf(leaveMark(mark));
  const evilPackage = packageOf(leaveMark(mark));
  const repository = folderOf({
    'deploy/pod.yaml': '',
    ...(attack === 'module' && {
      'package.json': '{"name": "app", "dependencies": {"bylaw": "0.1.0"}}',
      'node_modules/bylaw/package.json': evilPackage['package.json'],
      'node_modules/bylaw/run.cjs': evilPackage['run.cjs'],
    }),
    ...(attack === 'registry' && { '.npmrc': `registry=${evil.url}/\n`, 'package.json': '{"name": "app"}' }),
    ...(attack === 'node-options' && {
      '.npmrc': 'node-options=--require ./evil.cjs\n',
      'evil.cjs': leaveMark(mark),
      'package.json': '{}',
    }),
  });
  if (attack === 'module') {
    mkdirSync(join(repository, 'node_modules/.bin'));
    cpSync(join(repository, 'node_modules/bylaw/run.cjs'), join(repository, 'node_modules/.bin/bylaw'));
    execFileSync('chmod', ['+x', join(repository, 'node_modules/.bin/bylaw'), join(repository, 'node_modules/bylaw/run.cjs')]);
  }
  const home = folderOf({ '.npmrc': `registry=${genuine.url}/\nupdate-notifier=false\n` });
  const [work, temporary] = [folderOf({ 'checkout/placeholder': '' }), folderOf()];
  const checkout = join(work, 'checkout');
  const environment = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: home,
    TMPDIR: temporary,
    RUNNER_TEMP: join(temporary, 'runner'),
    GITHUB_STEP_SUMMARY: join(temporary, 'summary.md'),
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
  };
  mkdirSync(environment.RUNNER_TEMP);
  const sh = async (script: string, cwd = checkout) => (await run('bash', ['-e', '-c', script], { cwd, env: environment })).stdout;
  return {
    sh,
    temporary: environment.RUNNER_TEMP,
    checkOut: () => {
      cpSync(repository, checkout, { recursive: true });
      const origin = folderOf();
      git(origin, 'init', '--bare');
      git(checkout, 'init');
      git(checkout, 'commit', '--allow-empty', '-m', 'base');
      git(checkout, 'remote', 'add', 'origin', origin);
      git(checkout, 'push', 'origin', 'main');
    },
    attacked: () => existsSync(mark) || evil.requests.length > 0,
  };
}

interface Step {
  uses?: string;
  run?: string;
  'working-directory'?: string;
}

/** Plays the steps of a workflow in their order, and gives what the last one printed. */
async function playGithub(steps: readonly Step[], { sh, temporary, checkOut }: Awaited<ReturnType<typeof machine>>): Promise<string> {
  let printed = '';
  for (const { uses = '', run: script, 'working-directory': folder } of steps) {
    if (uses.startsWith('actions/checkout@')) checkOut();
    if (script !== undefined) printed = await sh(script, folder?.replace(/^\$\{\{ runner\.temp \}\}$/, temporary));
  }
  return printed;
}

const yamlOf = (text: string) => readYamlFile('recipe', text, 'config-invalid').value;

function generated(ci: 'github' | 'gitlab'): string {
  return filesOf({ failOn: 'HIGH', ci }, VERSION)[1]?.[1] ?? '';
}

/** A recipe in the guide that holds this text. */
function recipeOf(text: string): string {
  const found = blocksOf(readFileSync(join(ROOT, 'docs/ci.md'), 'utf8')).find(
    (block) => block.language === 'yaml' && block.text.includes(text),
  );
  return found?.text ?? '';
}

const githubSteps = (text: string) => Object.values((yamlOf(text) as { jobs: { [job: string]: { steps: Step[] } } }).jobs)[0]?.steps ?? [];
const gitlabScript = (text: string) => (yamlOf(text) as { bylaw: { script: string[] } }).bylaw.script.join('\n');
const hookEntry = (text: string) => (yamlOf(text) as { repos: { hooks: { entry: string }[] }[] }).repos[0]?.hooks[0]?.entry ?? '';

describe.each(['module', 'registry', 'node-options'] as const)('a pull request that attacks by its %s', (attack) => {
  it('wins against npx in the checkout', async () => {
    const { sh, checkOut, attacked } = await machine(attack);
    checkOut();
    await sh(`npx --yes bylaw@${VERSION} evaluate .`).catch(() => undefined);
    expect(attacked()).toBe(true);
  });

  it.each([
    ['the workflow that init writes', () => generated('github')],
    ['the workflow for code scanning', () => recipeOf('upload-sarif')],
  ])('loses against %s', async (_what, text) => {
    const player = await machine(attack);
    expect(await playGithub(githubSteps(text()), player)).toMatch(/^genuine evaluate /);
    expect(player.attacked()).toBe(false);
  });

  it.each([
    ['the job that init writes', () => generated('gitlab')],
    ['the job with the test report', () => recipeOf('bylaw-junit.xml')],
  ])('loses against %s', async (_what, text) => {
    const player = await machine(attack);
    player.checkOut();
    expect(await player.sh(gitlabScript(text()))).toMatch(/genuine evaluate /);
    expect(player.attacked()).toBe(false);
  });

  it('loses against the hook of pre-commit', async () => {
    const player = await machine(attack);
    player.checkOut();
    const text = readFileSync(join(ROOT, 'docs/ci.md'), 'utf8');
    const install = /^\$ (.*npm install .*)$/m.exec(text.slice(text.indexOf('## pre-commit')))?.[1] ?? '';
    await player.sh(install);
    expect(await player.sh(hookEntry(recipeOf('repo: local')))).toBe('genuine evaluate deploy\n');
    expect(player.attacked()).toBe(false);
  });
});

describe('the guide', () => {
  it('never installs into a checkout, and never lets npm choose the program', () => {
    const text = readFileSync(join(ROOT, 'docs/ci.md'), 'utf8');
    for (const { language, text: code } of blocksOf(text).filter((block) => block.language === 'yaml' || block.language === 'console')) {
      expect(`${language}: ${code}`).not.toMatch(/\bnpx\b|npm exec/);
      for (const line of code.split('\n').filter((one) => one.includes('npm install'))) {
        expect(line).toMatch(/npm install --prefix "\$(RUNNER_TEMP\/bylaw|BYLAW|HOME\/\.local\/lib\/bylaw)" --ignore-scripts /);
        expect(line).toContain(`bylaw@${VERSION}`);
      }
    }
  });
});
