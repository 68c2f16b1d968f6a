import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkpointNote, writeCheckpoint } from '../../../evidence/index.js';
import { absent, openStore, runningServer, SIGNER, server } from '../testing/store.test-support.js';
import { aDecision, anAct, anApproval, anErasure, aResult } from '../testing/units.test-support.js';
import { until } from '../testing/until.test-support.js';
import { inspectDatabase } from './inspect.js';

afterAll(() => ('absent' in server ? undefined : server.stop()));

describe.skipIf(absent)('the doctor of a database', () => {
  let dsn: string;
  let owner: pg.Client;
  const inspect = (said: object = {}) => inspectDatabase({ dsn, checkpointDir: undefined, fast: false, ...said });
  const failed = async (said: object = {}) => {
    const checks = await inspect(said);
    return checks.filter(({ ok }) => !ok).map(({ name, faults }) => [name, ...faults]);
  };
  /** With every trigger off, as whoever owns the tables can. */
  const asOwner = (sql: string) => {
    const tables = ['evidence', 'head', 'outbox', 'proposal_ids', 'replica', 'quarantine'];
    const all = (what: string) => tables.map((table) => `ALTER TABLE bylaw_gate.${table} ${what} TRIGGER USER`).join('; ');
    return owner.query(`${all('DISABLE')}; ${sql}; ${all('ENABLE')}`);
  };
  beforeEach(async () => {
    dsn = await runningServer().createDatabase();
    owner = new pg.Client({ connectionString: dsn });
    await owner.connect();
    const store = await openStore(dsn);
    await store.decide(aDecision('p-1'));
    await store.decide(aDecision('p-2', { decision: 'REQUIRE_APPROVAL' }));
    await store.settle(anApproval('p-2'));
    await store.report(aResult('p-2'));
    await store.administer(anAct('config.load'));
    await store.erase(1, anErasure(1));
    await until(async () => (await store.status()).pending === 0);
    await store.close();
  });
  afterEach(() => owner.end());

  it('finds nothing wrong with a store that is whole, and says what it has looked at', async () => {
    const checks = await inspect();
    expect(checks.map(({ name, ok, faults }) => [name, ok, faults])).toEqual(
      ['database', 'schema', 'chain', 'head', 'format', 'finals', 'erasures', 'proposals', 'outbox', 'results', 'approvals'].map((name) => [
        name,
        true,
        [],
      ]),
    );
    expect((await inspect({ fast: true })).find(({ name }) => name === 'chain')?.message).toContain('signatures were skipped');
  });

  it.each([
    [
      'an id whose row was deleted',
      "DELETE FROM bylaw_gate.proposal_ids WHERE id = 'p-1'",
      [['proposals', 'record 2: the identifier of its proposal is not used']],
    ],
    [
      'an id that no record has',
      "INSERT INTO bylaw_gate.proposal_ids VALUES ('ghost', 'ob_x', NULL, 'ci', 'enforcing', 'ALLOW')",
      [['proposals', 'the used identifier ghost has no verdict of its own']],
    ],
    [
      'a decision that was pointed at the record of another one',
      "UPDATE bylaw_gate.outbox SET seq = 4 WHERE proposal_id = 'p-1' AND kind = 'decision'",
      [
        [
          'proposals',
          'the used identifier p-1 has no verdict of its own',
          'the used identifier p-1 names another decision than its verdict',
        ],
        ['outbox', expect.stringMatching(/^entry ob_\w+ has a number that no record of its own has$/)],
      ],
    ],
    [
      'an entry that was deleted',
      "DELETE FROM bylaw_gate.outbox WHERE kind = 'result'",
      [
        ['outbox', expect.stringMatching(/^record \d+: its entry is missing$/), 'entry missing:a:4: the row is missing from the outbox'],
        ['results', 'a result of the proposal p-2 has no record'],
        ['approvals', 'approval apr_p-2: A record is missing.'],
      ],
    ],
    [
      'a result that was deleted',
      'DELETE FROM bylaw_gate.result',
      [['results', expect.stringMatching(/^record \d+: the table of results does not have it$/)]],
    ],
    [
      'a result of another status',
      "UPDATE bylaw_gate.result SET status = 'error'",
      [['results', expect.stringMatching(/^record \d+: the table names another status$/)]],
    ],
    [
      'an approval of another state',
      "UPDATE bylaw_gate.approval SET state = 'granted'",
      [['approvals', 'approval apr_p-2: the table says granted, and its records say consumed']],
    ],
    [
      'an approval that was deleted',
      'DELETE FROM bylaw_gate.approval',
      [
        [
          'approvals',
          'record 5: its approval is missing in the table',
          expect.stringMatching(/^record \d+: its approval is missing in the table$/),
        ],
      ],
    ],
    [
      'a record that was changed',
      "UPDATE bylaw_gate.evidence SET data = replace(data, 'alice', 'mallory') WHERE seq = 3",
      [
        ['chain', 'record 3: its data was changed'],
        ['approvals', 'approval apr_p-2: Record 3 was changed, or belongs to something else.'],
      ],
    ],
    [
      'a record that was erased without a word',
      'UPDATE bylaw_gate.evidence SET data = NULL, salt = NULL WHERE seq = 2',
      [['erasures', 'record 2: it was erased, and no later record says so']],
    ],
    [
      'a tree that was changed',
      "UPDATE bylaw_gate.head SET frontier = ARRAY['0']",
      [['head', 'the tree of the head does not match the records']],
    ],
    [
      'a drop that no record names',
      "INSERT INTO bylaw_gate.quarantine (oid, reason, resolution, resolved_at) VALUES ('ob_x', 'x', 'dropped', now())",
      [['outbox', 'entry ob_x was dropped, and no record says so']],
    ],
  ])('finds %s', async (_, change, faults) => {
    await asOwner(change);
    expect(await failed()).toEqual(faults);
  });

  it('finds a trigger that is switched off, and a function that was replaced', async () => {
    await owner.query('ALTER TABLE bylaw_gate.outbox DISABLE TRIGGER outbox_moves; DROP TRIGGER head_grows ON bylaw_gate.head');
    await owner.query("CREATE OR REPLACE FUNCTION bylaw_gate.refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'");
    expect(await failed()).toEqual([
      [
        'schema',
        'the trigger head_grows of the table head is missing',
        'the trigger outbox_moves of the table outbox is disabled',
        'the function refuse is not the one of this version',
      ],
    ]);
  });

  it('finds an entry that waits and was altered', async () => {
    const [{ rows }] = [await owner.query('SELECT id FROM bylaw_gate.replica')];
    expect(rows).toHaveLength(1);
    await asOwner(
      `INSERT INTO bylaw_gate.outbox (oid, kind, replica, n, content, content_sig) VALUES ('ob_x', 'decision', 'a', 5, '{}', 'x');
      UPDATE bylaw_gate.replica SET n = 5`.replace('INSERT', "SET bylaw_gate.format = '2'; INSERT"),
    );
    expect(await failed()).toEqual([['outbox', 'entry ob_x waits, and was altered']]);
  });

  it('compares the newest checkpoint', async () => {
    const store = await openStore(dsn, { role: 'read' });
    const head = await store.head();
    await store.close();
    if (head === undefined) throw new Error('no head');
    const dir = mkdtempSync(join(tmpdir(), 'bylaw-checkpoints-'));
    await writeCheckpoint(dir, checkpointNote(head, 'x', SIGNER));
    expect((await inspect({ checkpointDir: dir })).at(-1)).toMatchObject({ name: 'checkpoint', ok: true });
    await writeCheckpoint(dir, checkpointNote({ ...head, seq: head.seq + 5 }, 'x', SIGNER));
    expect((await inspect({ checkpointDir: dir })).at(-1)).toMatchObject({ name: 'checkpoint', ok: false });
  });

  it('says when there is no store', async () => {
    await expect(inspect({ dsn: await runningServer().createDatabase() })).rejects.toMatchObject({ code: 'AG-EVD-004' });
    await expect(inspect({ dsn: 'postgres://user:hunter2@127.0.0.1:1/none' })).rejects.toMatchObject({ code: 'AG-EVD-002' });
  });
});
