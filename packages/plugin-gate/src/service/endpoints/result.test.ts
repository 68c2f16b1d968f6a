import { rename } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { proposal } from '../testing/gate-folder.test-support.js';
import { expectProblem, type GateServer, gateServers, SECRET, sharedGateServer } from '../testing/gate-server.test-support.js';

const start = gateServers();
const report = (server: GateServer, id: string, body: object, adapter = 'ci') =>
  server.send('POST', `/v1/proposals/${id}/result`, { body, adapter });

describe('POST /v1/proposals/{id}/result', () => {
  const shared = sharedGateServer({ yaml: 'api: {rate_limit: {per_principal_rps: 0}}' });

  it('records a report and answers where it is (gate/service.2) (gate/events.2) (gate/result.1)', async () => {
    const server = shared();
    await server.submit(proposal('p-1'));
    const body = { status: 'ok', exit_code: 0, message: 'done', metrics: { seconds: 1.5 } };
    const answer = await report(server, 'p-1', body);
    expect(answer.status).toBe(200);
    const { evidence_seq } = JSON.parse(answer.text);
    expect(JSON.parse(answer.text)).toEqual({
      proposal_id: 'p-1',
      status: 'ok',
      assurance: 'self',
      evidence_ref: String(evidence_seq[0]),
      evidence_seq: [evidence_seq[0], evidence_seq[0]],
      final: true,
    });
    expect((await server.records())[evidence_seq[0]]).toMatchObject({
      type: 'result',
      assurance: 'self',
      reported_by: 'ci',
      data: { proposal_id: 'p-1', status: 'ok', report: body, contradicts_verdict: false },
    });
  });

  it.each(['ok', 'error', 'skipped', 'timeout', 'deferred'])('takes the status %s (gate/result.1)', async (status) => {
    const server = shared();
    await server.submit(proposal(`p-${status}`));
    expect(JSON.parse((await report(server, `p-${status}`, { status })).text)).toMatchObject({ status, final: status !== 'deferred' });
  });

  it.each([{ status: 'OK' }, { status: 'done' }, {}, { status: 'ok', extra: 1 }])('refuses %j (gate/result.1)', async (body) => {
    expectProblem(await report(shared(), 'p-1', body), 422, 'AG-SCH-002');
  });

  it('has the assurance that the enforcement of the proposal gives it (gate/result.2) (gate/record.5) (gate/events.2)', async () => {
    const server = shared();
    const assurance = async (id: string, more: object) => {
      await server.submit(proposal(id, { ...more }));
      return JSON.parse((await report(server, id, { status: 'ok' })).text).assurance;
    };
    expect(await assurance('p-enforcing', { enforcement: 'enforcing' })).toBe('adapter');
    expect(await assurance('p-advisory', { enforcement: 'advisory' })).toBe('self');
    expect(await assurance('p-absent', {})).toBe('self');
    const others = (await server.records()).filter(({ type }) => type !== 'result');
    expect(others.every((record) => record.assurance === undefined)).toBe(true);
  });

  it('records one of 50 different reports that come at once, and refuses the others', async () => {
    const server = shared();
    await server.submit(proposal('p-race'));
    const bodies = Array.from({ length: 50 }, (_, n) => ({ status: 'ok', message: `report ${n}` }));
    const answers = await Promise.all(bodies.map((body) => report(server, 'p-race', body)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(49);
    for (const answer of refused) expectProblem(answer, 409, 'AG-RPL-002');
    const results = (await server.records()).filter(({ type, data }) => type === 'result' && data?.proposal_id === 'p-race');
    expect(results).toHaveLength(1);
  });

  it('takes deferred any number of times, and one other status', async () => {
    const server = shared();
    await server.submit(proposal('p-many'));
    expect((await report(server, 'p-many', { status: 'deferred', message: '1' })).status).toBe(200);
    expect((await report(server, 'p-many', { status: 'deferred', message: '2' })).status).toBe(200);
    expect((await report(server, 'p-many', { status: 'error' })).status).toBe(200);
    expectProblem(await report(server, 'p-many', { status: 'ok' }), 409, 'AG-RPL-002');
    expectProblem(await report(server, 'p-many', { status: 'deferred' }), 409, 'AG-RPL-002');
    const shown = JSON.parse((await server.send('GET', '/v1/proposals/p-many')).text);
    expect(shown.results.map(({ status }: { status: string }) => status)).toEqual(['deferred', 'deferred', 'error']);
  });

  it('answers the same report again without a second record', async () => {
    const server = shared();
    await server.submit(proposal('p-lost'));
    const first = await report(server, 'p-lost', { status: 'ok' });
    const before = await server.records();
    const second = await report(server, 'p-lost', { status: 'ok' });
    expect(JSON.parse(second.text)).toEqual(JSON.parse(first.text));
    expect(await server.records()).toEqual(before);
  });

  it('is for the adapter that submitted', async () => {
    const server = shared();
    await server.submit(proposal('p-mine'));
    expectProblem(await report(server, 'p-mine', { status: 'ok' }, 'tool'), 403, 'AG-IDN-006');
    expectProblem(await report(server, 'p-none', { status: 'ok' }), 404, 'AG-EVD-007');
  });

  it('says that a report contradicts the verdict, and refuses none for it', async () => {
    const server = shared();
    const drop = { action: { type: 'database.table.drop', resource: 'x' } };
    const contradicts = async (id: string, more: object, status: string) => {
      await server.submit(proposal(id, { ...more }));
      expect((await report(server, id, { status })).status).toBe(200);
      return JSON.parse((await server.send('GET', `/v1/proposals/${id}`)).text).results[0].contradicts_verdict;
    };
    expect(await contradicts('p-ran', drop, 'ok')).toBe(true);
    expect(await contradicts('p-skipped', drop, 'skipped')).toBe(false);
    expect(await contradicts('p-waiting', { environment: 'production' }, 'timeout')).toBe(true);
  });

  it('records no secret of a report', async () => {
    const server = shared();
    await server.submit(proposal('p-secret'));
    await report(server, 'p-secret', { status: 'error', message: `Bearer ${'t'.repeat(40)} and ${SECRET}` });
    const all = JSON.stringify(await server.records());
    expect(all).not.toContain('t'.repeat(40));
    expect(all).not.toContain(SECRET);
  });
});

describe('a result without a key', () => {
  it('is answered 503', async () => {
    const first = await start();
    await first.submit(proposal('p-1'));
    await first.stop();
    await rename(`${first.folder}/.bylaw/signing.key`, `${first.folder}/elsewhere.key`);
    const second = await start({ folder: first.folder });
    expectProblem(await report(second, 'p-1', { status: 'ok' }), 503, 'AG-EVD-001');
    expect((await second.send('GET', '/v1/proposals/p-1')).status).toBe(200);
    await second.stop();
  });
});
