import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Draft, recordLine, sealRecords, verifyEvidence } from '../../../evidence/index.js';
import { canonical, type JsonObject } from '../../../json/index.js';
import { newKeyPem, signerFromPem } from '../../../keys/index.js';
import { decisionDrafts, resultDraft } from '../../rules/unit-records.js';
import { newOid } from '../database/oid.js';
import { FIRST } from '../schema/schema.js';
import { signBatch } from '../seal/batch-signature.js';
import { outboxText } from '../seal/outbox.js';
import { decidedIds } from '../testing/chain-check.test-support.js';
import { absent, allRecords, openStore, runningServer, SIGNER, server } from '../testing/store.test-support.js';
import { aDecision, anErasure, aResult } from '../testing/units.test-support.js';
import { until } from '../testing/until.test-support.js';
import { upgradeStore } from './upgrade.js';

afterAll(() => ('absent' in server ? undefined : server.stop()));

const CHAIN = '00000000-0000-4000-8000-000000000000';
const TIME = '2026-01-02T03:04:05.678Z';

describe.skipIf(absent)('a database of format 1', () => {
  let dsn: string;
  let old: pg.Client;
  const upgrade = (said: object = {}) =>
    upgradeStore({ dsn, signer: SIGNER, random: randomBytes, time: TIME, reportedBy: 'operator:root', force: false, ...said });
  const connect = async (name: string) => {
    const client = new pg.Client({ connectionString: dsn, application_name: name });
    await client.connect();
    return client;
  };
  const sql = async (text: string) => {
    const client = await connect('psql');
    return client.query(text).finally(() => client.end());
  };

  /** Tables and chain as the earlier version made them: with two final results, and an erasure that nothing explains. */
  beforeEach(async () => {
    dsn = await runningServer().createDatabase();
    old = await connect('bylaw gate: writing');
    await old.query(`CREATE SCHEMA bylaw_gate; CREATE TABLE bylaw_gate.migration (version integer PRIMARY KEY, applied_at timestamptz DEFAULT now());
      INSERT INTO bylaw_gate.migration (version) VALUES (1); ${FIRST}`);
    const genesis: JsonObject = { chain_id: CHAIN, spec: 'svc-evidence/1', public_key: SIGNER.publicKey, origin: 'x', created_at: TIME };
    const ruled = { assurance: 'adapter', contradictsVerdict: false } as const;
    const drafts: Draft[] = [
      { type: 'genesis', time: TIME, dev: false, reportedBy: 'system', data: canonical(genesis) },
      ...decisionDrafts(aDecision('p-0'), 1, { replica: 'older', n: 1 }),
      resultDraft(aResult('p-0'), 2, ruled, { replica: 'older', n: 2 }),
      resultDraft(aResult('p-0', { status: 'error' }), 2, ruled, { replica: 'older', n: 3 }),
    ];
    const { records, head } = sealRecords(undefined, drafts, SIGNER, () => randomBytes(16));
    for (const [index, { seq, type, hash, header, data, salt, sig }] of records.entries())
      await old.query(
        'INSERT INTO bylaw_gate.evidence (seq, type, prev_hash, hash, header, data, salt, sig) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
        [seq, type, records[index - 1]?.hash ?? '0'.repeat(64), hash, header, data, salt, sig],
      );
    await old.query('UPDATE bylaw_gate.evidence SET data = NULL, salt = NULL WHERE seq = 1');
    await old.query('INSERT INTO bylaw_gate.chain_key (key_id, public_key) VALUES ($1, $2)', [SIGNER.keyId, SIGNER.publicKey]);
    await old.query('INSERT INTO bylaw_gate.head (chain_id, seq, hash, time, frontier, key_id) VALUES ($1, $2, $3, $4, $5, $6)', [
      CHAIN,
      head.seq,
      head.hash,
      head.time,
      head.frontier,
      SIGNER.keyId,
    ]);
    await old.query("INSERT INTO bylaw_gate.replica (id, n) VALUES ('old', 0)");
  });
  afterEach(() => old.end());

  /** What the earlier version does with a decision. */
  const oldDecision = async (id: string, n: number) => {
    const [oid, origin] = [newOid(Date.now(), randomBytes), { replica: 'old', n }];
    const content = outboxText({ v: 1, oid, origin, kind: 'decision', proposal_id: id, drafts: decisionDrafts(aDecision(id), 0, origin) });
    await old.query('BEGIN');
    await old.query(
      `INSERT INTO bylaw_gate.proposal_ids (id, oid, reported_by, class, effective_decision) VALUES ($1, $2, 'ci-main', 'enforcing', 'ALLOW')`,
      [id, oid],
    );
    await old.query(
      `INSERT INTO bylaw_gate.outbox (oid, kind, proposal_id, replica, n, content, content_sig)
       VALUES ($1, 'decision', $2, 'old', $3, convert_to($4, 'UTF8'), $5)`,
      [oid, id, n, content, signBatch([content], SIGNER)[0]],
    );
    await old.query("UPDATE bylaw_gate.replica SET n = $1 WHERE id = 'old'", [n]);
    await old.query('COMMIT');
  };
  const silence = () => sql("UPDATE bylaw_gate.replica SET seen_at = seen_at - interval '2 minutes' WHERE format = 1");

  it('is written by both versions, and is marked once none of the earlier one runs; then it refuses that', {
    timeout: 60_000,
  }, async () => {
    const store = await openStore(dsn, { replica: 'new' });
    try {
      await store.decide(aDecision('p-1'));
      await oldDecision('p-2', 1);
      await until(async () => (await store.status()).pending === 0);
      expect(decidedIds(await allRecords(store))).toEqual(['p-0', 'p-1', 'p-2']);
      expect((await sql('SELECT key_id, revoked FROM bylaw_gate.chain_key')).rows).toEqual([{ key_id: SIGNER.keyId, revoked: false }]);

      expect(await upgrade()).toEqual({ state: 'waiting', replicas: ['old'], connections: 1 });
      await silence();
      expect(await upgrade()).toEqual({ state: 'waiting', replicas: [], connections: 1 });
      await old.query("SET application_name = 'bylaw gate 2: writing'");
      const before = (await store.head())?.seq ?? 0;
      expect(await upgrade()).toEqual({ state: 'marked', seq: [before + 1], faults: 2 });
      expect(await upgrade()).toEqual({ state: 'current' });

      await expect(oldDecision('p-3', 2)).rejects.toThrow(/older format/);
      await old.query('ROLLBACK');
      await expect(old.query('SELECT FROM bylaw_gate.chain_key')).rejects.toThrow(/does not exist/);
      // Replicas of this version go on all the while.
      expect(await store.decide(aDecision('p-3'))).toBeDefined();
      await expect(sql('UPDATE bylaw_gate.evidence SET data = NULL, salt = NULL WHERE seq = 5')).rejects.toThrow(
        /after a record that names it/,
      );
      await store.erase(6, anErasure(6));

      const text = (await allRecords(store)).map((record) => `${recordLine(record)}\n`).join('');
      const key = { name: `svc.example/${CHAIN}`, publicKey: SIGNER.publicKey };
      const report = await verifyEvidence([{ name: 'export', open: () => Readable.from([Buffer.from(text)]) }], { key });
      expect(report).toMatchObject({
        exit: 0,
        known_faults: [
          { kind: 'unexplained-erasure', seq: 1 },
          { kind: 'second-final', seq: 4 },
        ],
      });
    } finally {
      await store.close();
    }
  });

  it('is marked without a look at who runs when that is demanded', async () => {
    await oldDecision('p-1', 1);
    // A row that says not which chain it is for would not be taken afterwards.
    await expect(upgrade({ force: true })).rejects.toMatchObject({
      code: 'AG-EVD-004',
      message: expect.stringContaining('wait for their numbers'),
    });
    const store = await openStore(dsn, { replica: 'new' });
    await until(async () => (await store.status()).pending === 0);
    await store.close();
    expect(await upgrade({ force: true })).toMatchObject({ state: 'marked' });
  });

  it('is not marked with another key, and stays as it was', async () => {
    const store = await openStore(dsn);
    await store.close();
    await old.query("SET application_name = 'psql'");
    await expect(upgrade({ signer: signerFromPem(newKeyPem()) })).rejects.toMatchObject({ code: 'AG-EVD-001' });
    expect((await sql('SELECT max(version) AS version FROM bylaw_gate.migration')).rows).toEqual([{ version: 1 }]);
  });

  it('needs its owner to be prepared, and says so to a server that is not', async () => {
    const role = `service_${randomBytes(6).toString('hex')}`;
    await sql(
      `CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA bylaw_gate TO ${role}; GRANT SELECT ON ALL TABLES IN SCHEMA bylaw_gate TO ${role}`,
    );
    await expect(openStore(dsn.replace(/\/\/[^@]*@/, `//${role}@`))).rejects.toMatchObject({
      code: 'AG-EVD-004',
      message: expect.stringContaining('bylaw store upgrade'),
    });
    await sql(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });
});
