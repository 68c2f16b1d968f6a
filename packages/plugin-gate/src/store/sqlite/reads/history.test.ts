import { DatabaseSync } from 'node:sqlite';
import { expect, it, vi } from 'vitest';
import { decisionUnit } from '../../testing/units.test-support.js';
import { recordVerifier } from '../../verify/record-verifier.js';
import { openFor, optionsFor } from '../sqlite.test-support.js';
import { historyReader } from './history.js';

it('finds everything through an index, however many records there are', async () => {
  const options = optionsFor();
  const store = await openFor(options);
  await store.decide(decisionUnit('p-1', { decision: 'REQUIRE_APPROVAL' }));
  await store.close();
  const db = new DatabaseSync(options.path);
  const prepare = vi.spyOn(db, 'prepare');
  historyReader(db, { verifier: recordVerifier(undefined), groupsOf: () => [] });
  const statements = prepare.mock.calls.map(([sql]) => sql);
  prepare.mockRestore();
  const plans = statements.map((sql) => {
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...Array.from(sql.matchAll(/\?/g), () => ''));
    return steps.map(({ detail }) => String(detail));
  });
  db.close();
  expect(statements.length).toBeGreaterThan(5);
  // A scan of an index reads what it must; a scan of the records reads all of them.
  for (const plan of plans) expect(plan.filter((step) => /^SCAN record(?! USING)/.test(step))).toEqual([]);
});
