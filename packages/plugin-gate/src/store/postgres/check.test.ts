import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { absent, openStore, runningServer, server } from './testing/store.test-support.js';
import { aDecision } from './testing/units.test-support.js';

// Nobody asks for what the owner of the database changes here: the server finds it by itself.

afterAll(() => ('absent' in server ? undefined : server.stop()));

it.skipIf(absent).each([
  ['a used id that was deleted', 'proposal_ids', "DELETE FROM bylaw_gate.proposal_ids WHERE id = 'p-3'"],
  ['a record in the middle that was deleted', 'evidence', 'DELETE FROM bylaw_gate.evidence WHERE seq = 5'],
  ['a record whose data was edited', 'evidence', "UPDATE bylaw_gate.evidence SET data = replace(data, 'p-3', 'p-x') WHERE seq = 7"],
])('a server finds %s', async (_, table, statement) => {
  const dsn = await runningServer().createDatabase();
  const found: string[] = [];
  const store = await openStore(dsn, { onMismatch: (message) => found.push(message) });
  const owner = new pg.Client({ connectionString: dsn });
  try {
    await owner.connect();
    for (let number = 0; number < 5; number++) await store.decide(aDecision(`p-${number}`));
    const records = ((await store.head())?.seq ?? 0) + 1;
    store.startCheck?.(20);
    await expect.poll(() => store.checkState?.()).toMatchObject({ checked: records, records, faults: [], lastPassAt: expect.any(String) });
    await store.decide(aDecision('p-later'));
    await expect.poll(() => store.checkState?.()).toMatchObject({ records: records + 2, faults: [] });
    expect(store.problems()).toEqual([]);
    await owner.query(
      `ALTER TABLE bylaw_gate.${table} DISABLE TRIGGER ALL; ${statement}; ALTER TABLE bylaw_gate.${table} ENABLE TRIGGER ALL`,
    );
    await expect.poll(() => store.problems().map(({ code }) => code)).toContain('AG-EVD-008');
    expect(found.join()).toContain('The store does not match its chain: ');
  } finally {
    await owner.end();
    await store.close();
  }
});
