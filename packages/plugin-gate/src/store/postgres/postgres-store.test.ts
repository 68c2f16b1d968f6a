import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkpointNote, recordLine, rotationData, verifyEvidence, writeCheckpoint } from '../../evidence/index.js';
import { newKeyPem, signerFromPem } from '../../keys/index.js';
import type { EvidenceStore } from '../store.js';
import { newOid } from './database/oid.js';
import { grantsFor } from './index.js';
import type { PostgresStoreOptions } from './options.js';
import { chainErrors, decidedIds } from './testing/chain-check.test-support.js';
import { absent, allRecords, openStore, runningServer, SIGNER, server } from './testing/store.test-support.js';
import { aDecision, anAct, anApproval, anErasure, aResult } from './testing/units.test-support.js';

afterAll(() => ('absent' in server ? undefined : server.stop()));

describe.skipIf(absent)('the PostgreSQL store', () => {
  let dsn: string;
  let stores: EvidenceStore[];
  const open = async (said: Partial<PostgresStoreOptions> = {}) => {
    const store = await openStore(dsn, said);
    stores.push(store);
    return store;
  };
  /** One that accepts, and numbers nothing in the time of a test. */
  const openWithoutNumbers = () => open({ pollMs: 60_000, sequenceWaitMs: 0, replica: 'slow' });
  const sql = async (text: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: dsn });
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  };
  beforeEach(async () => {
    dsn = await runningServer().createDatabase();
    stores = [];
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
  });

  describe('deciding', () => {
    it('records a proposal and its verdict side by side, and names the verdict by an outbox identifier (gate/state.1)', async () => {
      const store = await open();
      const recorded = await store.decide(aDecision('p-1'));
      expect(recorded?.ref).toMatch(/^ob_[0-9A-HJKMNP-TV-Z]{26}$/);
      expect(recorded?.seq).toEqual([1, 2]);
      const records = await allRecords(store);
      expect(records.map(({ type }) => type)).toEqual(['genesis', 'proposal', 'verdict']);
      expect(await store.record(recorded?.ref ?? '')).toEqual(records[2]);
      expect(await store.record('2')).toEqual(records[2]);
      expect(chainErrors(records, SIGNER.publicKey)).toEqual([]);
    });

    it('says in the proposal which replica accepted it, and as its how manieth', async () => {
      const store = await open({ replica: 'replica-7' });
      await store.decide(aDecision('p-1'));
      await store.decide(aDecision('p-2'));
      const origins = (await allRecords(store)).filter(({ type }) => type === 'proposal').map(({ data }) => JSON.parse(data ?? '').origin);
      expect(origins).toEqual([
        { replica: 'replica-7', n: 1 },
        { replica: 'replica-7', n: 2 },
      ]);
    });

    it('refuses an id that was used before, in another batch, the same batch, and by another replica (gate/state.2)', async () => {
      const [a, b] = [await open(), await open({ replica: 'b' })];
      const first = await Promise.all([a.decide(aDecision('p-1')), a.decide(aDecision('p-1', { reportedBy: 'second' }))]);
      expect(first.map((recorded) => recorded !== undefined)).toEqual([true, false]);
      expect(await a.decide(aDecision('p-1'))).toBeUndefined();
      expect(await b.decide(aDecision('p-1'))).toBeUndefined();
      expect((await a.proposal('p-1'))?.reportedBy).toBe('ci-main');
    });

    it('gives exactly one decision to an id that comes a thousand times at once to four replicas', async () => {
      const replicas = await Promise.all(['a', 'b', 'c', 'd'].map((replica) => open({ replica })));
      const answers = await Promise.all(Array.from({ length: 1000 }, (_, i) => replicas[i % 4]?.decide(aDecision('same'))));
      expect(answers.filter((recorded) => recorded !== undefined)).toHaveLength(1);
      expect(decidedIds(await allRecords(replicas[0] as EvidenceStore))).toEqual(['same']);
    });

    it('answers [0, 0] while there is no number, and finds proposal and reference all the same', async () => {
      const accepting = await openWithoutNumbers();
      const recorded = await numberless(accepting);
      expect(recorded?.seq).toEqual([0, 0]);
      expect(await accepting.record(recorded?.ref ?? '')).toBe('pending');
      const found = await accepting.proposal('p-x');
      expect(found?.recorded).toEqual(recorded);
      expect(found?.proposal).toMatchObject(aDecision('p-x').proposal);
      expect(found?.verdict).toMatchObject(aDecision('p-x').verdict);
      expect((await accepting.status()).pending).toBe(1);
    });

    it('keeps every text of a decision as it was, byte for byte, in the outbox and in the chain', async () => {
      const store = await open();
      const unit = aDecision('p-1', { decision: 'REQUIRE_APPROVAL' });
      const recorded = await store.decide(unit);
      const found = await store.proposal('p-1');
      expect(found?.recorded).toEqual(recorded);
      expect(found?.proposal).toEqual({ ...unit.proposal, origin: { replica: 'a', n: 1 } });
      expect(found?.verdict).toEqual({ ...unit.verdict, proposal_seq: 1 });
    });
  });

  /** Takes the outbox rows of a store that does not number from before its own sequencer. */
  async function numberless(store: EvidenceStore) {
    const client = new pg.Client({ connectionString: dsn });
    await client.connect();
    // Whoever holds the lock of the chain keeps every sequencer from leading.
    await client.query('SELECT pg_advisory_lock($1, 1)', [0x62796c77]);
    stores.push({ ...store, close: () => client.end() });
    return store.decide(aDecision('p-x'));
  }

  describe('results', () => {
    it('records one, and answers the same body again without a record', async () => {
      const store = await open();
      await store.decide(aDecision('p-1'));
      const first = await store.report(aResult('p-1'));
      expect(first).toMatchObject({ kind: 'recorded', assurance: 'adapter', recorded: { seq: [3, 3] } });
      const again = await store.report(aResult('p-1'));
      expect(again).toMatchObject({ kind: 'repeated', recorded: { ...('recorded' in first ? first.recorded : {}) } });
      expect((await store.head())?.seq).toBe(3);
    });

    it('takes deferred ones before a final one, and nothing after it', async () => {
      const store = await open();
      await store.decide(aDecision('p-1'));
      for (const n of [1, 2])
        expect((await store.report(aResult('p-1', { status: 'deferred', bodyDigest: `${n}` }))).kind).toBe('recorded');
      // A metric may have the name of the member that the number of the verdict goes into.
      const report = { status: 'error', metrics: { verdict_seq: 0 } };
      expect((await store.report(aResult('p-1', { status: 'error', report }))).kind).toBe('recorded');
      expect(JSON.parse((await allRecords(store)).at(-1)?.data ?? '')).toMatchObject({ report, verdict_seq: 2 });
      expect(await store.report(aResult('p-1', { status: 'ok' }))).toEqual({ kind: 'already-final' });
      expect((await store.proposal('p-1'))?.results.map(({ status }) => status)).toEqual(['deferred', 'deferred', 'error']);
    });

    it('lets only one of two final results through that come to two replicas at once', async () => {
      const [a, b] = [await open(), await open({ replica: 'b' })];
      for (let i = 0; i < 10; i++) await a.decide(aDecision(`p-${i}`));
      const all = await Promise.all(
        Array.from({ length: 10 }, (_, i) => [
          a.report(aResult(`p-${i}`, { bodyDigest: 'a' })),
          b.report(aResult(`p-${i}`, { bodyDigest: 'b' })),
        ]).flat(),
      );
      const kinds = all.map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'recorded')).toHaveLength(10);
      expect(kinds.filter((kind) => kind === 'already-final')).toHaveLength(10);
      expect(chainErrors(await allRecords(a), SIGNER.publicKey)).toEqual([]);
    });

    it('knows a proposal that is not there, and an adapter that did not submit it', async () => {
      const store = await open();
      await store.decide(aDecision('p-1'));
      expect(await store.report(aResult('p-2'))).toEqual({ kind: 'unknown-proposal' });
      expect(await store.report(aResult('p-1', { reportedBy: 'other' }))).toEqual({ kind: 'other-adapter' });
    });

    it('is numbered after its decision also when both are in one batch', async () => {
      const store = await open();
      const [, result] = await Promise.all([store.decide(aDecision('p-1')), store.report(aResult('p-1'))]);
      expect(result.kind).toBe('recorded');
      expect(chainErrors(await allRecords(store), SIGNER.publicKey)).toEqual([]);
    });
  });

  describe('approvals', () => {
    it('files one with its decision, moves it once, and uses a grant up with the final result', async () => {
      const store = await open();
      await store.decide(aDecision('p-1', { decision: 'REQUIRE_APPROVAL' }));
      expect(await store.approval('apr_p-1')).toMatchObject({
        state: 'pending',
        principal: 'alice',
        agent: 'deployer',
        adapter: 'ci-main',
      });
      const granted = await store.settle(anApproval('p-1', { expectDecisions: 0 }));
      expect(granted?.seq).toEqual([4, 4]);
      expect(await store.settle(anApproval('p-1', { event: 'rejected', next: 'rejected' }))).toBeUndefined();
      expect((await store.approvals('granted')).map(({ id }) => id)).toEqual(['apr_p-1']);
      expect((await store.report(aResult('p-1'))).kind).toBe('recorded');
      const found = await store.proposal('p-1');
      expect(found?.approval?.state).toBe('consumed');
      expect(found?.approval?.decisions).toEqual([
        { approver: 'bob', decision: 'grant', at: '2026-01-02T03:04:05.678Z', signed: false, reason: 'looks right', groups: ['sre'] },
      ]);
      expect(found?.results[0]?.contradictsVerdict).toBe(false);
    });

    it('counts two approvers who come at once one after the other', async () => {
      // Of another group, so that nobody completes the quorum.
      const half = { expectDecisions: 0, approverGroups: ['ops'] };
      const [a, b] = [await open(), await open({ replica: 'b' })];
      await a.decide(aDecision('p-1', { decision: 'REQUIRE_APPROVAL' }));
      const both = await Promise.all([
        a.settle(anApproval('p-1', { next: 'pending', approver: 'bob', ...half })),
        b.settle(anApproval('p-1', { next: 'pending', approver: 'eve', ...half })),
      ]);
      expect(both.filter((recorded) => recorded !== undefined)).toHaveLength(1);
    });

    it('shows an approval and who decided on it before either is numbered', async () => {
      const store = await openWithoutNumbers();
      await numberless(store);
      await store.decide(aDecision('p-1', { decision: 'REQUIRE_APPROVAL' }));
      await store.settle(anApproval('p-1'));
      expect(await store.approval('apr_p-1')).toMatchObject({ principal: 'alice', decisions: [{ approver: 'bob', decision: 'grant' }] });
    });

    it('marks a result that an approval did not allow', async () => {
      const store = await open();
      await store.decide(aDecision('p-1', { decision: 'REQUIRE_APPROVAL' }));
      await store.report(aResult('p-1'));
      expect((await store.proposal('p-1'))?.results[0]?.contradictsVerdict).toBe(true);
    });
  });

  describe('acts of administrators', () => {
    it('go to the end of the chain at once, between decisions', async () => {
      const store = await open();
      await Promise.all([store.decide(aDecision('p-1')), store.administer(anAct('adapter.add')), store.decide(aDecision('p-2'))]);
      const records = await allRecords(store);
      expect(records.filter(({ type }) => type === 'admin_action')).toHaveLength(1);
      expect(chainErrors(records, SIGNER.publicKey)).toEqual([]);
    });

    it('refuse a head that has moved on', async () => {
      const store = await open();
      const head = await store.head();
      await store.administer(anAct('adapter.add', { expectHead: head?.hash ?? '' }));
      await expect(store.administer(anAct('adapter.add', { expectHead: head?.hash ?? '' }))).rejects.toMatchObject({ code: 'AG-EVD-004' });
    });

    it('hand the chain to a new key: the old one records nothing more, and what it had accepted is still numbered', async () => {
      const old = await open();
      const pem = newKeyPem();
      const next = signerFromPem(pem);
      await old.decide(aDecision('p-1'));
      const head = await old.head();
      await old.administer(
        anAct('', { type: 'key', data: rotationData(next, old.chainId, head?.hash ?? '', 'planned'), expectHead: head?.hash ?? '' }),
      );
      await expect(old.decide(aDecision('p-2'))).rejects.toMatchObject({ code: 'AG-EVD-001' });
      const store = await open({ key: { pem, signer: next }, replica: 'b' });
      expect((await store.decide(aDecision('p-2')))?.seq).toEqual([4, 5]);
      const records = await allRecords(store);
      expect(chainErrors(records.slice(0, 4), SIGNER.publicKey)).toEqual([]);
      expect(chainErrors(records, next.publicKey).filter((error) => /^[45]:/.test(error))).toEqual([]);
    });

    it('erase the data of a record everywhere, and keep the chain whole', async () => {
      const store = await open();
      await store.decide(aDecision('p-1'));
      await store.report(aResult('p-1', { report: { status: 'ok', message: 'a secret' }, bodyDigest: 'digest of a secret' }));
      await store.erase(1, anErasure(1));
      await store.erase(3, anErasure(3));
      const records = await allRecords(store);
      expect(records.filter(({ data }) => data === null).map(({ seq }) => seq)).toEqual([1, 3]);
      // What was erased is not counted any more.
      expect(chainErrors(records, SIGNER.publicKey)).toEqual([]);
      expect((await store.proposal('p-1'))?.proposal).toBeNull();
      const left = await sql(
        'SELECT row_to_json(o)::text AS text FROM bylaw_gate.outbox o UNION ALL SELECT row_to_json(r)::text FROM bylaw_gate.result r',
      );
      expect(left.map(({ text }) => text).join()).not.toMatch(/secret|alice/);
      for (const seq of [1, 0, 99]) await expect(store.erase(seq, anErasure(seq))).rejects.toThrow(RangeError);
    });
  });

  describe('reading', () => {
    it('gives a range in order, whole or of some types, and nothing that came later', async () => {
      const store = await open();
      await Promise.all(Array.from({ length: 300 }, (_, i) => store.decide(aDecision(`p-${i}`))));
      const parts = store.records({ from: 10, to: 580 })[Symbol.asyncIterator]();
      const seqs = [...((await parts.next()).value ?? [])].map(({ seq }) => seq);
      for (let part = await parts.next(); !part.done; part = await parts.next()) seqs.push(...part.value.map(({ seq }) => seq));
      expect(seqs).toEqual(Array.from({ length: 571 }, (_, i) => i + 10));
      let verdicts = 0;
      for await (const part of store.records({ from: 0, to: 600, types: ['verdict'] })) verdicts += part.length;
      expect(verdicts).toBe(300);
      const open601 = store.records({ from: 0, to: 10_000 })[Symbol.asyncIterator]();
      let count = (await open601.next()).value?.length ?? 0;
      await store.decide(aDecision('later'));
      for (let part = await open601.next(); !part.done; part = await open601.next()) count += part.value.length;
      expect(count).toBe(601);
    });

    it('knows neither a number nor a reference that was never given', async () => {
      const store = await open();
      for (const ref of ['99', '01', '-1', 'ob_', newOid(0, (n) => new Uint8Array(n)), "ob_'; DROP TABLE", '9'.repeat(40)])
        expect(await store.record(ref)).toBeUndefined();
      expect(await store.proposal('p-1')).toBeUndefined();
      expect(await store.approval('apr_1')).toBeUndefined();
    });

    it('opens for reading only without a key, and then records nothing', async () => {
      const writing = await open();
      await writing.decide(aDecision('p-1'));
      const store = await open({ role: 'read', key: { problem: 'none', hint: '' } });
      expect(store.chainId).toBe(writing.chainId);
      expect((await store.head())?.seq).toBe(2);
      await expect(store.decide(aDecision('p-2'))).rejects.toMatchObject({ code: 'AG-EVD-002' });
    });
  });

  describe('opening', () => {
    it('makes tables and chain once when four open at once, and goes on with them afterwards', async () => {
      const four = await Promise.all(['a', 'b', 'c', 'd'].map((replica) => open({ replica })));
      expect(new Set(four.map(({ chainId }) => chainId)).size).toBe(1);
      expect(four[0]?.chainId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const [record] = await allRecords(four[0] as EvidenceStore);
      expect(JSON.parse(record?.data ?? '')).toMatchObject({ chain_id: four[0]?.chainId, public_key: SIGNER.publicKey });
    });

    it('finds nothing wrong with a chain that others go on with meanwhile', async () => {
      const busy = await open();
      const dir = mkdtempSync(join(tmpdir(), 'bylaw-checkpoints-'));
      let opened = 0;
      const decide = async (lane: number) => {
        for (let i = 0; opened < 25; i++) await busy.decide(aDecision(`p-${lane}-${i}`));
      };
      const checkpoint = async () => {
        for (let head = await busy.head(); opened < 25; head = await busy.head())
          if (head) await writeCheckpoint(dir, checkpointNote(head, `svc.example/${busy.chainId}`, SIGNER));
      };
      const openAgain = async () => {
        for (; opened < 25; opened++) {
          const store = await openStore(dsn, { replica: 'b', checkpointDir: dir });
          expect(store.problems()).toEqual([]);
          await store.close();
        }
      };
      await Promise.all([decide(0), decide(1), checkpoint(), openAgain().finally(() => (opened = 25))]);
    });

    it('begins no chain where a checkpoint says that there was one', async () => {
      const first = await open();
      const head = await first.head();
      if (head === undefined) throw new Error('no head');
      const dir = mkdtempSync(join(tmpdir(), 'bylaw-checkpoints-'));
      await writeCheckpoint(dir, checkpointNote(head, `svc.example/${first.chainId}`, SIGNER));
      const store = await open({ dsn: await runningServer().createDatabase(), checkpointDir: dir });
      expect(store.problems()).toMatchObject([{ code: 'AG-EVD-004' }]);
      expect(await store.head()).toBeUndefined();
    });

    it('without a key reads, records nothing, and says why', async () => {
      await (await open()).decide(aDecision('p-1'));
      const store = await open({ key: { problem: 'no evidence signing key exists', hint: '' } });
      expect(store.problems()).toEqual([{ code: 'AG-EVD-001', message: 'no evidence signing key exists' }]);
      await expect(store.decide(aDecision('p-2'))).rejects.toMatchObject({ code: 'AG-EVD-001' });
      expect(await store.proposal('p-1')).toBeDefined();
    });

    it('with a key that the chain does not go on with records nothing, and says why', async () => {
      await open();
      const pem = newKeyPem();
      const store = await open({ key: { pem, signer: signerFromPem(pem) } });
      expect(store.problems()).toMatchObject([{ code: 'AG-EVD-001' }]);
      await expect(store.decide(aDecision('p-1'))).rejects.toMatchObject({ code: 'AG-EVD-001' });
    });

    it('does not go on with a chain that a checkpoint has seen longer, unless that is accepted, which is recorded', async () => {
      const first = await open();
      await first.decide(aDecision('p-1'));
      const head = await first.head();
      if (head === undefined) throw new Error('no head');
      const dir = mkdtempSync(join(tmpdir(), 'bylaw-checkpoints-'));
      const longer = { ...head, seq: head.seq + 5, frontier: head.frontier };
      await writeCheckpoint(dir, checkpointNote(longer, `svc.example/${first.chainId}`, SIGNER));
      const store = await open({ checkpointDir: dir, replica: 'b' });
      expect(store.problems()).toMatchObject([{ code: 'AG-EVD-004' }]);
      await expect(store.decide(aDecision('p-2'))).rejects.toMatchObject({ code: 'AG-EVD-004' });
      const accepted = await open({ checkpointDir: dir, acceptRollback: true, replica: 'c' });
      expect(accepted.problems()).toEqual([]);
      expect(JSON.parse((await allRecords(accepted)).at(-1)?.data ?? '')).toMatchObject({ action: 'chain.accept_rollback' });
      expect(await accepted.decide(aDecision('p-2'))).toBeDefined();
    });

    it('does not go on with a chain that has passed a checkpoint with other records', async () => {
      const dir = mkdtempSync(join(tmpdir(), 'bylaw-checkpoints-'));
      const first = await open();
      await first.decide(aDecision('p-1'));
      const [head, { chainId }] = [await first.head(), first];
      if (head === undefined) throw new Error('no head');
      const other = { ...head, hash: '0'.repeat(64) };
      await first.decide(aDecision('p-2'));
      await writeCheckpoint(dir, checkpointNote(head, `svc.example/${chainId}`, SIGNER));
      expect((await open({ checkpointDir: dir })).problems()).toEqual([]);
      await writeCheckpoint(dir, checkpointNote(other, `svc.example/${chainId}`, SIGNER));
      const [problem] = (await open({ checkpointDir: dir })).problems();
      expect(problem).toMatchObject({ code: 'AG-EVD-004', message: expect.stringContaining('Record 2 is not the last record') });
      expect((await open({ checkpointDir: dir, acceptRollback: true })).problems()).toEqual([]);
      expect((await open({ checkpointDir: dir })).problems()).toEqual([]);
    });

    it('refuses a database that acknowledges what is not on its disk', async () => {
      const name = new URL(dsn.replace('@/', '@localhost/')).pathname.slice(1);
      await sql(`ALTER DATABASE "${name}" SET synchronous_commit = off`);
      await expect(openStore(dsn)).rejects.toMatchObject({ code: 'AG-EVD-002', message: expect.stringContaining('synchronous_commit') });
    });

    it('refuses tables of a later version', async () => {
      await open();
      await sql('INSERT INTO bylaw_gate.migration (version) VALUES (1000)');
      await expect(openStore(dsn)).rejects.toMatchObject({ code: 'AG-EVD-004' });
    });

    it('says nothing of the connection string when there is no database', async () => {
      const error = await openStore('postgres://user:hunter2@127.0.0.1:1/none').catch((cause) => cause);
      expect(error).toMatchObject({ code: 'AG-EVD-002' });
      expect(error.message).not.toMatch(/hunter2|127/);
    });
  });

  describe('the rights of roles', () => {
    it('let the service run, and keep it from changing or deleting evidence', async () => {
      await (await open()).decide(aDecision('p-0'));
      const role = `service_${newOid(Date.now(), (n) => new Uint8Array(n).fill(7)).toLowerCase()}`;
      await sql(`CREATE ROLE ${role} LOGIN`);
      await sql(grantsFor(role, 'service'));
      const store = await open({ dsn: dsn.replace(/\/\/[^@]*@/, `//${role}@`), replica: 'limited' });
      await store.decide(aDecision('p-1', { decision: 'REQUIRE_APPROVAL' }));
      await store.settle(anApproval('p-1'));
      expect((await store.report(aResult('p-1'))).kind).toBe('recorded');
      await store.administer(anAct('adapter.add'));
      await expect(store.erase(1, anErasure(1))).rejects.toMatchObject({ code: 'AG-EVD-002' });
      for (const forbidden of [
        "UPDATE bylaw_gate.evidence SET data = 'x'",
        'DELETE FROM bylaw_gate.evidence',
        'DELETE FROM bylaw_gate.outbox',
        'TRUNCATE bylaw_gate.proposal_ids',
      ])
        await expect(sql(`SET ROLE ${role}; ${forbidden}`)).rejects.toThrow(/permission denied/);
      await sql(grantsFor(role, 'operator'));
      await store.erase(1, anErasure(1));
      await sql(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    });

    it('do not let even the owner change or delete what the chain is made of', async () => {
      await (await open()).decide(aDecision('p-1'));
      for (const forbidden of [
        "UPDATE bylaw_gate.evidence SET data = 'x' WHERE seq = 1",
        "UPDATE bylaw_gate.evidence SET header = 'x', data = NULL, salt = NULL WHERE seq = 1",
        'DELETE FROM bylaw_gate.evidence',
        'TRUNCATE bylaw_gate.evidence',
        'UPDATE bylaw_gate.head SET seq = seq - 1',
        'DELETE FROM bylaw_gate.head',
        'DELETE FROM bylaw_gate.proposal_ids',
        "UPDATE bylaw_gate.proposal_ids SET oid = 'x'",
        'UPDATE bylaw_gate.replica SET n = n - 1',
      ])
        await expect(sql(forbidden)).rejects.toThrow(/nothing of the evidence chain/);
    });
  });

  it('leaves a chain that the verification takes, with every kind of record in it', async () => {
    const store = await open();
    await store.decide(aDecision('p-1', { decision: 'REQUIRE_APPROVAL' }));
    await store.settle(anApproval('p-1'));
    await store.report(aResult('p-1'));
    await store.administer(anAct('adapter.add'));
    await store.decide(aDecision('p-2'));
    await store.erase(1, anErasure(1));
    const lines = (await allRecords(store)).map((record) => `${recordLine(record)}\n`);
    const key = { name: `svc.example/${store.chainId}`, publicKey: SIGNER.publicKey };
    const verify = (text: string) => verifyEvidence([{ name: 'export', open: () => Readable.from([Buffer.from(text)]) }], { key });
    const report = await verify(lines.join(''));
    expect(report).toMatchObject({ exit: 0, failures: [] });
  });
});
