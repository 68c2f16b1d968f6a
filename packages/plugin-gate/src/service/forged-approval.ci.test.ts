import { expect, it } from 'vitest';
import { inspectStore } from '../store/index.js';
import { forge, storeFileOf } from './testing/forge.test-support.js';
import { proposal } from './testing/gate-folder.test-support.js';
import { expectProblem, type GateServer, gateServers } from './testing/gate-server.test-support.js';
import { settle } from './testing/settle.test-support.js';

// Who can write the file of the store, but has no key, must not change what the gate answers.

const start = gateServers();
const production = { environment: 'production' };

async function asked(server: GateServer, id: string): Promise<string> {
  return JSON.parse((await server.submit(proposal(id, production))).text).approval;
}

const get = (server: GateServer, id = 'p-1') => server.send('GET', `/v1/proposals/${id}`);
const getProposal = async (server: GateServer, id = 'p-1') => JSON.parse((await get(server, id)).text);
const readyz = async (server: GateServer) => {
  const { status, text } = await server.send('GET', '/readyz');
  return { status, codes: (JSON.parse(text).reasons ?? []).map(({ code }: { code: string }) => code) };
};
const doctor = async (server: GateServer) =>
  (await inspectStore({ path: storeFileOf(server), checkpointDir: undefined, fast: false }))
    .filter(({ ok }) => !ok)
    .map(({ name }) => name);

/** A server with two proposals that wait for an approval, one that was rejected, one that was granted, and one that has run. */
async function someApprovals() {
  const server = await start({ yaml: `approvers: [{id: olga, public_key: ${'A'.repeat(43)}, groups: [sre]}]` });
  const ids = { waits: await asked(server, 'p-1'), other: await asked(server, 'p-2') };
  await settle(server, await asked(server, 'p-rejected'), 'rejected');
  await settle(server, await asked(server, 'p-granted'), 'granted');
  await settle(server, await asked(server, 'p-used'), 'granted');
  await server.send('POST', '/v1/proposals/p-used/result', { body: { status: 'ok' } });
  expect(await readyz(server)).toEqual({ status: 200, codes: [] });
  expect(await doctor(server)).toEqual([]);
  return { server, ...ids };
}

const now = (state: string, decision: string) => ({ effective_decision_now: decision, approval_status: { state } });

it.each<[string, string, string, object]>([
  [
    'a grant by one statement',
    "UPDATE approval SET state = 'granted' WHERE proposal_id = 'p-1'",
    'p-1',
    now('pending', 'REQUIRE_APPROVAL'),
  ],
  [
    'a rejection turned into a grant',
    "UPDATE approval SET state = 'granted' WHERE proposal_id = 'p-rejected'",
    'p-rejected',
    now('rejected', 'DENY'),
  ],
  [
    'a used grant turned into a fresh one',
    "UPDATE approval SET state = 'granted' WHERE proposal_id = 'p-used'",
    'p-used',
    now('consumed', 'DENY'),
  ],
  ['a grant taken away', "UPDATE approval SET state = 'rejected' WHERE proposal_id = 'p-granted'", 'p-granted', now('granted', 'ALLOW')],
  [
    'a grant that lasts',
    "UPDATE approval SET grant_expires_at = '2099-01-01T00:00:00.000Z' WHERE proposal_id = 'p-granted'",
    'p-granted',
    { approval_status: { grant_expires_at: '2026-01-02T03:04:35.678Z' } },
  ],
  [
    'a longer wait',
    "UPDATE approval SET expires_at = '2099-01-01T00:00:00.000Z' WHERE proposal_id = 'p-1'",
    'p-1',
    { approval_status: { expires_at: '2026-01-02T03:05:05.678Z' } },
  ],
  [
    'another quorum',
    `UPDATE approval SET need = replace(need, '"quorum":1', '"quorum":0') WHERE proposal_id = 'p-1'`,
    'p-1',
    { approval_status: { quorum: 1 } },
  ],
  [
    'another bundle',
    "UPDATE approval SET bundle_digest = 'sha256:0' WHERE proposal_id = 'p-granted'",
    'p-granted',
    now('granted', 'ALLOW'),
  ],
  ['shadow mode', "UPDATE approval SET shadow = 1 WHERE proposal_id = 'p-1'", 'p-1', { approval_status: { shadow: false } }],
  ['another proposal', "UPDATE approval SET proposal_id = 'p-used' WHERE proposal_id = 'p-1'", 'p-1', now('pending', 'REQUIRE_APPROVAL')],
  ['a row that is gone', "DELETE FROM approval WHERE proposal_id = 'p-granted'", 'p-granted', now('granted', 'ALLOW')],
  [
    'the event of a grant that is another one',
    "INSERT INTO approval_event SELECT (SELECT id FROM approval WHERE proposal_id = 'p-1'), seq, event FROM approval_event JOIN approval ON approval_id = id WHERE proposal_id = 'p-granted' AND event = 'granted'",
    'p-1',
    now('pending', 'REQUIRE_APPROVAL'),
  ],
  ['a rejection that is gone', "DELETE FROM approval_event WHERE event = 'rejected'", 'p-rejected', now('rejected', 'DENY')],
  [
    'a result that is gone',
    'DELETE FROM result',
    'p-used',
    { ...now('consumed', 'DENY'), results: [{ status: 'ok', contradicts_verdict: false }] },
  ],
  [
    'a result that says otherwise',
    "UPDATE result SET status = 'skipped', contradicts_verdict = 1",
    'p-used',
    { results: [{ status: 'ok', contradicts_verdict: false }] },
  ],
  [
    'the result of another',
    "INSERT INTO result SELECT 'p-1', seq, 'ok', 0, NULL FROM result",
    'p-1',
    { ...now('pending', 'REQUIRE_APPROVAL'), results: [] },
  ],
  ['another reporter', "UPDATE proposal SET reported_by = 'tool' WHERE id = 'p-1'", 'p-1', { adapter: 'ci' }],
  [
    'another decision',
    "UPDATE proposal SET effective_decision = 'ALLOW' WHERE id = 'p-1'",
    'p-1',
    { effective_decision: 'REQUIRE_APPROVAL', effective_decision_now: 'REQUIRE_APPROVAL' },
  ],
  [
    'the approval of another',
    "UPDATE proposal SET approval_id = (SELECT approval_id FROM proposal WHERE id = 'p-granted') WHERE id = 'p-1'",
    'p-1',
    now('pending', 'REQUIRE_APPROVAL'),
  ],
])('answers from the records, and is not ready, after %s', async (_, statement, id, expected) => {
  const { server } = await someApprovals();
  forge(server, statement);
  expect(await getProposal(server, id)).toMatchObject(expected);
  expect(await readyz(server)).toEqual({ status: 503, codes: ['AG-EVD-008'] });
  expect(server.lines.some((line) => line.includes('AG-EVD-008'))).toBe(true);
  expect(await doctor(server)).toContain('tables');
  // The gate itself goes on.
  expect((await server.submit(proposal('p-after'))).status).toBe(200);
});

it.each<[string, string, string]>([
  [
    'a decision on another approval',
    `UPDATE record SET data = replace(data, '"event":"rejected"', '"event":"granted"') WHERE data LIKE '%"event":"rejected"%'`,
    'p-rejected',
  ],
  [
    'a grant that names this approval now',
    "UPDATE record SET data = replace(data, (SELECT id FROM approval WHERE proposal_id = 'p-granted'), (SELECT id FROM approval WHERE proposal_id = 'p-1')) WHERE data LIKE '%\"event\":\"granted\"%'",
    'p-1',
  ],
  [
    'a result that names another proposal now',
    `UPDATE record SET data = replace(data, '"p-used"', '"p-else"') WHERE type = 'result'`,
    'p-used',
  ],
  [
    'a verdict that says ALLOW',
    `UPDATE record SET data = replace(data, '"effective_decision":"REQUIRE_APPROVAL"', '"effective_decision":"ALLOW"') WHERE type = 'verdict'`,
    'p-1',
  ],
  [
    'the records of another proposal',
    "UPDATE proposal SET verdict_seq = (SELECT verdict_seq FROM proposal WHERE id = 'p-granted') WHERE id = 'p-1'",
    'p-1',
  ],
  ['records that are no decision', "UPDATE proposal SET verdict_seq = verdict_seq + 1 WHERE id = 'p-1'", 'p-1'],
  ['a record that is gone', 'DELETE FROM record WHERE data LIKE \'%"event":"rejected"%\'', 'p-rejected'],
  ['a signature of another record', "UPDATE record SET sig = (SELECT sig FROM record WHERE seq = 0) WHERE type = 'approval'", 'p-2'],
])('refuses to answer, and is not ready, after %s', async (_, statement, id) => {
  const { server } = await someApprovals();
  await server.stop();
  const again = await start({ folder: server.folder });
  forge(again, statement);
  const problem = expectProblem(await get(again, id), 503, 'AG-EVD-004');
  expect(JSON.stringify(problem)).not.toContain(id);
  expect(await readyz(again)).toEqual({ status: 503, codes: ['AG-EVD-008'] });
  expect(await doctor(again)).toEqual(expect.arrayContaining([expect.stringMatching(/^(chain|tables)$/)]));
  expect((await again.submit(proposal('p-after'))).status).toBe(200);
});

it('says at once, without being asked for any proposal, that an approval was granted while nothing ran', async () => {
  const { server } = await someApprovals();
  await server.stop();
  forge(server, "UPDATE approval SET state = 'granted', grant_expires_at = '2099-01-01T00:00:00.000Z' WHERE proposal_id = 'p-1'");
  const again = await start({ folder: server.folder });
  expect(await readyz(again)).toEqual({ status: 503, codes: ['AG-EVD-008'] });
});

it('is ready again when the row says what the records say', async () => {
  const { server } = await someApprovals();
  forge(server, "UPDATE approval SET state = 'granted' WHERE proposal_id = 'p-1'");
  await getProposal(server);
  expect((await readyz(server)).status).toBe(503);
  forge(server, "UPDATE approval SET state = 'pending' WHERE proposal_id = 'p-1'");
  server.advance(1000);
  expect((await readyz(server)).status).toBe(200);
});

it('records that an action ran without an approval, whatever the table says', async () => {
  const { server } = await someApprovals();
  forge(
    server,
    "UPDATE approval SET state = 'granted', grant_expires_at = '2099-01-01T00:00:00.000Z' WHERE proposal_id = 'p-1'",
    "UPDATE proposal SET effective_decision = 'ALLOW' WHERE id = 'p-1'",
  );
  await server.send('POST', '/v1/proposals/p-1/result', { body: { status: 'ok' } });
  expect((await server.records()).at(-1)).toMatchObject({ type: 'result', data: { contradicts_verdict: true } });
  expect(await getProposal(server)).toMatchObject({ results: [{ contradicts_verdict: true }], ...now('consumed', 'DENY') });
});

it('takes a result from the adapter that submitted only, whatever the table says', async () => {
  const { server } = await someApprovals();
  forge(server, "UPDATE proposal SET reported_by = 'tool' WHERE id = 'p-granted'");
  expectProblem(
    await server.send('POST', '/v1/proposals/p-granted/result', { adapter: 'tool', body: { status: 'ok' } }),
    403,
    'AG-IDN-006',
  );
  expect((await server.send('POST', '/v1/proposals/p-granted/result', { body: { status: 'ok' } })).status).toBe(200);
});

it('refuses a result of its proposal only, when a result is filed that nobody reported', async () => {
  const { server } = await someApprovals();
  forge(server, "INSERT INTO result SELECT 'p-granted', seq, 'ok', 0, NULL FROM result");
  const report = (id: string) => server.send('POST', `/v1/proposals/${id}/result`, { body: { status: 'skipped' } });
  const answers = await Promise.all([report('p-granted'), report('p-1'), server.submit(proposal('p-after'))]);
  expect(answers.map(({ status }) => status)).toEqual([503, 200, 200]);
});

it('lists an approval that nobody requested as none', async () => {
  const { server, waits } = await someApprovals();
  const row =
    "SELECT 'apr_none', 'p-granted', 'granted', need, shadow, input_digest, bundle_digest, requested_at, expires_at, '2099-01-01T00:00:00.000Z'";
  forge(server, `INSERT INTO approval ${row} FROM approval WHERE id = '${waits}'`);
  expect((await server.gate.store.approvals('granted')).map(({ proposalId }) => proposalId)).toEqual(['p-granted']);
  expect(await server.gate.store.approval('apr_none')).toBeUndefined();
  expect(await doctor(server)).toEqual(['tables']);
});
