import { describe, expect, it } from 'vitest';
import { StoreError } from '../store.js';
import { adminUnit, approvalUnit, decisionUnit, resultUnit, TIME } from '../testing/units.test-support.js';
import { dataOf, faultsIn, headerOf, newKey, openFor, optionsFor, recordsOf } from './sqlite.test-support.js';
import { startThreadWriter } from './writes/thread-writer.js';
import type { DecisionTexts } from './writes/unit.js';

/** A server writes on a thread, a command writes by itself: both must leave the same. */
describe.each(['server', 'command'] as const)('a store that a %s has opened', (role) => {
  it('begins the chain with a record that says which chain it is and how to verify it', async () => {
    const key = newKey();
    const store = await openFor(optionsFor({ role, key }));
    const genesis = await store.record('0');
    expect(headerOf(genesis)).toMatchObject({ seq: 0, type: 'genesis', dev: false, reported_by: 'system', prev_hash: '0'.repeat(64) });
    expect(dataOf(genesis)).toMatchObject({
      chain_id: store.chainId,
      public_key: key.signer.publicKey,
      origin: `svc.example/${store.chainId}`,
    });
    expect(store.problems()).toEqual([]);
  });

  it('records a decision as a proposal and its verdict, next to each other (gate/events.1) (gate/service.2)', async () => {
    const store = await openFor(optionsFor({ role }));
    const recorded = await store.decide(decisionUnit('p-1'));
    expect(recorded).toEqual({ ref: '2', seq: [1, 2], time: TIME });
    expect(headerOf(await store.record('1'))).toMatchObject({ type: 'proposal', reported_by: 'ci-main' });
    expect(dataOf(await store.record('2'))).toMatchObject({ proposal_id: 'p-1', proposal_seq: 1, effective_decision: 'ALLOW' });
  });

  it('uses a proposal id once, for ever (gate/state.2)', async () => {
    const options = optionsFor({ role });
    const first = await openFor(options);
    await first.decide(decisionUnit('p-1'));
    expect(await first.decide(decisionUnit('p-1'))).toBeUndefined();
    await first.close();
    const second = await openFor(options);
    expect(await second.decide(decisionUnit('p-1'))).toBeUndefined();
    expect((await second.head())?.seq).toBe(2);
  });

  it('lets exactly one of 1,000 decisions on the same id win', async () => {
    const store = await openFor(optionsFor({ role }));
    const outcomes = await Promise.all(Array.from({ length: 1000 }, () => store.decide(decisionUnit('p-1'))));
    expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual([{ ref: '2', seq: [1, 2], time: TIME }]);
    expect((await store.head())?.seq).toBe(2);
  });

  it('numbers decisions that come at once without a hole, and links and signs them (gate/service.9)', async () => {
    const options = optionsFor({ role });
    const store = await openFor(options);
    const outcomes = await Promise.all(Array.from({ length: 300 }, (_, index) => store.decide(decisionUnit(`p-${index}`))));
    const verdicts = outcomes.map((outcome) => outcome?.seq[1] ?? 0).sort((a, b) => a - b);
    expect(verdicts).toEqual(Array.from({ length: 300 }, (_, index) => 2 + 2 * index));
    expect(faultsIn(options.path)).toEqual([]);
  });

  it('gives a decision back as it was recorded, with what has followed it', async () => {
    const store = await openFor(optionsFor({ role }));
    const unit = decisionUnit('p-1', { decision: 'REQUIRE_APPROVAL' });
    await store.decide(unit);
    await store.report(resultUnit('p-1', { status: 'deferred' }));
    expect(await store.proposal('p-1')).toMatchObject({
      recorded: { ref: '2', seq: [1, 2], time: TIME },
      reportedBy: 'ci-main',
      dev: false,
      proposal: unit.proposal,
      verdict: { ...unit.verdict, proposal_seq: 1 },
      approval: { id: 'apr_p-1', state: 'pending', principal: 'alice', agent: 'bot', adapter: 'ci-main', shadow: false, decisions: [] },
      results: [{ status: 'deferred', assurance: 'adapter', reportedBy: 'ci-main', at: TIME, ref: '4', contradictsVerdict: false }],
    });
    expect(await store.proposal('p-2')).toBeUndefined();
  });

  it.each([
    ['enforcing', 'adapter'],
    ['advisory', 'self'],
  ] as const)('takes the report on an %s proposal as the word of %s (gate/events.2) (gate/result.2)', async (adapterClass, assurance) => {
    const store = await openFor(optionsFor({ role }));
    await store.decide(decisionUnit('p-1', { class: adapterClass }));
    expect(await store.report(resultUnit('p-1'))).toEqual({ kind: 'recorded', recorded: { ref: '3', seq: [3, 3], time: TIME }, assurance });
    expect(headerOf(await store.record('3'))).toMatchObject({ type: 'result', assurance });
    expect(dataOf(await store.record('3'))).toEqual({
      proposal_id: 'p-1',
      verdict_seq: 2,
      status: 'ok',
      report: { status: 'ok' },
      contradicts_verdict: false,
    });
  });

  it('files the approval in the transaction of its decision, and follows it to its end', async () => {
    const store = await openFor(optionsFor({ role }));
    expect(await store.decide(decisionUnit('p-1', { decision: 'REQUIRE_APPROVAL' }))).toEqual({ ref: '2', seq: [1, 2], time: TIME });
    expect(dataOf(await store.record('3'))).toMatchObject({ approval_id: 'apr_p-1', event: 'requested' });
    expect(await store.settle(approvalUnit('apr_p-1', { expect: 'granted', next: 'cancelled', event: 'cancelled' }))).toBeUndefined();
    const granted = await store.settle(approvalUnit('apr_p-1'));
    expect(granted).toEqual({ ref: '4', seq: [4, 4], time: TIME });
    expect(await store.approval('apr_p-1')).toMatchObject({
      state: 'granted',
      grantExpiresAt: '2026-01-02T03:19:05.678Z',
      decisions: [{ approver: 'carol', decision: 'grant', at: TIME, signed: false, reason: 'looks right', groups: ['sre'] }],
    });
    await store.report(resultUnit('p-1'));
    expect((await store.proposal('p-1'))?.results).toMatchObject([{ contradictsVerdict: false }]);
    expect((await store.approval('apr_p-1'))?.state).toBe('consumed');
  });

  it('counts two approvers that come at once one after the other', async () => {
    const store = await openFor(optionsFor({ role }));
    await store.decide(decisionUnit('p-1', { decision: 'REQUIRE_APPROVAL', quorum: 2 }));
    const grant = (approver: string) => store.settle(approvalUnit('apr_p-1', { next: 'pending', approver, expectDecisions: 0 }));
    const outcomes = await Promise.all([grant('carol'), grant('dave')]);
    expect(outcomes.filter((outcome) => outcome !== undefined)).toHaveLength(1);
    expect((await store.approval('apr_p-1'))?.decisions).toHaveLength(1);
  });

  it('records one of 50 final results that come at once, and answers its body again without a second record', async () => {
    const store = await openFor(optionsFor({ role }));
    await store.decide(decisionUnit('p-1'));
    const reports = Array.from({ length: 50 }, (_, index) => resultUnit('p-1', { bodyDigest: `sha256:${index % 25}` }));
    const outcomes = await Promise.all(reports.map((report) => store.report(report)));
    const kinds = outcomes.map(({ kind }) => kind).sort();
    expect(kinds).toEqual([...Array.from({ length: 48 }, () => 'already-final'), 'recorded', 'repeated']);
    expect((await store.head())?.seq).toBe(3);
    expect((await store.proposal('p-1'))?.results).toHaveLength(1);
  });

  it('records administrative acts (gate/events.3)', async () => {
    const store = await openFor(optionsFor({ role }));
    expect(await store.administer(adminUnit({ action: 'adapter.add', adapter: 'ci-main', variable: 'X' }))).toMatchObject({ seq: [1, 1] });
    expect(headerOf(await store.record('1'))).toMatchObject({ type: 'admin_action', reported_by: 'operator:carol' });
  });

  it('records nothing after another head than a unit expects, and stays ready', async () => {
    const store = await openFor(optionsFor({ role }));
    const head = (await store.head())?.hash ?? '';
    await store.administer(adminUnit({ action: 'a' }, { expectHead: head }));
    const late = store.administer(adminUnit({ action: 'b' }, { expectHead: head }));
    await expect(late).rejects.toMatchObject({ code: 'AG-EVD-004' });
    expect((await store.head())?.seq).toBe(1);
    expect(store.problems()).toEqual([]);
  });

  it('stops when another key was put in force', async () => {
    const options = optionsFor({ role });
    const store = await openFor(options);
    const next = newKey();
    const rotation = { event: 'rotated', key_id: next.signer.keyId, public_key: next.signer.publicKey };
    await store.administer(adminUnit(rotation, { type: 'key' }));
    await expect(store.decide(decisionUnit('p-1'))).rejects.toMatchObject({ code: 'AG-EVD-001' });
    expect(store.problems()).toMatchObject([{ code: 'AG-EVD-001' }]);
    await store.close();
    const reopened = await openFor({ ...options, key: next });
    await reopened.decide(decisionUnit('p-1'));
    expect(faultsIn(options.path)).toEqual([]);
  });

  it('never lets time go back when the clock does', async () => {
    const options = optionsFor({ role });
    const store = await openFor(options);
    await store.decide(decisionUnit('p-1', { time: '2026-01-02T03:04:06.000Z' }));
    const after = await store.decide(decisionUnit('p-2', { time: '2025-01-01T00:00:00.000Z' }));
    expect(after?.time).toBe('2026-01-02T03:04:06.000Z');
    expect(headerOf(await store.record('4')).time).toBe('2026-01-02T03:04:06.000Z');
    expect(faultsIn(options.path)).toEqual([]);
  });

  it('names records by their number, and knows no other reference', async () => {
    const store = await openFor(optionsFor({ role }));
    expect(await store.record('0')).toMatchObject({ seq: 0 });
    for (const ref of ['1', '01', '-1', '0x0', '0 ', '1e1', '9'.repeat(30), 'ob_01JD0000000000000000000000', ''])
      expect(await store.record(ref)).toBeUndefined();
  });

  it('reads ranges in order, of all types or of some, up to the head', async () => {
    const store = await openFor(optionsFor({ role }));
    for (let index = 0; index < 5; index++) {
      await store.decide(decisionUnit(`p-${index}`));
      await store.administer(adminUnit());
    }
    const seqs = async (range: Parameters<typeof recordsOf>[1]) => (await recordsOf(store, range)).map(({ seq }) => seq);
    expect(await seqs({ from: 3, to: 6 })).toEqual([3, 4, 5, 6]);
    expect(await seqs({ types: ['admin_action'] })).toEqual([3, 6, 9, 12, 15]);
    expect(await seqs({ from: 4, types: ['admin_action', 'verdict'] })).toEqual([5, 6, 8, 9, 11, 12, 14, 15]);
    expect(await seqs({ from: 14 })).toEqual([14, 15]);
    expect(await seqs({ from: 16 })).toEqual([]);
    expect(await seqs({ from: 5, to: 4 })).toEqual([]);
  });

  it('reads ranges of many and of large records whole', async () => {
    const store = await openFor(optionsFor({ role }));
    const parameters = { text: 'x'.repeat(60_000) };
    await Promise.all(Array.from({ length: 60 }, (_, index) => store.decide(decisionUnit(`p-${index}`, { parameters }))));
    expect((await recordsOf(store)).map(({ seq }) => seq)).toEqual(Array.from({ length: 121 }, (_, seq) => seq));
  });

  it('refuses new units once it is closed', async () => {
    const store = await openFor(optionsFor({ role }));
    await store.close();
    await expect(store.decide(decisionUnit('p-1'))).rejects.toThrow();
  });
});

describe('what a store keeps of results and approvals', () => {
  const role = 'command';

  it('takes any number of deferred reports, one final one, and answers a repeated one again', async () => {
    const store = await openFor(optionsFor({ role }));
    await store.decide(decisionUnit('p-1'));
    await store.report(resultUnit('p-1', { status: 'deferred', bodyDigest: 'a' }));
    await store.report(resultUnit('p-1', { status: 'deferred', bodyDigest: 'b' }));
    const final = await store.report(resultUnit('p-1', { bodyDigest: 'c' }));
    expect(await store.report(resultUnit('p-1', { bodyDigest: 'c' }))).toEqual({ ...final, kind: 'repeated' });
    expect(await store.report(resultUnit('p-1', { bodyDigest: 'd' }))).toEqual({ kind: 'already-final' });
    expect((await store.head())?.seq).toBe(5);
  });

  it('takes reports of no other adapter, and none on what it does not know', async () => {
    const store = await openFor(optionsFor({ role }));
    await store.decide(decisionUnit('p-1'));
    expect(await store.report(resultUnit('p-1', { reportedBy: 'other' }))).toEqual({ kind: 'other-adapter' });
    expect(await store.report(resultUnit('p-2'))).toEqual({ kind: 'unknown-proposal' });
    expect((await store.head())?.seq).toBe(2);
  });

  it.each<[decision: 'DENY' | 'ALLOW', enforced: boolean, status: 'ok' | 'error' | 'timeout' | 'skipped', contradicts: boolean]>([
    ['DENY', true, 'ok', true],
    ['DENY', true, 'error', true],
    ['DENY', true, 'timeout', true],
    ['DENY', true, 'skipped', false],
    ['DENY', false, 'ok', false],
    ['ALLOW', true, 'ok', false],
  ])('says of a %s (enforced: %s) that came out as %s: contradicts the verdict: %s', async (decision, enforced, status, contradicts) => {
    const store = await openFor(optionsFor({ role }));
    await store.decide(decisionUnit('p-1', { decision, enforced }));
    await store.report(resultUnit('p-1', { status }));
    expect((await store.proposal('p-1'))?.results).toMatchObject([{ status, contradictsVerdict: contradicts }]);
  });

  it.each<[string, 'granted' | 'rejected' | undefined, string]>([
    ['is still waited for', undefined, TIME],
    ['was rejected', 'rejected', TIME],
    ['was granted, and the grant is over', 'granted', '2026-01-02T05:00:00.000Z'],
  ])('says that an action that ran while its approval %s contradicts the verdict', async (_, state, time) => {
    const store = await openFor(optionsFor({ role }));
    await store.decide(decisionUnit('p-1', { decision: 'REQUIRE_APPROVAL' }));
    if (state) await store.settle(approvalUnit('apr_p-1', { next: state, event: state }));
    await store.report(resultUnit('p-1', { time }));
    expect((await store.proposal('p-1'))?.results).toMatchObject([{ contradictsVerdict: true }]);
  });

  it('lists approvals by their state, newest first', async () => {
    const store = await openFor(optionsFor({ role }));
    for (const id of ['p-1', 'p-2', 'p-3']) await store.decide(decisionUnit(id, { decision: 'REQUIRE_APPROVAL' }));
    await store.settle(approvalUnit('apr_p-2', { next: 'rejected', event: 'rejected' }));
    expect((await store.approvals('pending')).map(({ id }) => id)).toEqual(['apr_p-3', 'apr_p-1']);
    expect((await store.approvals()).map(({ id }) => id)).toEqual(['apr_p-3', 'apr_p-2', 'apr_p-1']);
  });
});

describe('the server store', () => {
  it('writes what was accepted before it ends', async () => {
    const options = optionsFor({ role: 'server' });
    const store = await openFor(options);
    const accepted = Promise.all(Array.from({ length: 50 }, (_, index) => store.decide(decisionUnit(`p-${index}`))));
    expect((await store.status()).pending).toBe(50);
    await store.close();
    expect((await accepted).every((outcome) => outcome !== undefined)).toBe(true);
  });

  it('is one per file, while commands write beside it', async () => {
    const options = optionsFor({ role: 'server' });
    const server = await openFor(options);
    await expect(openFor(options)).rejects.toMatchObject({ code: 'AG-EVD-002' });
    const command = await openFor({ ...options, role: 'command' });
    const writes = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? server : command).decide(decisionUnit(`p-${index}`)));
    await Promise.all(writes);
    expect(faultsIn(options.path)).toEqual([]);
    await command.close();
    await server.close();
    const next = await openFor(options);
    expect((await next.head())?.seq).toBe(80);
  });

  it('fails all that waits, and says so once, when its thread dies', async () => {
    const options = optionsFor({ role: 'command' });
    await (await openFor(options)).close();
    const fatal: Error[] = [];
    const data = { path: options.path, pem: newKey().pem };
    const writer = await startThreadWriter(data, options.clock, (error) => fatal.push(error));
    // What no type lets through: the thread falls over it.
    const poison = { kind: 'decision' } as DecisionTexts;
    const waiting = [writer.submit(adminUnit()), writer.submit(poison), writer.submit(adminUnit())];
    for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected');
    await expect(writer.submit(adminUnit())).rejects.toMatchObject({ code: 'AG-EVD-002' });
    expect(await writer.probe()).toMatchObject({ fatal: true });
    expect(fatal).toHaveLength(1);
    await writer.close();
  });
});

it('says so when the thread that writes cannot start', async () => {
  const options = optionsFor();
  const thread = startThreadWriter({ path: options.path, pem: 'no key' }, options.clock, () => expect.unreachable());
  await expect(thread).rejects.toMatchObject({ name: 'StoreError', code: 'AG-EVD-002' });
});

describe('a store without its key', () => {
  it('records nothing, says why, and can be read', async () => {
    const options = optionsFor({ role: 'server' });
    const first = await openFor(options);
    await first.decide(decisionUnit('p-1'));
    await first.close();
    const keyless = await openFor({ ...options, key: { problem: 'no evidence signing key exists', hint: '' } });
    expect(keyless.problems()).toEqual([{ code: 'AG-EVD-001', message: 'no evidence signing key exists' }]);
    await expect(keyless.decide(decisionUnit('p-2'))).rejects.toThrow(StoreError);
    expect(await keyless.proposal('p-1')).toBeDefined();
    expect(await recordsOf(keyless)).toHaveLength(3);
  });

  it('does not begin a chain', async () => {
    const store = await openFor(optionsFor({ key: { problem: 'no evidence signing key exists', hint: '' } }));
    expect(store.chainId).toBe('');
    expect(await store.head()).toBeUndefined();
    expect(await recordsOf(store)).toEqual([]);
  });

  it('takes no other key than the one in force', async () => {
    const options = optionsFor();
    await (await openFor(options)).close();
    const store = await openFor({ ...options, key: newKey() });
    expect(store.problems()).toMatchObject([{ code: 'AG-EVD-001' }]);
    await expect(store.decide(decisionUnit('p-1'))).rejects.toMatchObject({ code: 'AG-EVD-001' });
  });
});
