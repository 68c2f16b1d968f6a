import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordLine, verifyEvidence } from '../../../evidence/index.js';
import type { EvidenceStore } from '../../store.js';
import { CHAIN_LOCK, LOCK_CLASS } from '../database/names.js';
import { operate } from '../operate/operate.js';
import { decidedIds } from '../testing/chain-check.test-support.js';
import { absent, allRecords, openStore, runningServer, SIGNER, server } from '../testing/store.test-support.js';
import { aDecision, aResult } from '../testing/units.test-support.js';
import { until } from '../testing/until.test-support.js';
import { drop, listQuarantine, release, showQuarantined } from './quarantine.js';

afterAll(() => ('absent' in server ? undefined : server.stop()));

describe.skipIf(absent)('the quarantine', () => {
  let dsn: string;
  let store: EvidenceStore;
  let owner: pg.Client;
  beforeEach(async () => {
    dsn = await runningServer().createDatabase();
    store = await openStore(dsn, { sequenceWaitMs: 0 });
    owner = new pg.Client({ connectionString: dsn });
    await owner.connect();
  });
  afterEach(async () => {
    await store.close();
    await owner.end();
  });
  const asOwner = (sql: string) =>
    owner.query(`ALTER TABLE bylaw_gate.outbox DISABLE TRIGGER USER; ${sql}; ALTER TABLE bylaw_gate.outbox ENABLE TRIGGER USER`);
  /** Decides p-1 to p-3 and reports on p-2, and changes the rows before they are numbered. @returns references, in order */
  const tampered = async (change: string): Promise<string[]> => {
    await owner.query('SELECT pg_advisory_lock($1, $2)', [LOCK_CLASS, CHAIN_LOCK]);
    const refs: string[] = [];
    for (const id of ['p-1', 'p-2', 'p-3']) refs.push((await store.decide(aDecision(id)))?.ref ?? '');
    await store.report(aResult('p-2'));
    await asOwner(change);
    await owner.query('SELECT pg_advisory_unlock_all()');
    await until(async () => (await store.status()).pending === 0 && store.problems().length > 0);
    return refs;
  };
  const verified = async () => {
    const text = (await allRecords(store)).map((record) => `${recordLine(record)}\n`).join('');
    const key = { name: `svc.example/${store.chainId}`, publicKey: SIGNER.publicKey };
    return verifyEvidence([{ name: 'export', open: () => Readable.from([Buffer.from(text)]) }], { key });
  };
  const dropEntry = (ref: string) =>
    operate(dsn, (pool, head) =>
      drop(
        pool,
        ref,
        { time: '2026-01-03T00:00:00.000Z', operator: 'operator:root', reason: 'incident 12' },
        { signer: SIGNER, random: randomBytes, head },
      ),
    );

  const ALTERED = `UPDATE bylaw_gate.outbox SET content = convert_to(replace(convert_from(content, 'UTF8'), 'alice', 'mallory'), 'UTF8') WHERE n = 2`;
  const RESTORED = `UPDATE bylaw_gate.outbox SET content = convert_to(replace(convert_from(content, 'UTF8'), 'mallory', 'alice'), 'UTF8') WHERE n = 2`;

  it('holds an altered decision and what is about it, and shows what it says now', async () => {
    const [, ref = ''] = await tampered(ALTERED);
    const entries = await operate(dsn, (pool) => listQuarantine(pool));
    expect(entries).toMatchObject([
      { ref, kind: 'decision', proposalId: 'p-2', replica: 'a', n: 2, reason: 'its signature does not match its content', state: 'open' },
      { kind: 'result', proposalId: 'p-2', n: 4, reason: 'its decision is not in the chain', state: 'open' },
    ]);
    const shown = await operate(dsn, (pool) => showQuarantined(pool, ref));
    expect(shown?.content).toContain('mallory');
    expect(await operate(dsn, (pool) => showQuarantined(pool, 'ob_x'))).toBeUndefined();
  });

  it('releases what was restored, and only that; the chain then has it, late, and verifies', async () => {
    const [, ref = ''] = await tampered(ALTERED);
    await expect(operate(dsn, (pool, head) => release(pool, ref, { head }))).rejects.toMatchObject({ code: 'AG-EVD-004' });
    await asOwner(RESTORED);
    await operate(dsn, (pool, head) => release(pool, ref, { head }));
    await until(async () => (await store.status()).pending === 0);
    const [result] = await operate(dsn, (pool) => listQuarantine(pool));
    await operate(dsn, (pool, head) => release(pool, result?.ref ?? '', { head }));
    await until(() => store.problems().length === 0);
    expect(decidedIds(await allRecords(store))).toEqual(['p-1', 'p-3', 'p-2']);
    expect((await store.proposal('p-2'))?.results).toMatchObject([{ status: 'ok' }]);
    expect(await operate(dsn, (pool) => listQuarantine(pool))).toEqual([]);
    expect(await verified()).toMatchObject({ exit: 0 });
    await expect(operate(dsn, (pool, head) => release(pool, ref, { head }))).rejects.toThrow(RangeError);
  });

  it('drops what is lost, with a signed record that explains the gap; the id stays used', async () => {
    const [, ref = ''] = await tampered(ALTERED);
    expect(await verified()).toMatchObject({ exit: 1, failures: [{ code: 'origin' }] });
    const [, result] = await operate(dsn, (pool) => listQuarantine(pool));
    await dropEntry(ref);
    const recorded = await dropEntry(result?.ref ?? '');
    await until(() => store.problems().length === 0);
    expect(JSON.parse((await allRecords(store))[recorded.seq[0]]?.data ?? '')).toMatchObject({
      action: 'quarantine.drop',
      replica: 'a',
      n: 4,
    });
    expect(await store.proposal('p-2')).toBeUndefined();
    expect(await store.decide(aDecision('p-2'))).toBeUndefined();
    expect(await store.decide(aDecision('p-4'))).toBeDefined();
    await until(async () => (await store.status()).pending === 0);
    expect(await verified()).toMatchObject({ exit: 0, failures: [] });
    await expect(dropEntry(ref)).rejects.toThrow(RangeError);
    await expect(operate(dsn, (pool, head) => release(pool, ref, { head }))).rejects.toThrow(RangeError);
  });

  it('lists rows that are missing, which can only be dropped', { timeout: 30_000 }, async () => {
    await owner.query('SELECT pg_advisory_lock($1, $2)', [LOCK_CLASS, CHAIN_LOCK]);
    for (const id of ['p-1', 'p-2']) await store.decide(aDecision(id));
    await asOwner('DELETE FROM bylaw_gate.outbox WHERE n = 2');
    await owner.query('SELECT pg_advisory_unlock_all()');
    await until(() => store.problems().length > 0);
    expect(await operate(dsn, (pool) => listQuarantine(pool))).toMatchObject([{ ref: 'missing:a:2', state: 'open' }]);
    await expect(operate(dsn, (pool, head) => release(pool, 'missing:a:2', { head }))).rejects.toThrow(RangeError);
    await dropEntry('missing:a:2');
    await until(() => store.problems().length === 0);
    expect(await operate(dsn, (pool) => listQuarantine(pool))).toMatchObject([{ ref: 'missing:a:2', state: 'dropped' }]);
    expect(await store.decide(aDecision('p-3'))).toBeDefined();
    await until(async () => (await store.status()).pending === 0);
    expect(await verified()).toMatchObject({ exit: 0 });
  });
});
