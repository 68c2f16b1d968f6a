import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordLine, verifyEvidence } from '../../evidence/index.js';
import { type EvidenceStore, StoreError } from '../store.js';
import { acceptUnits } from './accept/accept.js';
import { followHead } from './chain/head.js';
import { newOid } from './database/oid.js';
import { openWhenThere } from './database/wait-for-database.js';
import type { PostgresStoreOptions } from './options.js';
import { CHAIN_LOCK, LOCK_CLASS } from './schema/schema.js';
import { inTransaction, Rollback } from './schema/transaction.js';
import { sealHere } from './seal/seal-rows.js';
import { sequenceRound } from './sequence/sequence.js';
import { chainErrors, decidedIds } from './testing/chain-check.test-support.js';
import { startProxy } from './testing/proxy.test-support.js';
import { startReplica } from './testing/replicas.test-support.js';
import { absent, allRecords, openStore, runningServer, SIGNER, server } from './testing/store.test-support.js';
import { aDecision, anAct } from './testing/units.test-support.js';
import { until } from './testing/until.test-support.js';

afterAll(() => ('absent' in server ? undefined : server.stop()));

describe.skipIf(absent)('the PostgreSQL store, when things go wrong', () => {
  let dsn: string;
  let ends: (() => Promise<unknown>)[];
  const open = async (said: Partial<PostgresStoreOptions> = {}): Promise<EvidenceStore> => {
    const store = await openStore(dsn, said);
    let closing: Promise<void> | undefined;
    const close = () => (closing ??= store.close());
    ends.push(close);
    return { ...store, close };
  };
  const pool = (max = 4) => {
    const made = new pg.Pool({ connectionString: dsn, max });
    made.on('error', () => {});
    ends.unshift(() => made.end());
    return made;
  };
  /** Keeps every sequencer from leading. @returns what lets them lead again */
  const holdChain = async () => {
    const client = await pool(1).connect();
    await client.query('SELECT pg_advisory_lock($1, $2)', [LOCK_CLASS, CHAIN_LOCK]);
    let held = true;
    const release = async () => {
      if (held) await client.query('SELECT pg_advisory_unlock_all()');
      if (held) client.release();
      held = false;
    };
    ends.unshift(release);
    return release;
  };
  /** What triggers keep everyone from who does not own the tables. */
  const asOwner = (sql: string) =>
    pool(1).query(`ALTER TABLE bylaw_gate.outbox DISABLE TRIGGER USER; ${sql}; ALTER TABLE bylaw_gate.outbox ENABLE TRIGGER USER`);
  const numbered = (store: EvidenceStore) => until(async () => (await store.status()).pending === 0);
  beforeEach(async () => {
    dsn = await runningServer().createDatabase();
    ends = [];
  });
  afterEach(async () => {
    for (const end of ends) await end();
  });

  it('shows a row that was taken out of the outbox as a hole in the count of its replica', async () => {
    const store = await open({ sequenceWaitMs: 0 });
    const release = await holdChain();
    for (const id of ['p-1', 'p-2', 'p-3']) await store.decide(aDecision(id));
    await asOwner("DELETE FROM bylaw_gate.outbox WHERE replica = 'a' AND n = 2");
    await release();
    await numbered(store);
    const records = await allRecords(store);
    expect(chainErrors(records, SIGNER.publicKey)).toEqual(['a: 2 is missing']);
    const text = records.map((record) => `${recordLine(record)}\n`).join('');
    const key = { name: `svc.example/${store.chainId}`, publicKey: SIGNER.publicKey };
    const report = await verifyEvidence([{ name: 'export', open: () => Readable.from([Buffer.from(text)]) }], { key });
    expect(report).toMatchObject({ exit: 1, failures: [{ code: 'origin', seq: 3 }] });
  });

  it.each([
    [
      'altered',
      `UPDATE bylaw_gate.outbox SET content = convert_to(replace(convert_from(content, 'UTF8'), 'alice', 'mallory'), 'UTF8') WHERE n = 2`,
    ],
    [
      'moved',
      'UPDATE bylaw_gate.outbox o SET content = p.content, content_sig = p.content_sig FROM bylaw_gate.outbox p WHERE o.n = 2 AND p.n = 1',
    ],
    ['made unreadable', `UPDATE bylaw_gate.outbox SET content = '\\xff00ff' WHERE n = 2`],
    ['unsigned', `UPDATE bylaw_gate.outbox SET content_sig = '' WHERE n = 2`],
    ['signed by a stranger', `UPDATE bylaw_gate.outbox SET content_sig = repeat('0', 32) || substr(content_sig, 33) WHERE n = 2`],
  ])('puts a row that was %s into quarantine, numbers the others, and records nothing until an operator has looked', async (_, alter) => {
    const store = await open({ sequenceWaitMs: 0 });
    const release = await holdChain();
    const refs = [];
    for (const id of ['p-1', 'p-2', 'p-3']) refs.push((await store.decide(aDecision(id)))?.ref ?? '');
    await asOwner(alter);
    await release();
    await until(() => store.problems().length > 0);
    expect(store.problems()).toMatchObject([{ code: 'AG-EVD-004', message: expect.stringContaining('quarantine') }]);
    expect(decidedIds(await allRecords(store))).toEqual(['p-1', 'p-3']);
    expect(await store.record(refs[1] ?? '')).toBe('pending');
    await expect(store.proposal('p-2')).rejects.toMatchObject({ code: 'AG-EVD-004' });
    await expect(store.decide(aDecision('p-4'))).rejects.toMatchObject({ code: 'AG-EVD-004' });
    await pool().query('UPDATE bylaw_gate.quarantine SET resolved_at = now()');
    await until(() => store.problems().length === 0);
    expect(await store.decide(aDecision('p-4'))).toBeDefined();
  });

  it('gives nobody a decision that was altered while it waits', async () => {
    const store = await open({ sequenceWaitMs: 0 });
    await holdChain();
    await store.decide(aDecision('p-1', { decision: 'DENY' }));
    expect((await store.proposal('p-1'))?.verdict?.effective_decision).toBe('DENY');
    await asOwner(`UPDATE bylaw_gate.outbox SET content = convert_to(replace(convert_from(content, 'UTF8'), 'DENY', 'ALLOW'), 'UTF8')`);
    await expect(store.proposal('p-1')).rejects.toMatchObject({ code: 'AG-EVD-004' });
  });

  it('lets only one of two rounds commit that run at once without the lock', async () => {
    const store = await open({ sequenceWaitMs: 0 });
    const release = await holdChain();
    const round = {
      pool: pool(),
      head: followHead(),
      sealing: sealHere(SIGNER, () => randomBytes(16)),
      refuse: () => undefined,
      lock: false,
    };
    let refused = 0;
    for (let trial = 0; trial < 20; trial++) {
      await store.decide(aDecision(`p-${trial}`));
      const rounds = await Promise.allSettled([sequenceRound(round), sequenceRound(round), sequenceRound(round)]);
      refused += rounds.filter(({ status }) => status === 'rejected').length;
    }
    expect(refused).toBeGreaterThan(0);
    await release();
    await numbered(store);
    const records = await allRecords(store);
    expect(chainErrors(records, SIGNER.publicKey)).toEqual([]);
    expect(decidedIds(records)).toHaveLength(20);
  });

  it('stays whole when four sequencers go without the lock under load', async () => {
    const stores = await Promise.all(['a', 'b', 'c', 'd'].map((replica) => open({ replica, lock: false, sequenceWaitMs: 0 })));
    await Promise.all(Array.from({ length: 400 }, (_, i) => stores[i % 4]?.decide(aDecision(`p-${i}`))));
    const [store] = stores;
    if (store === undefined) throw new Error('no store');
    await numbered(store);
    const records = await allRecords(store);
    expect(chainErrors(records, SIGNER.publicKey)).toEqual([]);
    expect(decidedIds(records)).toHaveLength(400);
  });

  it('numbers what becomes visible out of order, once, and nothing that was rolled back', async () => {
    const store = await open({ sequenceWaitMs: 0 });
    const writers = pool(8);
    const committed: string[] = [];
    const write = async (writer: number) => {
      const replica = `writer-${writer}`;
      await writers.query('INSERT INTO bylaw_gate.replica (id, n) VALUES ($1, 0)', [replica]);
      for (let i = 0; i < 12; i++) {
        // Every third id is one that another writer uses, too.
        const id = i % 3 === 0 ? `common-${i}` : `${replica}-${i}`;
        const accepted = await inTransaction(writers, async (client) => {
          const [answer] = await acceptUnits(client, [aDecision(id)], {
            replica,
            signer: SIGNER,
            chainId: store.chainId,
            head: followHead(),
            rules: { groupsOf: () => [] },
            newOid: () => newOid(Date.now(), randomBytes),
          });
          await client.query('SELECT pg_sleep($1)', [((writer * 7 + i * 3) % 10) / 200]);
          return i % 4 === 1 ? new Rollback({ kind: 'refused' }) : (answer ?? { kind: 'refused' });
        });
        if (accepted.kind === 'accepted') committed.push(id);
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, writer) => write(writer)));
    await numbered(store);
    const records = await allRecords(store);
    expect(chainErrors(records, SIGNER.publicKey)).toEqual([]);
    expect(decidedIds(records).sort()).toEqual(committed.sort());
    // All of them took `common-9` back.
    expect(committed.filter((id) => id.startsWith('common')).sort()).toEqual(['common-0', 'common-3', 'common-6']);
  });

  it('records nothing while the database is down, says so, and goes on when it is back', async () => {
    const proxy = await startProxy(dsn);
    ends.unshift(() => proxy.close());
    const store = await open({ dsn: proxy.dsn });
    await store.decide(aDecision('p-1'));
    proxy.cut();
    await expect(store.decide(aDecision('p-2'))).rejects.toMatchObject({ code: 'AG-EVD-002' });
    await until(() => store.problems().length > 0);
    expect(store.problems()).toMatchObject([{ code: 'AG-EVD-002' }]);
    await expect(store.proposal('p-1')).rejects.toMatchObject({ code: 'AG-EVD-002' });
    await expect(store.administer(anAct('adapter.add'))).rejects.toMatchObject({ code: 'AG-EVD-002' });
    proxy.repair();
    await until(() => store.problems().length === 0);
    expect((await store.decide(aDecision('p-2')))?.seq).toEqual([3, 4]);
    expect(chainErrors(await allRecords(store), SIGNER.publicKey)).toEqual([]);
  });

  it('finds out what became of a batch when the connection is cut at its COMMIT', async () => {
    const proxy = await startProxy(dsn);
    ends.unshift(() => proxy.close());
    const store = await open({ dsn: proxy.dsn });
    proxy.cutAtCommit('before');
    await expect(store.decide(aDecision('p-1'))).rejects.toMatchObject({ code: 'AG-EVD-002' });
    expect(await store.proposal('p-1')).toBeUndefined();
    proxy.cutAtCommit('after');
    const recorded = await store.decide(aDecision('p-1'));
    expect((await store.proposal('p-1'))?.recorded.ref).toBe(recorded?.ref);
    await numbered(store);
    expect(decidedIds(await allRecords(store))).toEqual(['p-1']);
  });

  it('is not ready within five seconds when the database stands still, and is again when it goes on', { timeout: 30_000 }, async () => {
    const proxy = await startProxy(dsn);
    ends.unshift(() => proxy.close());
    const store = await open({ dsn: proxy.dsn });
    await store.decide(aDecision('p-1'));
    proxy.stall();
    const since = performance.now();
    await until(() => store.problems().length > 0);
    expect(performance.now() - since).toBeLessThan(5000);
    expect(store.problems()).toMatchObject([{ code: 'AG-EVD-002' }]);
    proxy.repair();
    await until(() => store.problems().length === 0);
    expect(await store.decide(aDecision('p-2'))).toBeDefined();
  });

  it('is not ready when nobody has numbered anything for five seconds while rows wait, and goes on deciding', {
    timeout: 30_000,
  }, async () => {
    const store = await open({ sequenceWaitMs: 0 });
    const release = await holdChain();
    await store.decide(aDecision('p-1'));
    const since = performance.now();
    expect(store.problems()).toEqual([]);
    await until(() => store.problems().length > 0);
    expect(store.problems()).toEqual([expect.objectContaining({ code: 'AG-EVD-006', blocks: false })]);
    expect(performance.now() - since).toBeGreaterThan(4500);
    expect((await store.decide(aDecision('p-2')))?.seq).toEqual([0, 0]);
    await release();
    await until(() => store.problems().length === 0);
    expect(decidedIds(await allRecords(store))).toEqual(['p-1', 'p-2']);
  });

  it.each([
    ['deleted', 'DELETE FROM bylaw_gate.outbox WHERE n = 3', 'are missing from the outbox'],
    ['numbered by hand', 'UPDATE bylaw_gate.outbox SET seq = 2 WHERE n = 3', 'have numbers that no record of theirs has'],
  ])('notices that the last row of a replica was %s, though that replica never returns', async (_, change, message) => {
    const gone = await open({ replica: 'gone', sequenceWaitMs: 0 });
    await gone.decide(aDecision('p-1'));
    await numbered(gone);
    const release = await holdChain();
    for (const id of ['p-2', 'p-3']) await gone.decide(aDecision(id));
    await asOwner(change);
    await gone.close();
    const store = await open({ replica: 'b' });
    await until(() => store.problems().length > 0);
    expect(store.problems()).toEqual([{ code: 'AG-EVD-004', message: expect.stringContaining(message) }]);
    await expect(store.decide(aDecision('p-4'))).rejects.toMatchObject({ code: 'AG-EVD-004' });
    await expect(store.proposal('p-3')).rejects.toMatchObject({ code: 'AG-EVD-004' });
    await release();
  });

  it('says that it does not know what became of a batch when it cannot find out, and the proposal tells afterwards', async () => {
    const proxy = await startProxy(dsn);
    ends.unshift(() => proxy.close());
    const store = await open({ dsn: proxy.dsn });
    for (const [when, id] of [
      ['after', 'p-1'],
      ['before', 'p-2'],
    ] as const) {
      const cut = async (): Promise<unknown> => {
        proxy.cutAtCommit(when, { forGood: true });
        const refused: unknown = await store.decide(aDecision(id)).catch((error: unknown) => error);
        if (!(refused instanceof StoreError) || refused.code !== 'AG-EVD-002') return refused;
        // The first COMMIT was one of the sequencer's, and the batch was not sent.
        proxy.repair();
        await until(() => store.problems().length === 0);
        return cut();
      };
      expect(await cut()).toMatchObject({ code: 'AG-EVD-009' });
      // What became of it says nothing about what comes next.
      await expect(store.decide(aDecision('p-3'))).rejects.toMatchObject({ code: 'AG-EVD-002' });
      await until(() => store.problems().some(({ code }) => code === 'AG-EVD-002'));
      proxy.repair();
      await until(() => store.problems().length === 0);
    }
    expect((await store.proposal('p-1'))?.verdict?.effective_decision).toBe('ALLOW');
    expect(await store.proposal('p-2')).toBeUndefined();
  });

  it('stops when the database has forgotten records that it had, as a standby that took over may', async () => {
    const store = await open();
    await store.decide(aDecision('p-1'));
    const owner = pool();
    await owner.query(`ALTER TABLE bylaw_gate.head DISABLE TRIGGER ALL; UPDATE bylaw_gate.head SET seq = 0`);
    await until(() => store.problems().length > 0);
    expect(store.problems()).toMatchObject([{ code: 'AG-EVD-004', message: expect.stringContaining('records are missing') }]);
    await expect(store.decide(aDecision('p-2'))).rejects.toMatchObject({ code: 'AG-EVD-004' });
    await expect(store.administer(anAct('adapter.add'))).rejects.toMatchObject({ code: 'AG-EVD-004' });
  });

  it('waits for a database that is down when it starts, says so, and opens when it is there', { timeout: 30_000 }, async () => {
    const proxy = await startProxy(dsn);
    ends.unshift(() => proxy.close());
    proxy.cut();
    const told: string[] = [];
    const store = await openWhenThere(() => openStore(proxy.dsn), {
      onWait: ({ code }) => told.push(code),
      onOpen: () => told.push('open'),
    });
    ends.push(() => store.close());
    expect(told).toEqual(['AG-EVD-002']);
    expect(store.problems()).toEqual([{ code: 'AG-EVD-002', message: expect.stringContaining('waits') }]);
    await expect(store.decide(aDecision('p-1'))).rejects.toMatchObject({ code: 'AG-EVD-002' });
    await expect(store.proposal('p-1')).rejects.toMatchObject({ code: 'AG-EVD-002' });
    proxy.repair();
    await until(() => store.problems().length === 0);
    expect(told).toEqual(['AG-EVD-002', 'open']);
    expect(await store.decide(aDecision('p-1'))).toBeDefined();
  });

  it('does not wait for a database that it must not use', async () => {
    const pool = new pg.Pool({ connectionString: dsn, max: 1 });
    ends.unshift(() => pool.end());
    await pool.query(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$`);
    const onWait = () => expect.unreachable();
    await expect(openWhenThere(() => openStore(dsn), { onWait, onOpen: onWait })).rejects.toMatchObject({ code: 'AG-EVD-002' });
  });

  it('stops when the database was restored from a backup, also when that has more records by now', async () => {
    const name = new URL(dsn.replace('@/', '@localhost/')).pathname.slice(1);
    const elsewhere = new pg.Pool({ connectionString: dsn.replace(name, 'postgres'), max: 1 });
    ends.unshift(() => elsewhere.end());
    const backup = dsn.replace(name, `${name}_backup`);
    await (await openStore(dsn)).close();
    await elsewhere.query(`CREATE DATABASE ${name}_backup TEMPLATE ${name}`);
    const store = await open();
    await store.decide(aDecision('p-1'));
    const restored = await openStore(backup, { replica: 'b' });
    for (const id of ['q-1', 'q-2', 'q-3']) await restored.decide(aDecision(id));
    await restored.close();
    await elsewhere.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await elsewhere.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    await elsewhere.query(`ALTER DATABASE ${name} RENAME TO ${name}_lost`);
    await elsewhere.query(`ALTER DATABASE ${name}_backup RENAME TO ${name}`);
    await until(() => store.problems().some(({ code }) => code === 'AG-EVD-004'));
    expect(store.problems()[0]?.message).toContain('Record 2 is not the record that this server has seen');
    await expect(store.decide(aDecision('p-1'))).rejects.toMatchObject({ code: 'AG-EVD-004' });
  });

  it('goes on without a leader that stands still in the middle of a round, and takes it back when it wakes', async () => {
    await open();
    const leader = startReplica(dsn, 'sleeper', { crashAt: 'evidence:stop', load: 1 });
    ends.unshift(async () => {
      leader.process.kill('SIGKILL');
      await leader.ended;
    });
    await leader.says('stopping');
    const store = await open({ replica: 'b' });
    // Accepted at once, numbered when the server has ended the transaction of the one that sleeps.
    expect((await store.decide(aDecision('p-1')))?.seq[0]).toBeGreaterThan(0);
    leader.acknowledged.clear();
    leader.process.kill('SIGCONT');
    await leader.says('ack');
    leader.process.kill('SIGKILL');
    await leader.ended;
    await numbered(store);
    expect(chainErrors(await allRecords(store), SIGNER.publicKey)).toEqual([]);
  });
});
