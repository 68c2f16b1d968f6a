import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@bylaw/core/clock';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newKeyPem, signerFromPem } from '../../../keys/index.js';
import { openSqliteStore } from '../../sqlite/index.js';
import type { EvidenceStore } from '../../store.js';
import { PREVIOUS_FAULTS, PREVIOUS_KEY, previousFile } from '../../testing/previous.test-support.js';
import { chainErrors } from '../testing/chain-check.test-support.js';
import { absent, allRecords, KEY, openStore, PEM, runningServer, SIGNER, server } from '../testing/store.test-support.js';
import { aDecision, anAct, anApproval, aResult } from '../testing/units.test-support.js';
import { migrateFromSqlite } from './migrate-from-sqlite.js';

const RUN = fileURLToPath(new URL('../../../../../cli/bin/run.js', import.meta.url));

afterAll(() => ('absent' in server ? undefined : server.stop()));

describe.skipIf(absent)('copying an embedded store into PostgreSQL', () => {
  let dsn: string;
  let folder: string;
  let path: string;
  beforeEach(async () => {
    dsn = await runningServer().createDatabase();
    folder = mkdtempSync(join(tmpdir(), 'bylaw-migrate-'));
    path = join(folder, 'data', 'gate.sqlite');
    mkdirSync(join(folder, 'data'), { mode: 0o700 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const openFile = (role: 'server' | 'command' = 'command') =>
    openSqliteStore({ path, role, key: KEY, clock: systemClock, random: randomBytes, dev: false, reportedBy: 'system' });
  const migration = (said: object = {}) => ({
    path,
    dsn,
    signer: SIGNER,
    random: randomBytes,
    time: '2026-01-03T00:00:00.000Z',
    reportedBy: 'operator:root',
    ...said,
  });
  /** Every kind of record, an erased one, and more than one part of a copy. */
  const fill = async (store: EvidenceStore) => {
    for (let i = 0; i < 150; i++) await store.decide(aDecision(`p-${i}`));
    await store.decide(aDecision('waits', { decision: 'REQUIRE_APPROVAL' }));
    await store.decide(aDecision('granted', { decision: 'REQUIRE_APPROVAL' }));
    await store.settle(anApproval('granted'));
    await store.report(aResult('p-1', { status: 'deferred', bodyDigest: 'deferred' }));
    await store.report(aResult('p-1'));
    await store.erase(3, anAct('evidence.erase', { data: { action: 'evidence.erase', seq: 3 } }));
  };

  it('keeps every record byte for byte, and goes on with the chain', async () => {
    const file = await openFile();
    await fill(file);
    const [before, p1, waits] = [await allRecords(file), await file.proposal('p-1'), await file.proposal('waits')];
    const chainId = file.chainId;
    await file.close();
    const migrated = await migrateFromSqlite(migration());
    expect(migrated).toMatchObject({ chainId, records: before.length, proposals: 152, seq: before.length });
    const store = await openStore(dsn);
    try {
      expect(store.chainId).toBe(chainId);
      const after = await allRecords(store);
      expect(after.slice(0, before.length)).toEqual(before);
      expect(JSON.parse(after.at(-1)?.data ?? '')).toMatchObject({ action: 'store.migrate', from: 'sqlite', to: 'postgres' });
      expect(await store.proposal('p-1')).toEqual(p1);
      expect(await store.proposal('waits')).toEqual(waits);
      expect(await store.record(p1?.recorded.ref ?? '')).toEqual(before[p1?.recorded.seq[1] ?? 0]);
      expect(await store.decide(aDecision('p-1'))).toBeUndefined();
      expect(await store.report(aResult('p-1'))).toMatchObject({ kind: 'repeated', recorded: { ref: p1?.results[1]?.ref } });
      expect(await store.report(aResult('p-1', { bodyDigest: 'other' }))).toEqual({ kind: 'already-final' });
      expect(await store.settle(anApproval('waits', { expectDecisions: 0 }))).toBeDefined();
      expect((await store.report(aResult('granted'))).kind).toBe('recorded');
      expect((await store.approval('apr_granted'))?.state).toBe('consumed');
      expect(await store.decide(aDecision('new'))).toBeDefined();
      expect(chainErrors(await allRecords(store), SIGNER.publicKey)).toEqual([]);
    } finally {
      await store.close();
    }
  });

  it('gives the file another name, so that nobody goes on with it', async () => {
    await (await openFile()).close();
    const { keptAs } = await migrateFromSqlite(migration());
    expect(existsSync(path)).toBe(false);
    expect(existsSync(keptAs)).toBe(true);
    await expect(migrateFromSqlite(migration())).rejects.toMatchObject({ code: 'AG-EVD-002' });
  });

  it('refuses a database that has a chain, and a file that a server has open; both stay as they were', async () => {
    await (await openFile()).close();
    const running = await openFile('server');
    await expect(migrateFromSqlite(migration())).rejects.toMatchObject({ code: 'AG-EVD-002', message: expect.stringContaining('server') });
    await running.close();
    const other = await openStore(dsn);
    const head = await other.head();
    await expect(migrateFromSqlite(migration())).rejects.toMatchObject({ code: 'AG-EVD-004' });
    expect(await other.head()).toEqual(head);
    await other.close();
    expect(existsSync(path)).toBe(true);
  });

  it('marks a store of version 0.1.0 first, and takes its second final results along', async () => {
    copyFileSync(previousFile('schema-1-faults', 'sqlite'), path);
    expect(await migrateFromSqlite(migration({ signer: PREVIOUS_KEY.signer }))).toMatchObject({ records: 25, seq: 25 });
    const store = await openStore(dsn, { key: PREVIOUS_KEY });
    const records = await allRecords(store);
    expect(JSON.parse(records[24]?.data ?? '')).toMatchObject({ action: 'store.format', faults: PREVIOUS_FAULTS });
    expect((await store.proposal('p-4'))?.results).toHaveLength(3);
    expect(await store.report(aResult('p-4', { bodyDigest: 'another' }))).toEqual({ kind: 'already-final' });
    await store.close();
  });

  it('refuses another key than the one that the chain goes on with, and a chain that is broken', async () => {
    const file = await openFile();
    await fill(file);
    await file.close();
    await expect(migrateFromSqlite(migration({ signer: signerFromPem(newKeyPem()) }))).rejects.toMatchObject({ code: 'AG-EVD-001' });
    const db = new DatabaseSync(path);
    db.exec(`DROP TRIGGER record_stays; UPDATE record SET data = replace(data, 'alice', 'mallory') WHERE seq = 5`);
    db.close();
    await expect(migrateFromSqlite(migration())).rejects.toMatchObject({
      code: 'AG-EVD-004',
      message: expect.stringContaining('record 5'),
    });
    const store = await openStore(dsn);
    expect((await store.head())?.seq).toBe(0);
    await store.close();
  });

  it('is done by the command, which exits with 4 when it cannot be done', async () => {
    await (await openFile()).close();
    writeFileSync(join(folder, 'signing.key'), PEM, { mode: 0o600 });
    writeFileSync(join(folder, 'bylaw.yaml'), 'store: {kind: sqlite, path: data/gate.sqlite}\nsigning: {key_file: signing.key}\n');
    const run = (env: object) =>
      new Promise<{ exit: number | null; stdout: string; stderr: string }>((resolve) => {
        const args = [RUN, 'store', 'migrate', '--from', 'sqlite', '--to', 'postgres', '--dsn-env', 'TEST_DSN', '--json'];
        const child = execFile(process.execPath, args, { cwd: folder, env: { ...process.env, ...env } }, (_error, stdout, stderr) =>
          resolve({ exit: child.exitCode, stdout, stderr }),
        );
      });
    const unset = await run({});
    expect([unset.exit, unset.stderr]).toEqual([4, expect.stringContaining('TEST_DSN')]);
    const done = await run({ TEST_DSN: dsn });
    expect([done.stderr, done.exit]).toEqual(['', 0]);
    expect(JSON.parse(done.stdout)).toMatchObject({ records: 1, proposals: 0, seq: 1, dsnEnv: 'TEST_DSN' });
    const again = await run({ TEST_DSN: dsn });
    expect([again.exit, again.stderr]).toEqual([4, expect.not.stringContaining(dsn)]);
  });
});
