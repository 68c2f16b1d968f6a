import { expect, it } from 'vitest';
import { inspectStore } from '../store/index.js';
import { forge, storeFileOf } from './testing/forge.test-support.js';
import { proposal } from './testing/gate-folder.test-support.js';
import { type GateServer, gateServers } from './testing/gate-server.test-support.js';

// Nobody asks for what is changed here: the server finds it by itself.

const startServer = gateServers();
const start = () => startServer({ checkPauseMs: 20, yaml: 'api: {rate_limit: {per_adapter_rps: 0, per_principal_rps: 0}}\n' });

async function readyz(server: GateServer) {
  const { status, text } = await server.send('GET', '/readyz');
  return status === 200 ? 'ready' : JSON.parse(text).reasons;
}

const check = async (server: GateServer) => JSON.parse((await server.send('GET', '/v1/status')).text).store_check;
const DIFFERS = [{ code: 'AG-EVD-008', message: 'the evidence store does not match its chain' }];

/** A server with ten decisions, results of some and one that was erased, which have been compared. */
async function filled(): Promise<GateServer> {
  const server = await start();
  for (let number = 0; number < 10; number++) await server.submit(proposal(`p-${number}`));
  for (const id of ['p-1', 'p-2']) await server.send('POST', `/v1/proposals/${id}/result`, { body: { status: 'ok' } });
  for (const seq of [4, 5])
    await server.gate.store.erase(seq, {
      kind: 'admin',
      type: 'admin_action',
      time: server.now().toISOString(),
      dev: false,
      reportedBy: 'operator:test',
      data: { action: 'evidence.erase', seq, operator: 'operator:test', reason: 'test' },
    });
  const head = await server.gate.store.head();
  const records = (head?.seq ?? 0) + 1;
  await expect.poll(() => check(server)).toMatchObject({ checked: records, records, faults: 0, last_pass_at: expect.any(String) });
  expect(await readyz(server)).toBe('ready');
  return server;
}

it.each([
  ['a used id that was deleted', "DELETE FROM proposal WHERE id = 'p-7'"],
  ['the used id of an erased decision that was deleted', 'DELETE FROM proposal WHERE verdict_seq = 5'],
  [
    'a used id that nobody decided',
    "INSERT INTO proposal SELECT 'p-none', verdict_seq, reported_by, class, effective_decision, NULL FROM proposal WHERE id = 'p-7'",
  ],
  ['a record in the middle that was deleted', 'DELETE FROM record WHERE seq = 9'],
  ['a record whose data was edited', "UPDATE record SET data = replace(data, 'staging', 'elsewhere') WHERE seq = 8"],
  ['a record whose header was edited', `UPDATE record SET header = replace(header, '"ci"', '"me"') WHERE seq = 8`],
  ['a signature that was replaced', 'UPDATE record SET sig = (SELECT sig FROM record WHERE seq = 2) WHERE seq = 8'],
  ['a result that was deleted', "DELETE FROM result WHERE proposal_id = 'p-1'"],
  ['a decision that the table tells otherwise', "UPDATE proposal SET effective_decision = 'DENY' WHERE id = 'p-7'"],
])('finds %s, and is not ready', async (_, statement) => {
  const server = await filled();
  forge(server, statement);
  await expect.poll(() => readyz(server)).toEqual(DIFFERS);
  expect((await check(server)).faults).toBeGreaterThan(0);
  expect(server.lines.join('')).toContain('The store does not match its chain: ');
  const checks = await inspectStore({ path: storeFileOf(server), checkpointDir: undefined, fast: false });
  expect(checks.every(({ ok }) => ok)).toBe(false);
  // The gate itself goes on.
  expect((await server.submit(proposal('p-after'))).status).toBe(200);
});

it('is ready again after a pass that no longer finds it', async () => {
  const server = await filled();
  const reportedBy = (adapter: string) => `UPDATE proposal SET reported_by = '${adapter}' WHERE id = 'p-2'`;
  forge(server, reportedBy('tool'));
  await expect.poll(() => readyz(server)).toEqual(DIFFERS);
  forge(server, reportedBy('ci'));
  await expect.poll(() => readyz(server)).toBe('ready');
});

it('finds nothing while decisions are recorded', async () => {
  const server = await start();
  const before = async () => (await check(server))?.passes ?? 0;
  for (let number = 0; (await before()) < 3; number++) {
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => server.submit(proposal(`${name}-${number}`))));
    expect(await readyz(server)).toBe('ready');
  }
  expect(await check(server)).toMatchObject({ faults: 0 });
});
