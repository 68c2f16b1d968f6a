import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharedProcess } from '@bylaw/core/testing/shared-process';
import { describe, expect, it, onTestFinished } from 'vitest';

const RUN = fileURLToPath(new URL('../../../../cli/bin/run.js', import.meta.url));
const CRASH_CHILD = fileURLToPath(new URL('../../../dist/cli/init/init-crash-child.test-support.js', import.meta.url));
const runShared = sharedProcess(new URL('../../../../cli/lib/main.js', import.meta.url));
const SECRET = /[\w-]{43}/;

/** An empty folder, gone when the test is over, and what runs in it. */
function makeSite(files: { readonly [name: string]: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'bylaw-init-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const run = (args: readonly string[], env: { [name: string]: string } = {}) => {
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, ...env },
    });
    return { code: status, signal, stdout, stderr };
  };
  return {
    folder,
    path: (name: string) => join(folder, name),
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    bylaw: (...args: string[]) => runShared(args, { cwd: folder }),
    init: (...args: string[]) => runShared(['gate', 'init', '--approver', 'carol', ...args], { cwd: folder }),
    /** The same as a process of its own. */
    initAlone: () => run([RUN, 'gate', 'init', '--approver', 'carol']),
    crash: (step: string) => run([CRASH_CHILD, folder], { SVC_CRASH_AT: step }),
    /** Every file with its content, but not the store, the locks and the drafts of a killed process. */
    content: () =>
      Object.fromEntries(
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !/sqlite|lock/.test(entry.name))
          .map((entry) => join(entry.parentPath, entry.name))
          .map((path) => [path, readFileSync(path, 'utf8')]),
      ),
  };
}

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('bylaw gate init', () => {
  it('makes a gate that can be loaded, whose policies pass their tests, and whose chain verifies', async () => {
    const site = makeSite();
    const { code, stdout, stderr } = site.initAlone();
    expect([code, stderr]).toEqual([0, expect.stringContaining('Verifiers need this public key:')]);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^export SVC_ADAPTER_ID=ci-main SVC_ADAPTER_SECRET_CI_MAIN=[\w-]{43}$/),
      'bylaw serve &',
      'bylaw propose first-proposal.json',
      '',
    ]);
    expect((await site.bylaw('policy', 'test', '--min-coverage', '100')).code).toBe(0);
    expect((await site.bylaw('check', 'first-proposal.json')).code).toBe(10);
    expect((await site.bylaw('store', 'doctor')).code).toBe(0);
    const acts = (await site.bylaw('evidence', 'export', '--type', 'admin_action')).stdout;
    expect(acts).toContain('"action":"adapter.add"');
  });

  it('keeps keys, store and their folder for the owner alone, and out of Git', async () => {
    const site = makeSite();
    await site.init();
    expect(mode(site.path('.bylaw'))).toBe('700');
    for (const name of ['signing.key', 'approver-carol.key', 'gate.sqlite'])
      expect([name, mode(site.path(`.bylaw/${name}`))]).toEqual([name, '600']);
    expect(site.read('.bylaw/.gitignore')).toBe('*\n');
  });

  it('shows the secret once, and writes it to no file', async () => {
    const site = makeSite();
    const [secret = 'none'] = SECRET.exec((await site.init()).stdout.split('SECRET_CI_MAIN=')[1] ?? '') ?? [];
    expect(secret).toHaveLength(43);
    for (const text of Object.values(site.content())) expect(text).not.toContain(secret);
    expect(readFileSync(site.path('.bylaw/gate.sqlite')).includes(secret)).toBe(false);
    for (const name of readdirSync(site.path('.bylaw')))
      if (name.includes('wal')) expect(readFileSync(site.path(`.bylaw/${name}`)).includes(secret)).toBe(false);
  });

  it('adds its sections to a configuration and leaves every other byte as it is', async () => {
    const before = '# ours\nlog:\n    level: warn   # on purpose\n\n\nevaluate: {fail_on: LOW}\n';
    const site = makeSite({ 'bylaw.yaml': before });
    expect((await site.init()).code).toBe(0);
    expect(site.read('bylaw.yaml').startsWith(`${before.trimEnd()}\n\npolicy:\n  bundle: policies\n`)).toBe(true);
    expect((await site.bylaw('config', 'check')).code).toBe(0);
  });

  it('registers an adapter whose name YAML would read as a number', async () => {
    const site = makeSite();
    expect((await site.init('--adapter', '123')).code).toBe(0);
    expect((await site.bylaw('adapter', 'list', '--json')).stdout).toContain('"adapter_id":"123"');
  });

  it('makes the folder, and names it in the commands that come next', async () => {
    const site = makeSite();
    const { code, stdout } = await site.init('--dir', "a gate's folder");
    expect(code).toBe(0);
    expect(existsSync(site.path("a gate's folder/bylaw.yaml"))).toBe(true);
    const entered = spawnSync('bash', ['-c', `${stdout.split('\n')[0]} && pwd`], { cwd: site.folder, encoding: 'utf8' });
    expect(entered.stdout.trim().endsWith("/a gate's folder")).toBe(true);
  });

  it.each([
    ['a gate', { 'bylaw.yaml': 'adapters: []\n' }, 'it has the section `adapters`'],
    ['other policies', { policies: 'a file' }, 'policies already exists'],
    ['another proposal', { 'first-proposal.json': '{}' }, 'first-proposal.json already exists'],
    ['an invalid configuration', { 'bylaw.yaml': 'log: {levl: warn}\n' }, 'levl'],
    ['a configuration that ends its document', { 'bylaw.yaml': '{log: {level: warn}}\n' }, 'AG-CFG-004'],
  ])('refuses a folder that has %s, and replaces nothing', async (_, files: { [name: string]: string }, said) => {
    const site = makeSite(files);
    const { code, stderr, stdout } = await site.init('--json');
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain(said);
    for (const [name, text] of Object.entries(files)) expect(site.read(name)).toBe(text);
  });

  it('changes nothing at all if it is run again', async () => {
    const site = makeSite();
    await site.init();
    const before = site.content();
    expect(await site.init()).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('already configures the gate') });
    expect(site.content()).toEqual(before);
  });

  it('does not follow a link out of the folder', async () => {
    const outside = makeSite();
    const site = makeSite();
    mkdirSync(outside.path('target'));
    symlinkSync(outside.path('target'), site.path('policies'));
    expect((await site.init()).code).not.toBe(0);
    expect(readdirSync(outside.path('target'))).toEqual([]);
  });

  it.each(['init-1', 'init-2', 'init-3', 'init-4'])('killed at %s, has configured no gate, and can be run again', async (step) => {
    const site = makeSite();
    expect(site.crash(step)).toMatchObject({ signal: 'SIGKILL', stdout: '' });
    expect(site.read('bylaw.yaml')).not.toContain('adapters');
    expect((await site.init()).code).toBe(0);
    expect((await site.bylaw('store', 'doctor')).code).toBe(0);
    expect((await site.bylaw('check', 'first-proposal.json')).code).toBe(10);
  });

  it('killed once all is made, needs only a new secret', async () => {
    const site = makeSite();
    expect(site.crash('init-5')).toMatchObject({ signal: 'SIGKILL', stdout: '' });
    expect(await site.bylaw('adapter', 'rotate', 'ci-main')).toMatchObject({ code: 0, stdout: expect.stringMatching(SECRET) });
  });

  it.each([
    [['--adapter', 'A B'], '--adapter must be'],
    [['--approver', '../x'], '--approver must be'],
    [['--kind', 'robot'], '--kind'],
  ])('refuses %j before it writes anything', async (args, said) => {
    const site = makeSite();
    expect(await site.bylaw('gate', 'init', ...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(said) });
    expect(readdirSync(site.folder)).toEqual([]);
  });
});

it('bylaw adapter add without a configuration says what to run', async () => {
  const { code, stderr } = await makeSite().bylaw('adapter', 'add', 'ci', '--kind', 'ci');
  expect(code).toBe(3);
  expect(stderr).toContain('run `bylaw gate init`');
});
