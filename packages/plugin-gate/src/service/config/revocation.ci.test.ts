import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@bylaw/core/clock';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../store/index.js';
import { proposal } from '../testing/gate-folder.test-support.js';
import { expectProblem, type GateServer, gateServers, OTHER_SECRET, SECRET } from '../testing/gate-server.test-support.js';
import { settle } from '../testing/settle.test-support.js';

const start = gateServers();

const CI = '{adapter_id: ci, kind: ci, secret_env: CI}';
const TOOL = '{adapter_id: tool, kind: sdk, secret_env: TOOL}';
const OLGA = `{id: olga, public_key: ${'A'.repeat(43)}, groups: [sre]}`;
const CAROL = `{id: carol, public_key: ${'B'.repeat(43)}, groups: [sre]}`;

interface File {
  adapters: readonly string[];
  approvers?: readonly string[];
  more?: string;
}

const configText = ({ adapters, approvers = [], more = '' }: File) =>
  `adapters: [${adapters.join(', ')}]\napprovers: [${approvers.join(', ')}]\npolicy: {bundle: bundle}\n${more}`;

/** A server whose file is one of ours. */
async function startWith(file: File, env?: { [name: string]: string }): Promise<GateServer> {
  const first = await start({ adapters: file.adapters.join(', '), ...(env && { env }) });
  await first.stop();
  await writeFile(fileOf(first), configText(file));
  return start({ folder: first.folder, ...(env && { env }) });
}

const fileOf = ({ folder }: GateServer) => join(folder, 'bylaw.yaml');
const statusAs = async (server: GateServer, adapter: string, secret?: string) =>
  (await server.send('GET', '/v1/status', { adapter, ...(secret !== undefined && { secret }) })).status;
const withdrawals = async (server: GateServer) =>
  (await server.records()).flatMap(({ data }) => (data?.action === 'config.withdraw' ? [data] : []));
const ready = async (server: GateServer) => JSON.parse((await server.send('GET', '/readyz')).text);
const loads = async (server: GateServer) => (await server.records()).flatMap(({ data }) => (data?.action === 'config.load' ? [data] : []));

describe('a configuration file that changes while the server runs', () => {
  it('withdraws a removed adapter, which is then unknown, and records that', async () => {
    const server = await startWith({ adapters: [CI, TOOL] });
    expect(await statusAs(server, 'tool')).toBe(200);
    await writeFile(fileOf(server), configText({ adapters: [CI] }));
    await expect.poll(() => statusAs(server, 'tool')).toBe(401);
    expectProblem(await server.submit(proposal('p-1'), { adapter: 'tool' }), 401, 'AG-IDN-005');
    expect(await statusAs(server, 'ci')).toBe(200);
    await expect.poll(() => withdrawals(server)).toHaveLength(1);
    expect(await withdrawals(server)).toEqual([
      {
        action: 'config.withdraw',
        cause: 'file',
        record_seq: null,
        file_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        adapters: ['tool'],
        secrets: [],
        approvers: [],
      },
    ]);
    expect(server.lines.join('')).toContain('"adapters":["tool"]');
  });

  it('ends the old secret of a finished rotation, and no other', async () => {
    const rotating = '{adapter_id: ci, kind: ci, secret_env: CI_2, previous_secret_env: CI}';
    const server = await startWith({ adapters: [rotating] }, { CI: SECRET, CI_2: OTHER_SECRET });
    expect(await statusAs(server, 'ci', SECRET)).toBe(200);
    await writeFile(fileOf(server), configText({ adapters: ['{adapter_id: ci, kind: ci, secret_env: CI_2}'] }));
    await expect.poll(() => statusAs(server, 'ci', SECRET)).toBe(401);
    expect(await statusAs(server, 'ci', OTHER_SECRET)).toBe(200);
    await expect.poll(() => withdrawals(server)).toMatchObject([{ adapters: [], secrets: [{ adapter: 'ci', variable: 'CI' }] }]);
  });

  it('ends the secret of a rotation that the server has not loaded, once', async () => {
    const server = await startWith({ adapters: [CI, TOOL] });
    await writeFile(fileOf(server), configText({ adapters: ['{adapter_id: ci, kind: ci, secret_env: CI_2}', TOOL] }));
    await expect.poll(() => statusAs(server, 'ci')).toBe(401);
    await writeFile(fileOf(server), configText({ adapters: ['{adapter_id: ci, kind: ci, secret_env: CI_3}'] }));
    await expect.poll(() => statusAs(server, 'tool')).toBe(401);
    await expect.poll(() => withdrawals(server)).toMatchObject([{ secrets: [{ variable: 'CI' }] }, { adapters: ['tool'], secrets: [] }]);
  });

  it('lets the grants of a removed approver lapse', async () => {
    const server = await startWith({ adapters: [CI], approvers: [OLGA, CAROL] });
    const { approval } = JSON.parse((await server.submit(proposal('p-1', { environment: 'production' }))).text);
    await settle(server, approval, 'granted');
    const now = async () => JSON.parse((await server.send('GET', '/v1/proposals/p-1')).text).effective_decision_now;
    expect(await now()).toBe('ALLOW');
    await writeFile(fileOf(server), configText({ adapters: [CI], approvers: [CAROL] }));
    await expect.poll(now).toBe('DENY');
    await expect.poll(() => withdrawals(server)).toMatchObject([{ approvers: ['olga'] }]);
  });

  it('is seen when it is replaced in one step', async () => {
    const server = await startWith({ adapters: [CI, TOOL] });
    await writeFile(`${fileOf(server)}.new`, configText({ adapters: [CI] }));
    await rename(`${fileOf(server)}.new`, fileOf(server));
    await expect.poll(() => statusAs(server, 'tool')).toBe(401);
  });

  it('is seen through links that are replaced, as in a ConfigMap of Kubernetes', async () => {
    const server = await startWith({ adapters: [CI, TOOL] });
    const at = (name: string) => join(server.folder, name);
    const version = async (name: string, file: File) => {
      await mkdir(at(name));
      await writeFile(join(at(name), 'bylaw.yaml'), configText(file));
      await symlink(name, at('..data_tmp'));
      await rename(at('..data_tmp'), at('..data'));
    };
    await version('..one', { adapters: [CI, TOOL] });
    await rm(fileOf(server));
    await symlink(join('..data', 'bylaw.yaml'), fileOf(server));
    await version('..two', { adapters: [CI] });
    await expect.poll(() => statusAs(server, 'tool')).toBe(401);
    await expect.poll(() => ready(server)).toEqual({ status: 'ready' });
  });

  it('puts nothing else in force: modes, new adapters and new approvers wait for SIGHUP, which records them', async () => {
    const server = await startWith({ adapters: [CI, TOOL] }, { CI: SECRET, TOOL: OTHER_SECRET, NEW: 'n'.repeat(32) });
    const added = '{adapter_id: new, kind: ci, secret_env: NEW}';
    await writeFile(fileOf(server), configText({ adapters: [CI, added], approvers: [OLGA], more: 'enforcement: {mode: shadow}\n' }));
    await expect.poll(() => statusAs(server, 'tool')).toBe(401);
    expect(await statusAs(server, 'new', 'n'.repeat(32))).toBe(401);
    expect(JSON.parse((await server.send('GET', '/v1/status')).text)).toMatchObject({ service: { mode: 'enforcing' } });
    await server.reload();
    expect(await statusAs(server, 'new', 'n'.repeat(32))).toBe(200);
    expect(JSON.parse((await server.submit(proposal('p-1'))).text)).toMatchObject({ enforced: false });
    expect(server.gate.config.approvers).toHaveLength(1);
    expect((await loads(server)).at(-1)).toMatchObject({
      cause: 'reload',
      mode: 'shadow',
      config_errors: [],
      variables: { CI: 'set', NEW: 'set' },
    });
  });

  it.each<[string, (server: GateServer, text: string) => Promise<unknown>]>([
    ['gone', (server) => rm(fileOf(server))],
    ['empty', (server) => writeFile(fileOf(server), '')],
    ['no YAML', (server) => writeFile(fileOf(server), 'adapters: [')],
    ['invalid', (server) => writeFile(fileOf(server), 'adapters: [{adapter_id: ci}]\npolicy: {bundle: bundle}\n')],
    ['cut off in the middle of a line', (server, text) => writeFile(fileOf(server), text.slice(0, text.indexOf('approvers: [') + 11))],
    ['two adapters of one name', (server) => writeFile(fileOf(server), configText({ adapters: [CI, CI] }))],
    ['larger than allowed', (server, text) => writeFile(fileOf(server), `${text}#${' '.repeat(1024 * 1024)}\n`)],
  ])('withdraws nothing while it is %s, and the server is not ready', async (_, change) => {
    const server = await startWith({ adapters: [CI, TOOL], approvers: [OLGA] });
    const text = await readFile(fileOf(server), 'utf8');
    await change(server, text);
    const reason = { code: 'AG-CFG-007', message: 'the configuration file cannot be loaded' };
    await expect.poll(() => ready(server)).toMatchObject({ reasons: [reason] });
    expect(server.lines.join('')).toContain('AG-CFG-007');
    for (const adapter of ['ci', 'tool']) expect(await statusAs(server, adapter)).toBe(200);
    await server.reload();
    expect(await statusAs(server, 'tool')).toBe(200);
    expect((await loads(server)).at(-1)).toMatchObject({ cause: 'reload', config_errors: ['AG-CFG-007'] });
    await writeFile(fileOf(server), text);
    await expect.poll(() => ready(server)).toEqual({ status: 'ready' });
    expect(await withdrawals(server)).toEqual([]);
  });
});

describe('withdrawals in the chain', () => {
  it('are obeyed by a server whose file has not changed, also after it has started again', async () => {
    const server = await startWith({ adapters: [CI, TOOL] });
    await append(server.folder, { action: 'adapter.remove', adapter: 'tool', variable: 'TOOL' });
    await expect.poll(() => statusAs(server, 'tool')).toBe(401);
    await expect.poll(() => withdrawals(server)).toMatchObject([{ cause: 'record', adapters: ['tool'] }]);
    await server.stop();
    const again = await start({ folder: server.folder });
    expect(await statusAs(again, 'tool')).toBe(401);
    expect(await statusAs(again, 'ci')).toBe(200);
    await again.reload();
    expect(await statusAs(again, 'tool')).toBe(401);
  });

  it('end the secret of a finished rotation', async () => {
    const rotating = '{adapter_id: ci, kind: ci, secret_env: CI_2, previous_secret_env: CI}';
    const server = await startWith({ adapters: [rotating] }, { CI: SECRET, CI_2: OTHER_SECRET });
    await append(server.folder, { action: 'adapter.finish', adapter: 'ci', variable: 'CI' });
    await expect.poll(() => statusAs(server, 'ci', SECRET)).toBe(401);
    expect(await statusAs(server, 'ci', OTHER_SECRET)).toBe(200);
  });

  it('do not count for an adapter that a newer file has again', async () => {
    const server = await startWith({ adapters: [CI, TOOL] });
    await append(server.folder, { action: 'adapter.remove', adapter: 'tool', variable: 'TOOL' });
    await expect.poll(() => statusAs(server, 'tool')).toBe(401);
    await writeFile(fileOf(server), configText({ adapters: [CI, TOOL], more: '# tool is back\n' }));
    await server.reload();
    expect(await statusAs(server, 'tool')).toBe(200);
  });
});

/** As a command appends it, beside the server. */
async function append(folder: string, act: { action: string; adapter: string; variable: string }): Promise<void> {
  const store = await openStore({
    config: {
      store: { kind: 'sqlite', path: '.bylaw/gate.sqlite' },
      signing: { key_file: '.bylaw/signing.key' },
      evidence: { checkpoint_dir: '.bylaw/checkpoints', checkpoint_seconds: 60 },
    },
    base: folder,
    env: {},
    clock: systemClock,
    role: 'command',
  });
  const data = { ...act, config_digest: `sha256:${'0'.repeat(64)}`, previous_config_digest: null };
  await store.administer({
    kind: 'admin',
    type: 'admin_action',
    time: new Date().toISOString(),
    dev: false,
    reportedBy: 'operator:test',
    data,
  });
  await store.close();
}
