import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { startCheckpoints } from '../../checkpoints.js';
import { adminUnit, decisionUnit, eraseAct, resultUnit } from '../../testing/units.test-support.js';
import { newKey, openFor, optionsFor, recordsOf, temporaryFolder } from '../sqlite.test-support.js';
import { inspectStore } from './inspect.js';

/** A store with some of everything, and a checkpoint in the middle of it. */
async function someStore() {
  const folder = temporaryFolder();
  const key = newKey();
  const options = optionsFor({ key, path: join(folder, 'gate', 'store.sqlite') });
  const checkpointDir = join(folder, 'checkpoints');
  const store = await openFor(options);
  await store.decide(decisionUnit('p-1', { decision: 'REQUIRE_APPROVAL', parameters: { mark: 'MARK-0123456789' } }));
  await store.report(resultUnit('p-1', { status: 'deferred' }));
  const onError = (error: unknown) => expect.unreachable(String(error));
  await startCheckpoints({
    store,
    signer: key.signer,
    origin: undefined,
    dir: checkpointDir,
    seconds: 60,
    timer: () => () => undefined,
    onError,
  }).stop();
  await store.decide(decisionUnit('p-2'));
  await store.erase(1, eraseAct(1));
  const next = newKey();
  await store.administer(adminUnit({ event: 'rotated', key_id: next.signer.keyId, public_key: next.signer.publicKey }, { type: 'key' }));
  await store.close();
  const rotated = await openFor({ ...options, key: next });
  await rotated.decide(decisionUnit('p-3'));
  await rotated.close();
  return { path: options.path, checkpointDir };
}

/** Does to the file what its triggers forbid. */
function tamper(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  db.exec(sql);
  for (const trigger of triggers) db.exec(String(trigger.sql));
  db.close();
}

const failing = async (store: { path: string; checkpointDir?: string }, fast = false) => {
  const checks = await inspectStore({ checkpointDir: undefined, ...store, fast });
  return checks.filter(({ ok }) => !ok).map(({ name, message }) => `${name}: ${message}`);
};

it('finds a store whole, with erased records, another key and a checkpoint', async () => {
  const store = await someStore();
  expect(await failing(store)).toEqual([]);
  expect(await failing(store, true)).toEqual([]);
});

it.each([
  [
    'data that was changed',
    "UPDATE record SET data = replace(data, 'alice', 'mallory') WHERE seq = 5",
    ['chain: record 5: its data was changed'],
  ],
  [
    'a header that was changed',
    "UPDATE record SET header = replace(header, 'ci-main', 'ci-evil') WHERE seq = 5",
    ['chain: record 5: its header was changed'],
  ],
  [
    'another type',
    "UPDATE record SET type = 'result' WHERE seq = 7",
    [
      'chain: record 7: its type was changed',
      'erasures: record 1: it was erased, and no later record says so',
      'results: the store has 1 result, but 2 records of results',
    ],
  ],
  [
    'a wrong signature',
    'UPDATE record SET sig = (SELECT sig FROM record WHERE seq = 4) WHERE seq = 5',
    ['chain: record 5: its signature is invalid'],
  ],
  [
    'an identifier that was set free',
    "DELETE FROM proposal WHERE id = 'p-2'",
    ['proposals: the store has 2 used identifiers, but 3 verdicts'],
  ],
  ['a tree that is not that of the records', 'UPDATE head SET frontier = hash', ['head: the tree of the head does not match the records']],
  ['another key in the head', "UPDATE head SET next_key_id = 'other'", ['head: the head names a different key than the records']],
])('finds %s', async (_, sql, found) => {
  const store = await someStore();
  tamper(store.path, sql);
  expect(await failing(store)).toEqual(found);
});

it('finds records that were erased without a record that says so', async () => {
  const store = await someStore();
  tamper(store.path, 'UPDATE record SET data = NULL, salt = NULL WHERE seq IN (5, 9)');
  expect(await failing(store)).toEqual(['erasures: record 5: it was erased, and no later record says so']);
  const checks = await inspectStore({ ...store, fast: true });
  expect(checks.find(({ name }) => name === 'erasures')?.faults).toHaveLength(2);
});

it('finds data that was put back after its erasure', async () => {
  const options = optionsFor();
  const store = await openFor(options);
  await store.decide(decisionUnit('p-1'));
  const { data, salt } = (await recordsOf(store))[1] ?? {};
  await store.erase(1, eraseAct(1));
  await store.close();
  tamper(options.path, `UPDATE record SET data = '${data}', salt = '${salt}' WHERE seq = 1`);
  expect(await failing({ path: options.path })).toEqual(['erasures: record 1: its erasure is recorded, but it has its data']);
});

it('finds a second final result, which was possible only because the first was hidden', async () => {
  const options = optionsFor();
  const store = await openFor(options);
  await store.decide(decisionUnit('p-1'));
  await store.report(resultUnit('p-1'));
  tamper(options.path, `DELETE FROM result; UPDATE record SET data = replace(data, '"p-1"', '"p-0"') WHERE type = 'result'`);
  expect(await store.report(resultUnit('p-1'))).toMatchObject({ kind: 'recorded' });
  await store.close();
  tamper(options.path, `UPDATE record SET data = replace(data, '"p-0"', '"p-1"') WHERE type = 'result'`);
  expect(await failing({ path: options.path })).toEqual([
    'finals: record 4: its proposal already had a final result',
    'results: the store has 1 result, but 2 records of results',
    'tables: proposal at record 2: its result at record 3 is missing in the table',
  ]);
});

it('finds a result whose status was changed', async () => {
  const store = await someStore();
  tamper(store.path, "UPDATE result SET status = 'ok'");
  expect(await failing(store)).toEqual([
    'results: 1 result does not match its record',
    'tables: proposal at record 2: its result does not match record 4',
  ]);
});

it('leaves signatures out when it must be fast, and says so', async () => {
  const store = await someStore();
  tamper(store.path, 'UPDATE record SET sig = (SELECT sig FROM record WHERE seq = 4) WHERE seq = 5');
  expect(await failing(store, true)).toEqual([]);
  const checks = await inspectStore({ ...store, fast: true });
  expect(checks.find(({ name }) => name === 'chain')?.message).toContain('signatures were skipped');
});

it('finds a tail that was cut off, against the checkpoint and the head', async () => {
  const store = await someStore();
  tamper(store.path, 'DELETE FROM record WHERE seq > 3');
  expect(await failing(store)).toEqual([
    'head: the head is at record 10, but the last record is 3',
    'erasures: record 1: it was erased, and no later record says so',
    'proposals: the store has 3 used identifiers, but 1 verdict',
    'results: the store has 1 result, but 0 records of results',
    'tables: Record 4 is missing.',
    'checkpoint: the newest checkpoint covers 5 records, but the chain has 4: records are missing',
  ]);
});

it('finds records that are not those of the checkpoint', async () => {
  const [store, other] = [await someStore(), await someStore()];
  expect(await failing({ ...store, checkpointDir: other.checkpointDir })).toEqual([
    'checkpoint: the newest checkpoint does not match the first 5 records',
  ]);
});

it('finds bytes of a record that were changed in the file', async () => {
  const store = await someStore();
  const bytes = readFileSync(store.path);
  const at = bytes.indexOf('"p-3"');
  expect(at).toBeGreaterThan(0);
  bytes.write('"p-4"', at);
  writeFileSync(store.path, bytes);
  expect((await failing(store)).some((line) => /chain: record \d+: its data was changed|proposals/.test(line))).toBe(true);
});

it('finds a trigger that is missing, and files that others can read', async () => {
  const store = await someStore();
  const db = new DatabaseSync(store.path);
  db.exec('DROP TRIGGER record_stays');
  db.close();
  chmodSync(store.path, 0o644);
  const found = await failing(store);
  expect(found[0]).toMatch(/^files: .* has mode 644; the mode must be 600 or stricter$/);
  expect(found[1]).toBe('schema: trigger record_stays is missing');
});
