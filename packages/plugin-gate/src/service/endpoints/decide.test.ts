import { describe, expect, it } from 'vitest';
import { canonical, type Json } from '../../json/index.js';
import { readSubmission } from '../../proposal/index.js';
import { check } from '../../verdict/index.js';
import { proposal } from '../testing/gate-folder.test-support.js';
import { expectProblem, gateServers, SECRET, sharedGateServer } from '../testing/gate-server.test-support.js';

const start = gateServers();
const drop = { action: { type: 'database.table.drop', resource: 'postgres://shop/orders' } };
const production = { environment: 'production' };
const ULID = /^apr_[0-9A-HJKMNP-TV-Z]{26}$/;

describe('POST /v1/proposals', () => {
  it('answers a verdict with exactly six members (gate/service.1) (gate/service.4) (gate/post.200)', async () => {
    const server = await start();
    const answer = await server.submit(proposal('p-1'));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(answer.text)).toEqual({
      verdict: expect.objectContaining({ decision: 'ALLOW' }),
      enforced: true,
      effective_decision: 'ALLOW',
      evidence_ref: '3',
      evidence_seq: [2, 3],
      approval: null,
    });
  });

  it('answers a denial with 200, and the adapter acts on effective_decision', async () => {
    const answer = await (await start()).submit(proposal('p-1', drop));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ verdict: { decision: 'DENY' }, effective_decision: 'DENY', approval: null });
  });

  it('answers 202 when an approval is enforced, and says where to ask again (gate/post.202)', async () => {
    const server = await start();
    const answer = await server.submit(proposal('p-1', production));
    expect(answer.status).toBe(202);
    expect(answer.headers.get('location')).toBe('/v1/proposals/p-1');
    expect(answer.headers.get('retry-after')).toBe('5');
    const body = JSON.parse(answer.text);
    expect(body).toMatchObject({ effective_decision: 'REQUIRE_APPROVAL', enforced: true, approval: expect.stringMatching(ULID) });
    expect(await server.gate.store.approval(body.approval)).toMatchObject({ proposalId: 'p-1', state: 'pending', shadow: false });
  });

  it('takes an envelope with a budget and a mandate, as check does (gate/service.6)', async () => {
    const server = await start();
    const budget = {
      budget_id: 'b-1',
      unit: 'USD.cents',
      limit: 100,
      spent: 99,
      period_start: '2026-01-01T00:00:00.000Z',
      period_end: '2026-02-01T00:00:00.000Z',
      as_of: '2026-01-02T03:04:00.000Z',
    };
    const costly = proposal('p-1', { action: { type: 'a.b', resource: 'r', cost: { unit: 'USD.cents', amount: 2 } } });
    const answer = await server.submit({ proposal: costly, budget });
    expect(JSON.parse(answer.text)).toMatchObject({ verdict: { decision: 'DENY', budget: { status: 'exceeded', source: 'caller' } } });
    expect(JSON.parse((await server.submit(proposal('p-2'))).text).verdict.budget).toEqual({ status: 'absent' });
  });

  it('gives the verdict that check gives, byte for byte (gate/service.6)', async () => {
    const server = await start();
    for (const [index, more] of [{}, drop, production, { ...production, ...drop }].entries()) {
      const body = proposal(`p-${index}`, more);
      const read = readSubmission(body as unknown as Json);
      if (!('envelope' in read)) throw new Error('the proposal is valid');
      const { verdict } = await check(
        { ...read.envelope, at: server.now().toISOString() },
        server.gate.policies.deciding(),
        server.gate.evaluator,
      );
      const answer = await server.submit(body);
      expect(answer.text).toContain(`"verdict":${canonical(verdict as unknown as Json)}}`);
      expect(answer.text).toBe(`${canonical(JSON.parse(answer.text))}\n`);
    }
  });

  it('records a proposal and its verdict, linked and numbered, before it answers (gate/service.2) (gate/events.1) (gate/state.1)', async () => {
    const server = await start();
    const answer = JSON.parse((await server.submit(proposal('p-1'))).text);
    const records = await server.records();
    expect(records.map(({ seq, type }) => [seq, type])).toEqual([
      [0, 'genesis'],
      [1, 'admin_action'],
      [2, 'proposal'],
      [3, 'verdict'],
    ]);
    expect(records[3]).toMatchObject({
      reported_by: 'ci',
      data: { proposal_id: 'p-1', proposal_seq: 2, verdict: answer.verdict, enforced: true, effective_decision: 'ALLOW', approval: null },
    });
    expect(records[2]?.data).toMatchObject({
      adapter: { id: 'ci', kind: 'ci' },
      class: 'advisory',
      evaluated_at: '2026-01-02T03:04:05.678Z',
    });
    expect(answer.evidence_seq).toEqual([2, 3]);
  });

  it('numbers records from 0 without a hole, each linked to the hash of the one before (gate/record.1) (gate/record.2) (gate/record.3)', async () => {
    const server = await start();
    await Promise.all(Array.from({ length: 20 }, (_, index) => server.submit(proposal(`p-${index}`))));
    const records = await server.records();
    expect(records.map(({ seq }) => seq)).toEqual(records.map((_, index) => index));
    for (const [index, { prev_hash }] of records.entries()) expect(prev_hash).toBe(records[index - 1]?.hash ?? '0'.repeat(64));
    expect(new Set(records.map(({ type }) => type))).toEqual(new Set(['genesis', 'admin_action', 'proposal', 'verdict']));
    expect(records.every(({ dev }) => !dev)).toBe(true);
  });

  it('keeps the two records of a decision together however many come at once (gate/service.9) (gate/events.5)', async () => {
    const server = await start({ yaml: 'api: {rate_limit: {per_adapter_rps: 0, per_principal_rps: 0}}' });
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => server.submit(proposal(`p-${index}`))));
    const seqs = answers
      .map(({ text }) => JSON.parse(text))
      .map(({ evidence_ref, evidence_seq }) => {
        expect(evidence_seq[1]).toBe(evidence_seq[0] + 1);
        expect(evidence_ref).toBe(String(evidence_seq[1]));
        return evidence_seq[0];
      });
    expect(new Set(seqs).size).toBe(200);
    expect((await server.records()).length).toBe(402);
  });

  it('answers 409 for an id that was used, inside the window and long after, with no second decision (gate/post.409) (gate/state.2) (gate/auth.5)', async () => {
    const server = await start();
    await server.submit(proposal('p-1'));
    const before = await server.records();
    const at = server.now();
    expectProblem(await server.submit(proposal('p-1'), { at }), 409, 'AG-RPL-001');
    expectProblem(await server.submit(proposal('p-1', drop)), 409, 'AG-RPL-001');
    expectProblem(await server.submit(proposal('p-1'), { adapter: 'tool' }), 409, 'AG-RPL-001');
    server.advance(86_400_000);
    expectProblem(await server.submit(proposal('p-1')), 409, 'AG-RPL-001');
    expect(await server.records()).toEqual(before);
  });

  it('knows a used id again after it was started anew', async () => {
    const first = await start();
    await first.submit(proposal('p-1'));
    await first.stop();
    const second = await start({ folder: first.folder });
    expectProblem(await second.submit(proposal('p-1')), 409, 'AG-RPL-001');
    await second.stop();
  });

  it('decides the same id once, however often it comes at once', { timeout: 60_000 }, async () => {
    const server = await start({ yaml: 'api: {rate_limit: {per_adapter_rps: 0, per_principal_rps: 0}}' });
    const answers = await Promise.all(Array.from({ length: 1000 }, () => server.submit(proposal('p-1'))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(999);
    expect((await server.records()).filter(({ type }) => type === 'verdict')).toHaveLength(1);
  });

  it('refuses ids that look like secrets, for they could not be masked', async () => {
    const server = await start();
    const id = `ghp_${'a'.repeat(36)}`;
    const problem = expectProblem(await server.submit(proposal(id)), 422, 'AG-SCH-002');
    expect(JSON.stringify(problem)).not.toContain(id);
  });

  it('refuses a proposal that names another adapter than the one that signed', async () => {
    const server = await start();
    expectProblem(await server.submit(proposal('p-1', { adapter: 'tool' })), 422, 'AG-SCH-008');
    expect((await server.submit(proposal('p-1', { adapter: 'ci' }))).status).toBe(200);
  });

  it('refuses a proposal that claims to be enforcing where the adapter can be gone around, and does not lower it', async () => {
    const server = await start({
      adapters: '{adapter_id: ci, kind: ci, secret_env: CI}, {adapter_id: tool, kind: mcp, secret_env: TOOL, enforcement: advisory}',
    });
    const enforcing = { enforcement: 'enforcing' };
    expectProblem(await server.submit(proposal('p-1', enforcing), { adapter: 'tool' }), 422, 'AG-SCH-008');
    expect((await server.submit(proposal('p-1', enforcing))).status).toBe(200);
    const sdk = await start();
    expectProblem(await sdk.submit(proposal('p-1', enforcing), { adapter: 'tool' }), 422, 'AG-SCH-008');
    expect((await sdk.submit(proposal('p-1', { enforcement: 'advisory' }), { adapter: 'tool' })).status).toBe(200);
  });

  it('refuses a requested_at that is further from the signed time than clocks may differ', async () => {
    const server = await start();
    const at = (ms: number) => ({ requested_at: new Date(server.now().getTime() + ms).toISOString() });
    expectProblem(await server.submit(proposal('p-1', at(300_001))), 422, 'AG-SCH-006');
    expectProblem(await server.submit(proposal('p-1', at(-300_001))), 422, 'AG-SCH-006');
    expect((await server.submit(proposal('p-1', at(300_000)))).status).toBe(200);
    expect((await server.submit(proposal('p-2', at(-300_000)))).status).toBe(200);
    const [recorded] = (await server.records()).filter(({ type }) => type === 'proposal');
    expect(recorded?.data.evaluated_at).toBe('2026-01-02T03:09:05.678Z');
  });

  it('records no secret: neither by its name, nor by its form, nor that of an adapter', async () => {
    const server = await start();
    const parameters = { password: 'hunter2-hunter2', note: `key AKIA${'A'.repeat(16)}`, text: `is ${SECRET} here` };
    await server.submit(proposal('p-1', { action: { type: 'a.b', resource: 'r', parameters } }));
    const all = JSON.stringify(await server.records()) + (await server.send('GET', '/v1/proposals/p-1')).text + server.lines.join('');
    for (const secret of ['hunter2-hunter2', `AKIA${'A'.repeat(16)}`, SECRET]) expect(all).not.toContain(secret);
  });
});

describe('a body that is refused', () => {
  const shared = sharedGateServer();

  it.each<[string, object, string, string]>([
    ['a member that is missing', { ...proposal('p-1'), environment: undefined }, '', 'must have the member environment'],
    ['a member that is not known', { ...proposal('p-1'), s3cret: 1 }, '', 'has a member that is not allowed'],
    ['a wrong type', { ...proposal('p-1'), principal: 'alice' }, '/principal', 'must be object'],
    [
      'a time that is none',
      { ...proposal('p-1'), requested_at: '2026-02-30T00:00:00.000Z' },
      '/requested_at',
      'is not a valid date and time',
    ],
    ['an envelope with a wrong budget', { proposal: proposal('p-1'), budget: {} }, '/budget', 'must have the member budget_id'],
  ])('answers 422 with the path of %s (gate/post.422) (gate/errors.1) (gate/versioning.3)', async (_, body, path, message) => {
    const server = shared();
    const problem = expectProblem(await server.submit(body), 422, 'AG-SCH-002');
    expect(problem).toMatchObject({ type: 'https://svc.invalid/problems/schema', errors: [{ path, message }] });
    expect(await server.records()).toHaveLength(2);
  });

  it.each<[string, string | Uint8Array]>([
    ['no JSON', '{'],
    ['nothing', ''],
    ['a member twice', '{"id":"a","id":"b"}'],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['__proto__', '{"__proto__":{}}'],
    ['an integer that a double cannot hold', '{"id":9007199254740993}'],
  ])('answers 422 for %s', async (_, body) => {
    expectProblem(await shared().send('POST', '/v1/proposals', { body }), 422, 'AG-SCH-001');
  });
});

describe('shadow mode', () => {
  it('tells the adapter to proceed whatever the verdict is, and records it (gate/service.7)', async () => {
    const server = await start({ yaml: 'enforcement: {mode: shadow}' });
    const answer = await server.submit(proposal('p-1', drop));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ verdict: { decision: 'DENY' }, enforced: false, effective_decision: 'ALLOW' });
    expect((await server.records()).at(-1)?.data).toMatchObject({
      enforced: false,
      effective_decision: 'ALLOW',
      verdict: { decision: 'DENY' },
    });
    expect(server.notices.join()).toContain('Shadow mode');
  });

  it('files the approval that would be needed, marks it, and answers 200 (gate/post.202)', async () => {
    const server = await start({ yaml: 'enforcement: {mode: shadow}' });
    const answer = await server.submit(proposal('p-1', production));
    expect(answer.status).toBe(200);
    const { approval, effective_decision } = JSON.parse(answer.text);
    expect(effective_decision).toBe('ALLOW');
    expect(await server.gate.store.approval(approval)).toMatchObject({ shadow: true, state: 'pending' });
  });

  it('can be that of one adapter, or of all but one (gate/service.7)', async () => {
    const one = await start({ yaml: 'enforcement: {adapters: {tool: shadow}}' });
    expect(JSON.parse((await one.submit(proposal('p-1', drop))).text)).toMatchObject({ enforced: true, effective_decision: 'DENY' });
    const shadowed = await one.submit(proposal('p-2', drop), { adapter: 'tool' });
    expect(JSON.parse(shadowed.text)).toMatchObject({ enforced: false, effective_decision: 'ALLOW' });
    const others = await start({ yaml: 'enforcement: {mode: shadow, adapters: {tool: enforcing}}' });
    expect(JSON.parse((await others.submit(proposal('p-1', drop), { adapter: 'tool' })).text)).toMatchObject({ enforced: true });
  });

  it('does not change the verdict', async () => {
    const [enforcing, shadow] = await Promise.all([start(), start({ yaml: 'enforcement: {mode: shadow}' })]);
    const [a, b] = await Promise.all(
      [enforcing, shadow].map(async (server) => JSON.parse((await server.submit(proposal('p-1', drop))).text)),
    );
    expect(b.verdict).toEqual(a.verdict);
  });
});

describe('a gate that cannot decide', () => {
  it.each<[string, Parameters<typeof start>[0], string]>([
    ['has no key', { key: false }, 'AG-EVD-001'],
    ['has no policies', { bundle: false }, 'AG-POL-002'],
    ['has a bundle with errors', { bundle: { 'policies/x.yaml': 'nonsense' } }, 'AG-POL-001'],
    [
      'has a bundle with a broken regular expression',
      {
        bundle: {
          'policies/x.yaml':
            'apiVersion: bylaw.dev/v1\nkind: Policy\nmetadata: {id: x, title: X}\nspec:\n  when: proposal.id.matches("(")\n  effect: allow\n  message: M.\n',
        },
      },
      'AG-POL-001',
    ],
  ])('answers 503 and uses up no id when it %s', async (_, options, code) => {
    const server = await start(options);
    const problem = expectProblem(await server.submit(proposal('p-1')), 503, code);
    expect(problem.detail).toBe('Nothing was decided and nothing was recorded.');
    expect((await server.records()).filter(({ type }) => type === 'verdict' || type === 'proposal')).toEqual([]);
    expectProblem(await server.send('GET', '/v1/proposals/p-1'), 404, 'AG-EVD-007');
  });

  it('refuses when too many decisions wait', async () => {
    const server = await start({ yaml: 'api: {queue_limit: 1, rate_limit: {per_principal_rps: 0}}' });
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => server.submit(proposal(`p-${index}`))));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      expectProblem(answer, 503, 'AG-LIM-003');
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect((await server.records()).filter(({ type }) => type === 'verdict')).toHaveLength(50 - refused.length);
  });

  it('answers anything but a decision with a status of 400 or more, which an adapter that fails closed takes for a refusal (gate/service.8)', async () => {
    const server = await start({ key: false, yaml: 'api: {rate_limit: {per_adapter_rps: 1}}' });
    const answers = [await server.submit({}), ...(await Promise.all(Array.from({ length: 5 }, () => server.submit(proposal('p-1')))))];
    expect(answers.map(({ status }) => status).sort()).toEqual([422, 429, 429, 429, 503, 503]);
    for (const { text } of answers) expect(JSON.parse(text)).not.toHaveProperty('effective_decision');
  });
});
