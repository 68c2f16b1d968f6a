import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newKeyPem, type Signer, signerFromPem } from '../../keys/index.js';
import type { EvidenceStore } from '../store.js';
import { decisionDrafts } from '../unit-records.js';
import { signBatch } from './batch-signature.js';
import { grantsFor } from './index.js';
import { newOid } from './oid.js';
import { outboxText } from './outbox.js';
import { chainErrors, decidedIds } from './testing/chain-check.test-support.js';
import { absent, allRecords, openStore, runningServer, SIGNER, server } from './testing/store.test-support.js';
import { aDecision } from './testing/units.test-support.js';
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
});
