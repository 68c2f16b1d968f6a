import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proposal, writeBundle } from '../testing/gate-folder.test-support.js';
import { expectProblem, type GateServer, gateServers, OTHER_SECRET, SECRET } from '../testing/gate-server.test-support.js';

const start = gateServers();
const BROKEN =
  'apiVersion: bylaw.dev/v1\nkind: Policy\nmetadata: {id: x, title: X}\nspec: {when: proposal.id.matches("("), effect: allow, message: M.}\n';

async function reasons(server: GateServer): Promise<unknown> {
  const answer = await server.send('GET', '/readyz');
  if (answer.status === 200) return JSON.parse(answer.text);
  expect(answer.status).toBe(503);
  const document = JSON.parse(answer.text);
  expect(document).toMatchObject({ type: 'https://svc.invalid/problems/not-ready', title: 'Not ready', status: 503 });
  return document.reasons;
}

const alive = async (server: GateServer) => JSON.parse((await server.send('GET', '/healthz')).text);
const loads = async (server: GateServer) => (await server.records()).flatMap(({ data }) => (data.action === 'config.load' ? [data] : []));

describe('GET /readyz', () => {
  it('answers ready when there is a key, a bundle, and an adapter that can authenticate', async () => {
    expect(await reasons(await start())).toEqual({ status: 'ready' });
  });

  it('is not ready without a signing key, and lives on (gate/ready.1)', async () => {
    const server = await start({ key: false });
    expect(await reasons(server)).toEqual([{ code: 'AG-EVD-001', message: 'no evidence signing key exists' }]);
    expect(await alive(server)).toEqual({ status: 'ok' });
  });

  it('is not ready while the policy bundle has errors, such as a broken regular expression, and lives on (gate/ready.2)', async () => {
    const server = await start({ bundle: { 'policies/broken.yaml': BROKEN } });
    expect(await reasons(server)).toEqual([{ code: 'AG-POL-001', message: 'the policy bundle has errors' }]);
    expect(await alive(server)).toEqual({ status: 'ok' });
    const none = await start({ bundle: false });
    expect(await reasons(none)).toEqual([{ code: 'AG-POL-002', message: 'no policy bundle is configured' }]);
  });

  it('is not ready when no adapter can authenticate, and lives on (gate/ready.3)', async () => {
    for (const options of [{ adapters: '' }, { env: {} }, { env: { CI: SECRET.slice(1), TOOL: ` ${OTHER_SECRET}` } }]) {
      const server = await start(options);
      expect(await reasons(server)).toEqual([{ code: 'AG-IDN-010', message: 'no usable adapter authentication exists' }]);
      expect(await alive(server)).toEqual({ status: 'ok' });
    }
  });

  it('stays ready when the previous variable of a rotation is already gone (gate/ready.3) (gate/auth.8)', async () => {
    const adapters = '{adapter_id: ci, kind: ci, secret_env: CI_2, previous_secret_env: CI}';
    const server = await start({ adapters, env: { CI_2: SECRET } });
    expect(await reasons(server)).toEqual({ status: 'ready' });
    expect((await server.submit(proposal('p-1'))).status).toBe(200);
    expect(await reasons(await start({ adapters, env: { CI: SECRET } }))).toEqual({ status: 'ready' });
  });

  it('names every reason at once, and no detail', async () => {
    const server = await start({ key: false, env: {}, bundle: { 'policies/broken.yaml': BROKEN } });
    expect(await reasons(server)).toMatchObject([{ code: 'AG-EVD-001' }, { code: 'AG-IDN-010' }, { code: 'AG-POL-001' }]);
    const { text } = await server.send('GET', '/readyz');
    expect(text).not.toContain(server.folder);
    expect(text).not.toContain('broken.yaml');
    expect(server.lines.join('')).toContain('broken.yaml');
  });

  it('is asked under the unversioned path only (gate/versioning.1)', async () => {
    const server = await start();
    expect((await server.send('GET', '/v1/readyz')).status).toBe(404);
    expect((await server.send('GET', '/v1/healthz')).status).toBe(404);
  });
});

describe('loading again', () => {
  const next = { 'bundle.yaml': 'apiVersion: bylaw.dev/v1\nkind: Bundle\nid: test\nversion: 2.0.0\ndefault: deny\n' };

  it('puts a new bundle in force and records that', async () => {
    const server = await start();
    const before = JSON.parse((await server.submit(proposal('p-1'))).text).verdict.bundle;
    await writeBundle(server.folder, next);
    expect(JSON.parse((await server.submit(proposal('p-2'))).text).verdict.bundle).toEqual(before);
    await server.reload();
    const after = JSON.parse((await server.submit(proposal('p-3'))).text).verdict.bundle;
    expect(after).toMatchObject({ id: 'test', version: '2.0.0' });
    expect(after.digest).not.toBe(before.digest);
    expect((await loads(server)).at(-1)).toMatchObject({ cause: 'reload', bundle: after, bundle_errors: [] });
  });

  it('goes on with the old bundle when the new one has errors, is not ready, and records that', async () => {
    const server = await start();
    const before = JSON.parse((await server.submit(proposal('p-1'))).text).verdict.bundle;
    await writeBundle(server.folder, { 'policies/broken.yaml': BROKEN });
    await server.reload();
    expect(await reasons(server)).toMatchObject([{ code: 'AG-POL-001' }]);
    expect(JSON.parse((await server.submit(proposal('p-2'))).text).verdict.bundle).toEqual(before);
    expect((await loads(server)).at(-1)).toMatchObject({ cause: 'reload', bundle: before, bundle_errors: ['AG-POL-001'] });
    await rm(join(server.folder, 'bundle', 'policies', 'broken.yaml'));
    await server.reload();
    expect(await reasons(server)).toEqual({ status: 'ready' });
  });
});

describe('the record of a start', () => {
  it('says what the service decides by', async () => {
    const server = await start({ yaml: 'enforcement: {mode: shadow, adapters: {tool: enforcing}}' });
    expect(await loads(server)).toEqual([
      {
        action: 'config.load',
        cause: 'start',
        config_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        config_errors: [],
        drift: false,
        mode: 'shadow',
        adapter_modes: { tool: 'enforcing' },
        variables: { CI: 'set', TOOL: 'set' },
        bundle: { id: 'test', version: '1.0.0', digest: expect.stringMatching(/^sha256:/) },
        bundle_errors: [],
      },
    ]);
  });

  it('says when the configuration is not the one that the chain spoke of last', async () => {
    const first = await start();
    await first.stop();
    const second = await start({ folder: first.folder });
    await second.stop();
    await appendFile(join(first.folder, 'bylaw.yaml'), '# by hand\n');
    const third = await start({ folder: first.folder });
    expect((await loads(third)).map(({ drift }) => drift)).toEqual([false, false, true]);
    await third.stop();
  });
});

describe('dev mode', () => {
  it('asks for no signature, and marks every record and its reporter (gate/auth.10) (gate/record.4) (gate/record.6)', async () => {
    const server = await start({ dev: true });
    const answer = await server.submit(proposal('p-1'), { headers: { 'X-SVC-Adapter-Id': 'ci', 'X-SVC-Signature': 'wrong' } });
    expect(answer.status).toBe(200);
    expect((await server.send('POST', '/v1/proposals/p-1/result', { body: { status: 'ok' } })).status).toBe(200);
    const records = await server.records();
    expect(records.every(({ dev }) => dev)).toBe(true);
    const reporters = records.filter(({ type }) => ['proposal', 'verdict', 'result'].includes(type)).map(({ reported_by }) => reported_by);
    expect(new Set(reporters)).toEqual(new Set(['dev-unauthenticated']));
    expect(server.notices.join()).toMatch(/^WARNING: dev mode/);
  });

  it('has no ceiling, and evaluates at the time that a proposal names', async () => {
    const server = await start({ dev: true });
    const answer = await server.submit(
      proposal('p-1', { enforcement: 'enforcing', requested_at: '2020-01-01T00:00:00.000Z', adapter: 'other' }),
    );
    expect(answer.status).toBe(200);
  });

  it('works without any configuration, by a bundle that comes with it', async () => {
    const server = await start({ dev: true, bundle: false, adapters: '', key: false });
    const decided = async (id: string, more: object) => JSON.parse((await server.submit(proposal(id, { ...more }))).text);
    expect(await decided('p-1', {})).toMatchObject({ effective_decision: 'ALLOW', verdict: { bundle: { id: 'dev-sample' } } });
    expect(await decided('p-2', { environment: 'production' })).toMatchObject({ effective_decision: 'REQUIRE_APPROVAL' });
    expect(await decided('p-3', { action: { type: 'database.drop', resource: 'x' } })).toMatchObject({ effective_decision: 'DENY' });
  });

  it('is not ready where no adapter could authenticate, though it answers (gate/ready.3)', async () => {
    const server = await start({ dev: true, bundle: false, adapters: '', key: false });
    expect(await reasons(server)).toEqual([{ code: 'AG-IDN-010', message: 'no usable adapter authentication exists' }]);
    expect(await alive(server)).toEqual({ status: 'ok' });
  });

  it('keeps its records apart from the real chain, anew at each start', async () => {
    const real = await start();
    await real.submit(proposal('p-1'));
    await real.stop();
    const first = await start({ dev: true, folder: real.folder });
    expect((await first.submit(proposal('p-1'))).status).toBe(200);
    await first.stop();
    const second = await start({ dev: true, folder: real.folder });
    expect((await second.submit(proposal('p-1'))).status).toBe(200);
    await second.stop();
    const again = await start({ folder: real.folder });
    expect((await again.records()).every(({ dev }) => !dev)).toBe(true);
    expectProblem(await again.submit(proposal('p-1')), 409, 'AG-RPL-001');
    await again.stop();
  });

  it('uses the store and the key that are named', async () => {
    const server = await start({ dev: true, yaml: 'store: {path: named.sqlite}' });
    await server.submit(proposal('p-1'));
    expect((await readFile(join(server.folder, 'named.sqlite'))).length).toBeGreaterThan(0);
    const keyless = await start({ dev: true, key: false, yaml: 'store: {path: named.sqlite}' });
    expectProblem(await keyless.submit(proposal('p-1')), 503, 'AG-EVD-001');
  });

  it('answers under loopback names only, and takes JSON only, so that no page of a foreign site can speak to it', async () => {
    const server = await start({ dev: true });
    const ask = (path: string, host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const { hostname, port } = new URL(server.url);
        request({ hostname, port, path, headers: { Host: host } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
    for (const path of ['/v1/status', '/v1/evidence', '/healthz']) {
      expect(await ask(path, 'attacker.test')).toBe(403);
      expect(await ask(path, 'localhost:8000')).toBe(200);
    }
    expectProblem(await server.submit(proposal('p-1'), { headers: { 'Content-Type': 'text/plain' } }), 415, 'AG-SCH-003');
    const answer = await server.submit(proposal('p-1'), { headers: { Origin: 'https://attacker.test' } });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('GET /v1/status', () => {
  it('tells the limits, what was refused, and how the chain stands (gate/limits.3)', async () => {
    const adapters =
      '{adapter_id: ci, kind: ci, secret_env: CI, previous_secret_env: OLD}, {adapter_id: tool, kind: sdk, secret_env: TOOL}';
    const server = await start({ adapters, env: { CI: SECRET } });
    await server.submit(proposal('p-1'));
    await server.submit(proposal('p-1'));
    await server.submit({});
    await server.submit({});
    await server.submit(proposal('p-2'), { secret: 'x'.repeat(32) });
    await server.send('GET', '/v1/proposals');
    await server.send('GET', '/v1/token');
    await server.send('GET', '/v1/evidence?x=1');
    const status = JSON.parse((await server.send('GET', '/v1/status')).text);
    const head = await server.gate.store.head();
    expect(status).toEqual({
      service: { version: '1.2.3', started_at: '2026-01-02T03:04:05.678Z', dev: false, mode: 'enforcing' },
      rate_limit: {
        per_adapter_rps: 100,
        per_principal_rps: 20,
        burst_seconds: 3,
        scope: expect.stringMatching(/^Limits are per process/),
      },
      refusals: {
        total: 6,
        by_status: { 401: 1, 405: 1, 409: 1, 422: 3 },
        by_code: { 'AG-IDN-005': 1, 'AG-RPL-001': 1, 'AG-SCH-002': 2, 'AG-SCH-005': 1, 'method-not-allowed': 1 },
        since: '2026-01-02T03:04:05.678Z',
      },
      chain: {
        id: server.gate.store.chainId,
        head: { seq: 3, hash: head?.hash, time: head?.time },
        key_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        last_checkpoint: null,
      },
      storage: { kind: 'sqlite', pending: 0, oldest_pending_ms: null },
      policy: { id: 'test', version: '1.0.0', digest: expect.stringMatching(/^sha256:/), errors: [] },
      adapters: { registered: 2, usable: 1, rotating: 1 },
    });
  });

  it('answers where nothing can be decided', async () => {
    const server = await start({ key: false, bundle: false });
    const status = JSON.parse((await server.send('GET', '/v1/status')).text);
    expect(status).toMatchObject({ chain: { id: null, head: null, key_id: null }, policy: { id: null, errors: ['AG-POL-002'] } });
  });
});

describe('the end of a server', () => {
  it('leaves a checkpoint of the chain, and finds it again at the next start', async () => {
    const first = await start();
    await first.submit(proposal('p-1'));
    await first.stop();
    const text = await readFile(join(first.folder, '.bylaw', 'checkpoints', '0000000000000004.checkpoint'), 'utf8');
    expect(text.split('\n')[1]).toBe('4');
    const second = await start({ folder: first.folder });
    expect(await reasons(second)).toEqual({ status: 'ready' });
    await second.stop();
  });

  it('does not let a chain go on that has lost what a checkpoint speaks of', async () => {
    const first = await start();
    await first.submit(proposal('p-1'));
    await first.stop();
    for (const file of ['gate.sqlite', 'gate.sqlite-wal', 'gate.sqlite-shm']) await rm(join(first.folder, '.bylaw', file), { force: true });
    const second = await start({ folder: first.folder });
    expect(await reasons(second)).toMatchObject([{ code: 'AG-EVD-004' }]);
    expectProblem(await second.submit(proposal('p-2')), 503, 'AG-EVD-004');
    await second.stop();
  });

  it('keeps a second server from the same store', async () => {
    const first = await start();
    await expect(start({ folder: first.folder })).rejects.toMatchObject({ code: 'AG-EVD-002', exitCode: 4 });
    await writeFile(join(first.folder, 'still-there'), '');
    expect((await first.submit(proposal('p-1'))).status).toBe(200);
  });
});
