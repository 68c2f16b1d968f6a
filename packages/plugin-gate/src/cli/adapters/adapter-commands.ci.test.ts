import { existsSync, readFileSync, statSync } from 'node:fs';
import { chmod, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { adapterRegistry, EMPTY_DIGEST, readCredentials, signRequest } from '../../auth/index.js';
import type { AdapterEntry } from '../../config/index.js';
import { type JsonObject, sha256Hex } from '../../json/index.js';
import { makeSite, type Site } from './adapter-commands.test-support.js';

const SECRET = /^[A-Za-z0-9_-]{43}\n$/;

/** Whether the adapter `ci`, as the configuration of a site has it, is known by a secret. */
function knows(site: Site, secret: string, env: { [name: string]: string }): boolean {
  const { adapters } = parse(site.config()) as { adapters: AdapterEntry[] };
  const headers = signRequest({ method: 'GET', target: '/v1/status', adapterId: 'ci', secret, at: new Date(0) });
  const credentials = readCredentials(Object.entries(headers).flat());
  if ('refused' in credentials) throw new Error('the headers are well formed');
  return adapterRegistry(adapters, env).verify(credentials, { method: 'GET', path: '/v1/status', bodyDigest: EMPTY_DIGEST }) !== undefined;
}

describe('bylaw adapter add', () => {
  it('shows a new secret once, and writes down only the variable that is to hold it (gate/auth.6, gate/auth.7, gate/state.6)', async () => {
    const site = makeSite();
    const { code, stdout, stderr } = await site.adapter(['add', 'ci', '--kind', 'ci']);
    expect(code).toBe(0);
    expect(stdout).toMatch(SECRET);
    const secret = stdout.trim();
    expect(site.config()).toBe('# ours\n\nadapters:\n  - adapter_id: ci\n    kind: ci\n    secret_env: SVC_ADAPTER_SECRET_CI\n');
    expect(stderr).toContain('SVC_ADAPTER_SECRET_CI');
    expect(stderr).not.toContain(secret);
    expect(readFileSync(join(site.folder, '.bylaw', 'gate.sqlite')).includes(secret)).toBe(false);
    expect(knows(site, secret, { SVC_ADAPTER_SECRET_CI: secret })).toBe(true);
  });

  it('records who registered which adapter with which variable (gate/auth.9, gate/events.3, gate/state.6)', async () => {
    const site = makeSite();
    const before = sha256Hex(site.config());
    const { stdout } = await site.adapter(['add', 'ci', '--kind', 'mcp', '--enforcement', 'advisory']);
    const acts = await site.acts();
    expect(acts).toEqual([
      {
        header: expect.objectContaining({ type: 'admin_action', dev: false, reported_by: expect.stringMatching(/^operator:./) }),
        data: {
          action: 'adapter.add',
          adapter: 'ci',
          kind: 'mcp',
          variable: 'SVC_ADAPTER_SECRET_CI',
          previous_variable: null,
          operator: expect.stringMatching(/^operator:./),
          config_digest: `sha256:${sha256Hex(site.config())}`,
          previous_config_digest: `sha256:${before}`,
        },
      },
    ]);
    expect(JSON.stringify(acts)).not.toContain(stdout.trim());
  });

  it('answers in JSON', async () => {
    const site = makeSite();
    const { stdout, stderr } = await site.adapter(['add', 'ci', '--kind', 'ci', '--secret-env', 'CI_SECRET', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      adapter_id: 'ci',
      kind: 'ci',
      secret_env: 'CI_SECRET',
      evidence_ref: '1',
      evidence_seq: [1, 1],
      secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    });
    expect(stderr).toBe('');
  });

  it('does not put the secret into a file unasked, and changes nothing then', async () => {
    const site = makeSite();
    const file = join(site.folder, 'out');
    const refused = await site.adapter(['add', 'ci', '--kind', 'ci'], { stdoutTo: file });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Standard output is a file') });
    expect(readFileSync(file, 'utf8')).toBe('');
    expect(site.config()).toBe('# ours\n');
    expect((await site.adapter(['add', 'ci', '--kind', 'ci', '--secret-out', '3'], { stdoutTo: file })).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toMatch(SECRET);
  });

  it('puts it into no descriptor that is not open, or that the runtime opened for itself', async () => {
    const site = makeSite();
    const ended = await Promise.all(
      [4, 9, 20].map((descriptor) => site.adapter(['add', `a${descriptor}`, '--kind', 'ci', '--secret-out', String(descriptor)])),
    );
    for (const { code, stdout, stderr } of ended) expect({ code, stdout, stderr }).toMatchObject({ code: 2, stdout: '' });
    expect(site.config()).toBe('# ours\n');
  });

  it.each([
    ['a name of another form', ['add', 'Old One', '--kind', 'ci'], 3],
    ['a variable of another form', ['add', 'new', '--kind', 'ci', '--secret-env', 'a b'], 3],
    ['no kind', ['add', 'new'], 2],
  ])('refuses %s, and changes nothing', async (_, args, code) => {
    const config = 'adapters:\n  - adapter_id: old\n    kind: ci\n    secret_env: OLD\n';
    const site = makeSite(config);
    const ended = await site.adapter(args);
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).not.toContain('internal');
    expect(site.config()).toBe(config);
    expect(existsSync(join(site.folder, '.bylaw', 'gate.sqlite'))).toBe(false);
    expect(existsSync(join(site.folder, '.bylaw.yaml.new'))).toBe(false);
  });

  it('changes nothing when it cannot be recorded', async () => {
    const site = makeSite('# ours\n', { key: false });
    const ended = await site.adapter(['add', 'ci', '--kind', 'ci', '--json']);
    expect(ended).toMatchObject({ code: 4, stdout: '' });
    expect(JSON.parse(ended.stderr)).toMatchObject({ error: { code: 'AG-EVD-001', hint: expect.stringContaining('bylaw keys init') } });
    expect(site.config()).toBe('# ours\n');
  });

  it('needs a configuration file', async () => {
    const site = makeSite();
    expect(await site.adapter(['add', 'ci', '--kind', 'ci', '--config', 'other.yaml'])).toMatchObject({ code: 3, stdout: '' });
  });

  it('keeps the permissions of the file, and follows a link to it', async () => {
    const site = makeSite();
    await chmod(join(site.folder, 'bylaw.yaml'), 0o640);
    await symlink('bylaw.yaml', join(site.folder, 'link.yaml'));
    expect((await site.adapter(['add', 'ci', '--kind', 'ci', '--config', 'link.yaml'])).code).toBe(0);
    expect(site.config()).toContain('adapter_id: ci');
    expect(statSync(join(site.folder, 'bylaw.yaml')).mode & 0o777).toBe(0o640);
  });

  it('loses no adapter when several are registered at once', async () => {
    const site = makeSite();
    const ids = ['a', 'b', 'c'];
    const ended = await Promise.all(ids.map((id) => site.adapter(['add', id, '--kind', 'ci'])));
    expect(ended.map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual([0, 0, 0]);
    const { adapters } = parse(site.config()) as { adapters: AdapterEntry[] };
    expect(adapters.map(({ adapter_id }) => adapter_id).sort()).toEqual(ids);
    expect(await site.acts()).toHaveLength(3);
  });
});

describe('bylaw adapter rotate and finish', () => {
  it('let both secrets verify in between, and the new one only afterwards (gate/auth.8, gate/auth.9, gate/state.4, gate/state.5)', async () => {
    const site = makeSite();
    const first = (await site.adapter(['add', 'ci', '--kind', 'ci'])).stdout.trim();
    const rotated = await site.adapter(['rotate', 'ci']);
    expect(rotated.stdout).toMatch(SECRET);
    const second = rotated.stdout.trim();
    expect(second).not.toBe(first);
    const env = { SVC_ADAPTER_SECRET_CI: first, SVC_ADAPTER_SECRET_CI_2: second };
    expect([knows(site, first, env), knows(site, second, env)]).toEqual([true, true]);
    const finished = await site.adapter(['finish', 'ci']);
    expect(finished).toMatchObject({ code: 0, stderr: '' });
    expect([knows(site, first, env), knows(site, second, env)]).toEqual([false, true]);
    expect((await site.acts()).map(({ data }) => [data.action, data.adapter, data.variable, data.previous_variable])).toEqual([
      ['adapter.add', 'ci', 'SVC_ADAPTER_SECRET_CI', null],
      ['adapter.rotate', 'ci', 'SVC_ADAPTER_SECRET_CI_2', 'SVC_ADAPTER_SECRET_CI'],
      ['adapter.finish', 'ci', 'SVC_ADAPTER_SECRET_CI', null],
    ]);
    expect(await site.adapter(['finish', 'ci'])).toMatchObject({ code: 3 });
    expect(await site.adapter(['rotate', 'other', '--json'])).toMatchObject({ code: 3, stdout: '' });
  });
});

describe('bylaw adapter finish, where a server has loaded its configuration', () => {
  const finished = async (variables: JsonObject | undefined) => {
    const site = makeSite();
    await site.adapter(['add', 'ci', '--kind', 'ci']);
    await site.adapter(['rotate', 'ci']);
    await site.record({ action: 'config.load', config_digest: null, ...(variables && { variables }) });
    const { code, stderr } = await site.adapter(['finish', 'ci']);
    expect(code).toBe(0);
    return stderr;
  };

  it('warns when the server does not have the new secret', async () => {
    const remedy = 'Set SVC_ADAPTER_SECRET_CI_2 and restart the server: until then, adapter ci cannot authenticate.\n';
    const unset = 'When a server last loaded its configuration, SVC_ADAPTER_SECRET_CI_2 was unset.';
    expect(await finished({ SVC_ADAPTER_SECRET_CI: 'set', SVC_ADAPTER_SECRET_CI_2: 'unset' })).toBe(`warning: ${unset} ${remedy}`);
    const unknown = 'No server has loaded SVC_ADAPTER_SECRET_CI_2 yet.';
    for (const variables of [{ SVC_ADAPTER_SECRET_CI: 'set' }, undefined])
      expect(await finished(variables)).toBe(`warning: ${unknown} ${remedy}`);
  });

  it('does not warn when the server has it', async () => {
    expect(await finished({ SVC_ADAPTER_SECRET_CI_2: 'set' })).toBe('');
  });
});

describe('bylaw adapter remove', () => {
  it('takes the adapter out, and records that', async () => {
    const site = makeSite();
    await site.adapter(['add', 'ci', '--kind', 'ci']);
    expect(JSON.parse((await site.adapter(['remove', 'ci', '--json'])).stdout)).toMatchObject({ adapter_id: 'ci', evidence_seq: [2, 2] });
    expect(parse(site.config())).toEqual({ adapters: [] });
    expect((await site.acts()).at(-1)?.data).toMatchObject({ action: 'adapter.remove', adapter: 'ci' });
  });
});

describe('bylaw adapter list', () => {
  it('says of each variable whether it is set and long enough, and never what it holds (gate/auth.7)', async () => {
    const site = makeSite();
    await writeFile(
      join(site.folder, 'bylaw.yaml'),
      `adapters:
  - {adapter_id: good, kind: ci, secret_env: GOOD, previous_secret_env: GONE}
  - {adapter_id: short, kind: sdk, secret_env: SHORT}
  - {adapter_id: padded, kind: mcp, secret_env: PADDED, enforcement: advisory}
`,
    );
    const env = { GOOD: 'k9Zs3cretQ7Lm2Xp'.repeat(2), SHORT: 'k9Zs3cret', PADDED: ` ${'k9Zs3cretQ7Lm2Xp'.repeat(2)}2` };
    const text = await site.adapter(['list'], { env });
    expect(text.stdout).toBe(
      `ADAPTER  KIND  ENFORCEMENT  USABLE  VARIABLE  STATE
good     ci    enforcing    yes     GOOD      set
                                    GONE      unset (previous)
short    sdk   advisory     no      SHORT     too short
padded   mcp   advisory     no      PADDED    padded
`,
    );
    const json = await site.adapter(['list', '--json'], { env });
    expect(JSON.parse(json.stdout)).toContainEqual({
      adapter_id: 'good',
      kind: 'ci',
      enforcement: 'enforcing',
      secret_env: { name: 'GOOD', state: 'set' },
      previous_secret_env: { name: 'GONE', state: 'unset' },
      usable: true,
    });
    expect(text.stdout + text.stderr + json.stdout + json.stderr).not.toContain('k9Zs3');
  });
});

describe('a registration that is killed', () => {
  const state = async (site: Site) => ({
    registered: site.config().includes('adapter_id: ci'),
    recorded: existsSync(join(site.folder, '.bylaw', 'gate.sqlite')) ? (await site.acts()).length : 0,
  });

  /** Whether the chain speaks of the configuration that is there: a server that starts looks at that. */
  const saysWhatIsThere = async (site: Site) => (await site.acts()).at(-1)?.data.config_digest === `sha256:${sha256Hex(site.config())}`;

  it.each([
    ['adapter-1', { registered: false, recorded: 0 }, ''],
    ['adapter-2', { registered: false, recorded: 0 }, ''],
    ['adapter-3', { registered: false, recorded: 1 }, ''],
    ['adapter-4', { registered: true, recorded: 1 }, ''],
    ['adapter-5', { registered: true, recorded: 1 }, 'the secret\n'],
  ])('after step %s leaves %j', async (step, left, shown) => {
    const site = makeSite();
    expect(await site.crash(step, 'ci')).toMatchObject({ signal: 'SIGKILL', stdout: shown, stderr: '' });
    expect(await state(site)).toEqual(left);
    if (left.recorded > 0) expect(await saysWhatIsThere(site)).toBe(left.registered);
    // Nothing is in the way of the next command.
    const again = await site.adapter(left.registered ? ['rotate', 'ci'] : ['add', 'ci', '--kind', 'ci']);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(SECRET) });
    expect(await saysWhatIsThere(site)).toBe(true);
  });
});
