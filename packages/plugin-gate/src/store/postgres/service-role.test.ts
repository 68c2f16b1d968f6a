import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sealRecords } from '../../evidence/index.js';
import { newKeyPem, type Signer, signerFromPem } from '../../keys/index.js';
import { decisionDrafts } from '../rules/unit-records.js';
import type { EvidenceStore } from '../store.js';
import { CHAIN_LOCK, LOCK_CLASS } from './database/names.js';
import { newOid } from './database/oid.js';
import { grantsFor } from './index.js';
import { signBatch } from './seal/batch-signature.js';
import { outboxText } from './seal/outbox.js';
import { decidedIds } from './testing/chain-check.test-support.js';
import { absent, allRecords, openStore, runningServer, server } from './testing/store.test-support.js';
import { aDecision, aResult } from './testing/units.test-support.js';
import { until } from './testing/until.test-support.js';

afterAll(() => ('absent' in server ? undefined : server.stop()));

describe.skipIf(absent)('someone who has the role and the connection string of the service, and no key', () => {
  let dsn: string;
  let role: string;
  let store: EvidenceStore;
  let attacker: pg.Client;
  let owner: pg.Client;
  const connect = async (connectionString: string) => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    return client;
  };
  beforeEach(async () => {
    dsn = await runningServer().createDatabase();
    await (await openStore(dsn)).close();
    role = `service_${randomBytes(6).toString('hex')}`;
    owner = await connect(dsn);
    await owner.query(`CREATE ROLE ${role} LOGIN`);
    await owner.query(grantsFor(role, 'service'));
    const limited = dsn.replace(/\/\/[^@]*@/, `//${role}@`);
    store = await openStore(limited);
    attacker = await connect(limited);
    await attacker.query("SET bylaw_gate.format = '2'");
  });
  afterEach(async () => {
    await store.close();
    await attacker.end();
    await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await owner.end();
  });

  /** Files a decision as a replica does, signed with the key that is given. */
  const forgeDecision = async (id: string, signer: Signer) => {
    const [oid, origin] = [newOid(Date.now(), randomBytes), { replica: 'ghost', n: 1 }];
    const drafts = decisionDrafts(aDecision(id), 0, origin);
    const content = outboxText({ v: 1, oid, origin, kind: 'decision', proposal_id: id, drafts });
    await attacker.query("INSERT INTO bylaw_gate.replica (id, n) VALUES ('ghost', 0)");
    await attacker.query(
      "INSERT INTO bylaw_gate.proposal_ids (id, oid, reported_by, class, effective_decision) VALUES ($1, $2, 'ci-main', 'enforcing', 'ALLOW')",
      [id, oid],
    );
    await attacker.query(
      `INSERT INTO bylaw_gate.outbox (oid, kind, proposal_id, replica, n, content, content_sig)
       VALUES ($1, 'decision', $2, 'ghost', 1, convert_to($3, 'UTF8'), $4)`,
      [oid, id, content, signBatch([content], signer)[0]],
    );
    return oid;
  };

  it('gets no decision into the chain that is signed with a key of their own, whatever table names that key', async () => {
    const stranger = signerFromPem(newKeyPem());
    await expect(
      attacker.query('INSERT INTO bylaw_gate.chain_key (key_id, public_key) VALUES ($1, $2)', [stranger.keyId, stranger.publicKey]),
    ).rejects.toThrow(/permission denied|does not exist/);
    const oid = await forgeDecision('forged', stranger);
    await until(() => store.problems().length > 0);
    expect(store.problems()).toMatchObject([{ code: 'AG-EVD-004', message: expect.stringContaining('quarantine') }]);
    expect(decidedIds(await allRecords(store))).toEqual([]);
    expect(await store.record(oid)).toBe('pending');
    await expect(store.proposal('forged')).rejects.toMatchObject({ code: 'AG-EVD-004' });
  });

  it('cannot point a decision at the record of another one', async () => {
    await store.decide(aDecision('asked', { decision: 'REQUIRE_APPROVAL' }));
    await store.decide(aDecision('allowed'));
    const move =
      "UPDATE bylaw_gate.outbox SET seq = (SELECT seq FROM bylaw_gate.outbox WHERE proposal_id = 'allowed') WHERE proposal_id = 'asked'";
    await expect(attacker.query(move)).rejects.toThrow(/numbered once/);
    // Whoever owns the tables can switch the triggers off. Then nobody is told the decision of another proposal.
    await owner.query(`ALTER TABLE bylaw_gate.outbox DISABLE TRIGGER USER; ${move}; ALTER TABLE bylaw_gate.outbox ENABLE TRIGGER USER`);
    await expect(store.proposal('asked')).rejects.toMatchObject({ code: 'AG-EVD-004' });
    const rows = await owner.query("SELECT oid FROM bylaw_gate.outbox WHERE proposal_id = 'asked'");
    await expect(store.record(rows.rows[0]?.oid)).rejects.toMatchObject({ code: 'AG-EVD-004' });
  });

  it('cannot number a row that waits, but by a record with its reference', async () => {
    const idle = await openStore(dsn, { replica: 'idle', sequenceWaitMs: 0 });
    await owner.query('SELECT pg_advisory_lock($1, $2)', [LOCK_CLASS, CHAIN_LOCK]);
    await idle.decide(aDecision('waits'));
    for (const change of ['seq = 2', 'seq = 0', 'seq = -1', 'content = NULL, seq = 2', "content = '\\x00'", "content_sig = ''"])
      await expect(attacker.query(`UPDATE bylaw_gate.outbox SET ${change} WHERE proposal_id = 'waits'`)).rejects.toThrow(/numbered once/);
    await owner.query('SELECT pg_advisory_unlock_all()');
    await until(async () => (await idle.status()).pending === 0);
    expect(decidedIds(await allRecords(idle))).toEqual(['waits']);
    await idle.close();
  });

  it('makes nobody go on with a record that the key of the chain has not signed', async () => {
    await store.decide(aDecision('p-1'));
    const forged = sealRecords(await store.head(), decisionDrafts(aDecision('forged'), 3), signerFromPem(newKeyPem()), () =>
      randomBytes(16),
    );
    for (const [index, { seq, type, hash, header, data, salt, sig }] of forged.records.entries())
      await attacker.query(
        `INSERT INTO bylaw_gate.evidence (seq, oid, type, prev_hash, hash, header, data, salt, sig) VALUES ($1, 'ob_x', $2, $3, $4, $5, $6, $7, $8)`,
        [seq, type, forged.records[index - 1]?.hash ?? (await store.head())?.hash, hash, header, data, salt, sig],
      );
    const { head } = forged;
    await attacker.query('UPDATE bylaw_gate.head SET seq = $1, hash = $2, time = $3, frontier = $4', [
      head.seq,
      head.hash,
      head.time,
      head.frontier,
    ]);
    await until(() => store.problems().length > 0);
    expect(store.problems()).toMatchObject([{ code: 'AG-EVD-004', message: expect.stringContaining('not its last record') }]);
    await expect(store.decide(aDecision('p-2'))).rejects.toMatchObject({ code: 'AG-EVD-004' });
    await expect(store.head()).rejects.toMatchObject({ code: 'AG-EVD-004' });
    await attacker.query(
      "INSERT INTO bylaw_gate.proposal_ids (id, seq, reported_by, class, effective_decision) VALUES ('forged', 4, 'ci-main', 'enforcing', 'ALLOW')",
    );
    await expect(store.proposal('forged')).rejects.toMatchObject({ code: 'AG-EVD-004' });
  });

  it('does not move the tree of the chain', async () => {
    await store.decide(aDecision('p-1'));
    await attacker.query("UPDATE bylaw_gate.head SET frontier = ARRAY[repeat('0', 64), repeat('0', 64)]");
    await until(() => store.problems().length > 0);
    expect(store.problems()).toMatchObject([{ code: 'AG-EVD-004', message: expect.stringContaining('tree of the head') }]);
  });

  it('grants no approval by a table', async () => {
    await store.decide(aDecision('p-1', { decision: 'REQUIRE_APPROVAL' }));
    await attacker.query("UPDATE bylaw_gate.approval SET state = 'granted', grant_expires_at = '2999-01-01T00:00:00.000Z'");
    expect((await store.proposal('p-1'))?.approval).toMatchObject({ state: 'pending', grantExpiresAt: null });
    await until(() => store.problems().length > 0);
    expect(store.problems()).toEqual([expect.objectContaining({ code: 'AG-EVD-008', blocks: false })]);
    expect(await store.approvals('granted')).toEqual([]);
    expect(await store.report(aResult('p-1'))).toMatchObject({ kind: 'recorded' });
    expect((await store.proposal('p-1'))?.results[0]?.contradictsVerdict).toBe(true);
    await until(() => store.problems().length === 0);
  });

  it('neither adds a result nor ends a proposal by a table', async () => {
    await store.decide(aDecision('p-1'));
    await store.decide(aDecision('p-2'));
    await store.report(aResult('p-2'));
    await attacker.query(
      `INSERT INTO bylaw_gate.result (proposal_id, nth, oid, status, final, assurance, contradicts_verdict, reported_by, time, body_digest)
       SELECT 'p-1', 0, oid, status, final, assurance, contradicts_verdict, reported_by, time, body_digest FROM bylaw_gate.result`,
    );
    await expect(store.proposal('p-1')).rejects.toMatchObject({ code: 'AG-EVD-004' });
    await expect(store.report(aResult('p-1'))).rejects.toMatchObject({ code: 'AG-EVD-004' });
  });

  it('does not move the counter of a replica without a row', async () => {
    await store.decide(aDecision('p-1'));
    await expect(attacker.query('UPDATE bylaw_gate.replica SET n = n + 5')).rejects.toThrow(/only with a row/);
    await expect(attacker.query("INSERT INTO bylaw_gate.replica (id, n) VALUES ('ghost', 5)")).rejects.toThrow(/only with a row/);
  });

  it('may do to each table what is listed here, and nothing else', async () => {
    const { rows } = await owner.query(
      `SELECT c.relname AS name,
         array_to_string(ARRAY(SELECT p FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) p
           WHERE has_table_privilege($1, c.oid, p)), ' ') AS whole,
         array_to_string(ARRAY(SELECT a.attname FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
           AND has_column_privilege($1, c.oid, a.attname, 'INSERT') ORDER BY a.attnum), ' ') AS inserts,
         array_to_string(ARRAY(SELECT a.attname FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
           AND has_column_privilege($1, c.oid, a.attname, 'UPDATE') ORDER BY a.attnum), ' ') AS updates
       FROM pg_class c WHERE c.relnamespace = 'bylaw_gate'::regnamespace AND c.relkind IN ('r', 'v') ORDER BY 1`,
      [role],
    );
    const rights = new Map(
      rows.map(({ name, whole, inserts, updates }) => [name, { whole, inserts: whole.includes('INSERT') ? '*' : inserts, updates }]),
    );
    expect(Object.fromEntries(rights)).toEqual({
      addition: { whole: 'SELECT', inserts: '', updates: '' },
      approval: { whole: 'SELECT INSERT', inserts: '*', updates: 'state grant_expires_at' },
      approval_event: { whole: 'SELECT INSERT', inserts: '*', updates: '' },
      evidence: { whole: 'SELECT INSERT', inserts: '*', updates: '' },
      head: { whole: 'SELECT INSERT', inserts: '*', updates: 'seq hash time frontier key_id' },
      migration: { whole: 'SELECT', inserts: '', updates: '' },
      outbox: { whole: 'SELECT INSERT', inserts: '*', updates: 'content content_sig seq' },
      proposal_ids: { whole: 'SELECT INSERT', inserts: '*', updates: 'oid' },
      quarantine: { whole: 'SELECT', inserts: 'oid reason', updates: '' },
      replica: { whole: 'SELECT INSERT', inserts: '*', updates: 'n format seen_at' },
      result: { whole: 'SELECT INSERT', inserts: '*', updates: '' },
    });
    // What an earlier version granted goes with the next grants.
    await owner.query(`GRANT ALL ON ALL TABLES IN SCHEMA bylaw_gate TO ${role}`);
    await owner.query(grantsFor(role, 'service'));
    await expect(attacker.query('UPDATE bylaw_gate.quarantine SET resolved_at = now()')).rejects.toThrow(/permission denied/);
  });

  it('changes and deletes nothing of what was accepted or recorded', async () => {
    await store.decide(aDecision('p-1'));
    for (const forbidden of [
      'UPDATE bylaw_gate.outbox SET seq = NULL',
      'UPDATE bylaw_gate.outbox SET seq = seq + 1',
      "UPDATE bylaw_gate.outbox SET content = 'x'",
      'UPDATE bylaw_gate.outbox SET proposal_id = NULL',
      "UPDATE bylaw_gate.proposal_ids SET oid = 'x'",
      "UPDATE bylaw_gate.approval SET proposal_id = 'x'",
      "UPDATE bylaw_gate.head SET chain_id = 'x'",
      'UPDATE bylaw_gate.head SET seq = seq - 1',
      ...[
        'addition',
        'approval',
        'approval_event',
        'evidence',
        'head',
        'migration',
        'outbox',
        'proposal_ids',
        'quarantine',
        'replica',
        'result',
      ].map((table) => `DELETE FROM bylaw_gate.${table}`),
      'ALTER TABLE bylaw_gate.outbox DISABLE TRIGGER USER',
      'CREATE TABLE bylaw_gate.chain_key (key_id text)',
    ])
      await expect(attacker.query(forbidden), forbidden).rejects.toThrow(
        /permission denied|must be owner|numbered once|nothing of the evidence chain/,
      );
  });
});
