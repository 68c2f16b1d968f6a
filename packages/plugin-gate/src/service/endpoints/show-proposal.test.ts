import { describe, expect, it } from 'vitest';
import { proposal, writeBundle } from '../testing/gate-folder.test-support.js';
import { expectProblem, type GateServer, type GateServerOptions, gateServers } from '../testing/gate-server.test-support.js';
import { settle } from '../testing/settle.test-support.js';

const startServer = gateServers();
const APPROVERS = `approvers: [{id: olga, public_key: ${'A'.repeat(43)}, groups: [sre]}]\n`;
const start = ({ yaml = '', ...options }: GateServerOptions = {}) => startServer({ ...options, yaml: APPROVERS + yaml });
const production = { environment: 'production' };

async function getProposal(server: GateServer, id = 'p-1') {
  const answer = await server.send('GET', `/v1/proposals/${id}`);
  expect(answer.status).toBe(200);
  return JSON.parse(answer.text);
}

describe('GET /v1/proposals/{id}', () => {
  it('gives the proposal and its verdict as recorded, so that a lost answer is found again', async () => {
    const server = await start();
    const answered = JSON.parse((await server.submit(proposal('p-1', { justification: 'because' }))).text);
    expect(await getProposal(server)).toEqual({
      ...answered,
      proposal: { ...proposal('p-1', { justification: 'because' }), enforcement: 'advisory' },
      budget: null,
      mandate: null,
      adapter: 'ci',
      enforcement: 'advisory',
      recorded_at: '2026-01-02T03:04:05.678Z',
      dev: false,
      effective_decision_now: 'ALLOW',
      approval_status: null,
      results: [],
    });
    expect((await server.send('GET', '/v1/proposals/p-1', { adapter: 'tool' })).status).toBe(200);
    expectProblem(await server.send('GET', '/v1/proposals/p-2'), 404, 'AG-EVD-007');
  });

  it('follows an approval from pending to granted to used, and keeps what was answered', async () => {
    const server = await start();
    const { approval } = JSON.parse((await server.submit(proposal('p-1', production))).text);
    expect(await getProposal(server)).toMatchObject({
      effective_decision: 'REQUIRE_APPROVAL',
      effective_decision_now: 'REQUIRE_APPROVAL',
      approval,
      approval_status: { id: approval, state: 'pending', quorum: 1, decisions: [], expires_at: '2026-01-02T03:05:05.678Z', shadow: false },
    });
    await settle(server, approval, 'granted');
    expect(await getProposal(server)).toMatchObject({
      effective_decision: 'REQUIRE_APPROVAL',
      effective_decision_now: 'ALLOW',
      approval_status: {
        state: 'granted',
        grant_expires_at: '2026-01-02T03:04:35.678Z',
        decisions: [{ approver: 'olga', decision: 'grant' }],
      },
    });
    await server.send('POST', '/v1/proposals/p-1/result', { body: { status: 'ok' } });
    expect(await getProposal(server)).toMatchObject({
      effective_decision_now: 'DENY',
      approval_status: { state: 'consumed' },
      results: [{ contradicts_verdict: false }],
    });
  });

  it('denies when an approver has rejected', async () => {
    const server = await start();
    const { approval } = JSON.parse((await server.submit(proposal('p-1', production))).text);
    await settle(server, approval, 'rejected');
    expect(await getProposal(server)).toMatchObject({ effective_decision_now: 'DENY', approval_status: { state: 'rejected' } });
  });

  it('denies when nobody has decided in time, and records that once', async () => {
    const server = await start();
    await server.submit(proposal('p-1', production));
    server.advance(60_000);
    await Promise.all([getProposal(server), getProposal(server), getProposal(server)]);
    expect(await getProposal(server)).toMatchObject({ effective_decision_now: 'DENY', approval_status: { state: 'expired' } });
    const expired = (await server.records()).filter(({ type, data }) => type === 'approval' && data.event === 'expired');
    expect(expired).toHaveLength(1);
    expect(expired[0]?.reported_by).toBe('system');
  });

  it('denies again when the time of the grant is over', async () => {
    const server = await start();
    const { approval } = JSON.parse((await server.submit(proposal('p-1', production))).text);
    await settle(server, approval, 'granted');
    server.advance(30_000);
    expect(await getProposal(server)).toMatchObject({ effective_decision_now: 'DENY', approval_status: { state: 'lapsed' } });
  });

  it('denies again when the policies have changed since', async () => {
    const server = await start();
    const { approval } = JSON.parse((await server.submit(proposal('p-1', production))).text);
    await settle(server, approval, 'granted');
    await writeBundle(server.folder, {
      'bundle.yaml': 'apiVersion: bylaw.dev/v1\nkind: Bundle\nid: test\nversion: 1.0.1\ndefault: deny\n',
    });
    await server.reload();
    expect(await getProposal(server)).toMatchObject({ effective_decision_now: 'DENY', approval_status: { state: 'lapsed' } });
  });

  it('stays ALLOW in shadow mode whatever becomes of the approval (gate/service.7)', async () => {
    const server = await start({ yaml: 'enforcement: {mode: shadow}' });
    const { approval } = JSON.parse((await server.submit(proposal('p-1', production))).text);
    await settle(server, approval, 'rejected');
    expect(await getProposal(server)).toMatchObject({
      effective_decision_now: 'ALLOW',
      approval_status: { state: 'rejected', shadow: true },
    });
  });

  it('shows null for what was erased', async () => {
    const server = await start();
    const { evidence_seq } = JSON.parse((await server.submit(proposal('p-1'))).text);
    const unit = {
      kind: 'admin',
      type: 'admin_action',
      time: server.now().toISOString(),
      dev: false,
      reportedBy: 'operator:olga',
    } as const;
    for (const seq of evidence_seq) await server.gate.store.erase(seq, { ...unit, data: { action: 'evidence.erase', seq } });
    expect(await getProposal(server)).toMatchObject({ proposal: null, verdict: null, effective_decision: null, adapter: 'ci' });
  });
});

describe('the sweep', () => {
  it('records what nobody has asked for since it lapsed', async () => {
    const server = await start({ yaml: 'approvals: {sweep_seconds: 1}' });
    await server.submit(proposal('p-1', production));
    server.advance(60_000);
    await expect.poll(async () => (await server.records()).at(-1)?.data, { timeout: 10_000 }).toMatchObject({ event: 'expired' });
  });
});
