import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startCheckpoints } from '../checkpoints.js';
import type { EvidenceStore } from '../store.js';
import { adminUnit, decisionUnit, eraseAct, resultUnit } from '../testing/units.test-support.js';
import { openWriting, requireSqlite } from './file/connection.js';
import { remoteFileSystem } from './file/local-disk.js';
import type { SqliteStoreOptions } from './prepare-store.js';
import { dataOf, faultsIn, mountable, newKey, openFor, optionsFor, recordsOf, smallDisk, temporaryFolder } from './sqlite.test-support.js';
import { appender } from './writes/append.js';
import { decisionTexts } from './writes/unit.js';

describe('a disk that is full', () => {
  it('refuses the batch whole, leaves its ids unused, and goes on when there is room', async () => {
    const options = optionsFor();
    const store = await openFor(options);
    const db = openWriting(options.path);
    onTestFinished(() => db.close());
    if ('problem' in options.key) throw new Error('a key is needed');
    const append = appender({ db, signer: options.key.signer, salt: () => options.random(16) });
    const pages = Number(db.prepare('PRAGMA page_count').get()?.page_count);
    db.exec(`PRAGMA max_page_count = ${pages + 2}`);
    const units = ['p-1', 'p-2'].map((id) => decisionTexts(decisionUnit(id, { parameters: { text: 'x'.repeat(20_000) } })));
    const failed = { failure: { code: 'AG-EVD-002', message: 'The disk of the store is full.', fatal: false } };
    expect(append(units)).toEqual([failed, failed]);
    expect((await store.head())?.seq).toBe(0);
    db.exec('PRAGMA max_page_count = 1000000');
    expect(append(units)).toMatchObject([{ outcome: { seq: [1, 2] } }, { outcome: { seq: [3, 4] } }]);
    expect(faultsIn(options.path)).toEqual([]);
  });

  const folder = mountable();
  // Only where the system lets us make a small disk; elsewhere only the test before this one runs.
  if (folder !== undefined)
    it('makes a server unready until there is room again', async () => {
      const disk = smallDisk('3m');
      const timers: (() => void)[] = [];
      const timer = (run: () => void) => {
        timers.push(run);
        return () => timers.splice(timers.indexOf(run), 1);
      };
      const options = optionsFor({ role: 'server', path: join(disk, 'gate', 'store.sqlite'), timer });
      const store = await openFor(options);
      const filler = join(disk, 'filler');
      execFileSync('sh', ['-c', `head -c 10000000 /dev/zero > ${filler} || true`], { stdio: 'ignore' });
      const large = (id: string) => decisionUnit(id, { parameters: { text: 'x'.repeat(60_000) } });
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => store.decide(large(`p-${index}`))));
      const refused = outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [`p-${index}`] : []));
      expect(refused.length).toBeGreaterThan(0);
      expect(store.problems()).toMatchObject([{ code: 'AG-EVD-002' }]);
      rmSync(filler);
      expect(timers).toHaveLength(1);
      timers[0]?.();
      await expect.poll(() => store.problems()).toEqual([]);
      for (const id of refused) expect(await store.decide(large(id))).toBeDefined();
      expect(await store.decide(large(refused[0] ?? ''))).toBeUndefined();
      expect(faultsIn(options.path)).toEqual([]);
    });
});

describe('a folder that cannot be written', () => {
  it('is said when the store is opened', async () => {
    // Nobody can make folders there, not even root.
    const store = openFor(optionsFor({ path: '/sys/bylaw-test/store.sqlite' }));
    await expect(store).rejects.toMatchObject({ name: 'StoreError', code: 'AG-EVD-002' });
  });

  if (mountable() !== undefined)
    it('keeps an existing store from being opened for writing, not from being read', async () => {
      const disk = smallDisk('3m');
      const options = optionsFor({ path: join(disk, 'gate', 'store.sqlite') });
      const store = await openFor(options);
      await store.decide(decisionUnit('p-1'));
      await store.close();
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      await expect(openFor(options)).rejects.toMatchObject({ name: 'StoreError', code: 'AG-EVD-002' });
      execFileSync('mount', ['-o', 'remount,rw', disk]);
      const again = await openFor(options);
      expect(await again.decide(decisionUnit('p-2'))).toMatchObject({ seq: [3, 4] });
    });
});

describe('the newest checkpoint', () => {
  const checkpoint = async (store: EvidenceStore, options: SqliteStoreOptions, dir: string) => {
    if ('problem' in options.key) throw new Error('a key is needed');
    const onError = (error: unknown) => {
      throw error;
    };
    await startCheckpoints({
      store,
      signer: options.key.signer,
      origin: undefined,
      dir,
      seconds: 60,
      timer: () => () => undefined,
      onError,
    }).stop();
  };

  async function storeWithBackup() {
    const folder = temporaryFolder();
    const checkpointDir = join(folder, 'checkpoints');
    const options = optionsFor({ path: join(folder, 'gate', 'store.sqlite'), checkpointDir });
    const store = await openFor(options);
    await store.decide(decisionUnit('p-1'));
    await store.close();
    const backup = join(folder, 'backup.sqlite');
    copyFileSync(options.path, backup);
    const later = await openFor(options);
    await later.decide(decisionUnit('p-2'));
    await checkpoint(later, options, checkpointDir);
    await later.close();
    return { options, checkpointDir, backup };
  }

  it('lets the chain go on that it was made of', async () => {
    const { options } = await storeWithBackup();
    const store = await openFor(options);
    expect(store.problems()).toEqual([]);
    expect(await store.decide(decisionUnit('p-3'))).toMatchObject({ seq: [5, 6] });
  });

  it('keeps an old backup from being gone on with', async () => {
    const { options, backup } = await storeWithBackup();
    copyFileSync(backup, options.path);
    const store = await openFor(options);
    expect(store.problems()).toMatchObject([
      { code: 'AG-EVD-004', message: expect.stringContaining('covers 5 records, but the chain has 3') },
    ]);
    await expect(store.decide(decisionUnit('p-3'))).rejects.toMatchObject({ code: 'AG-EVD-004' });
    expect(await recordsOf(store)).toHaveLength(3);
  });

  it('keeps a store that was lost from being begun anew', async () => {
    const { options } = await storeWithBackup();
    rmSync(options.path);
    const store = await openFor(options);
    expect(store.problems()).toMatchObject([{ code: 'AG-EVD-004' }]);
    expect(await store.head()).toBeUndefined();
  });

  it('is put aside, and that recorded, when the rollback is accepted', async () => {
    const { options, backup, checkpointDir } = await storeWithBackup();
    copyFileSync(backup, options.path);
    const accepted = await openFor({ ...options, acceptRollback: true, reportedBy: 'operator:carol' });
    expect(accepted.problems()).toEqual([]);
    expect(dataOf(await accepted.record('3'))).toMatchObject({
      action: 'chain.accept_rollback',
      operator: 'operator:carol',
      checkpoint: { size: 5 },
      head: { seq: 2 },
    });
    expect(readdirSync(checkpointDir)).toEqual(['0000000000000005.checkpoint.rolled-back']);
    await accepted.close();
    expect((await openFor(options)).problems()).toEqual([]);
  });

  it('notices another chain of the same length', async () => {
    const { options } = await storeWithBackup();
    rmSync(options.path);
    const { checkpointDir: _, ...elsewhere } = options;
    const other = await openFor(elsewhere);
    await other.decide(decisionUnit('p-1'));
    await other.decide(decisionUnit('p-2'));
    await other.close();
    expect((await openFor(options)).problems()).toMatchObject([{ code: 'AG-EVD-004' }]);
  });

  it('keeps an old backup from being gone on with that has passed it with other records', async () => {
    const { options, backup } = await storeWithBackup();
    copyFileSync(backup, options.path);
    const { checkpointDir: _, ...elsewhere } = options;
    const other = await openFor(elsewhere);
    for (const id of ['q-1', 'q-2', 'q-3']) await other.decide(decisionUnit(id));
    await other.close();
    const store = await openFor(options);
    expect(store.problems()).toMatchObject([{ code: 'AG-EVD-004', message: expect.stringContaining('Record 4 is not the last record') }]);
    await expect(store.decide(decisionUnit('p-2'))).rejects.toMatchObject({ code: 'AG-EVD-004' });
  });

  it('that cannot be read keeps the chain from being gone on with', async () => {
    const { options, checkpointDir } = await storeWithBackup();
    execFileSync('sh', ['-c', `echo damaged > ${checkpointDir}/0000000000000005.checkpoint`]);
    expect((await openFor(options)).problems()).toMatchObject([{ code: 'AG-EVD-004' }]);
  });
});

describe('what stands in the file', () => {
  it('cannot be changed, deleted, replaced or put out of order, by any program', async () => {
    const options = optionsFor();
    const store = await openFor(options);
    await store.decide(decisionUnit('p-1'));
    await store.report(resultUnit('p-1'));
    await store.administer(adminUnit());
    const db = new DatabaseSync(options.path);
    onTestFinished(() => db.close());
    for (const statement of [
      "UPDATE record SET data = '{}' WHERE seq = 1",
      "UPDATE record SET header = '{}' WHERE seq = 1",
      "UPDATE record SET salt = NULL, data = NULL, hash = 'x' WHERE seq = 1",
      'DELETE FROM record WHERE seq = 2',
      "REPLACE INTO record SELECT seq, type, prev_hash, hash, header, '{}', salt, sig FROM record WHERE seq = 1",
      'INSERT INTO record SELECT 9, type, hash, hash, header, data, salt, sig FROM record WHERE seq = 2',
      "INSERT INTO record SELECT 5, type, 'other', hash, header, data, salt, sig FROM record WHERE seq = 2",
      'UPDATE head SET seq = 1',
      'DELETE FROM head',
      "DELETE FROM proposal WHERE id = 'p-1'",
      "UPDATE proposal SET id = 'p-2'",
      // Erasing without an act that says so, and what explains the chain.
      'UPDATE record SET salt = NULL, data = NULL WHERE seq = 1',
      'UPDATE record SET salt = NULL, data = NULL',
      "UPDATE result SET status = 'ok'",
      'DELETE FROM result',
      "INSERT INTO result SELECT proposal_id, 99, 'error', 0, NULL FROM result",
      "REPLACE INTO result SELECT proposal_id, seq, 'error', 0, NULL FROM result",
    ])
      expect(() => db.exec(statement), statement).toThrow(/record|head|used up|result/);
    expect(faultsIn(options.path)).toEqual([]);
  });

  it('can be erased only right after the act that names it, and an act that does so never', async () => {
    const options = optionsFor();
    const store = await openFor(options);
    for (const id of ['p-1', 'p-2']) await store.decide(decisionUnit(id));
    const db = new DatabaseSync(options.path);
    onTestFinished(() => db.close());
    const erase = (seq: number) => () => db.exec(`UPDATE record SET data = NULL, salt = NULL WHERE seq = ${seq}`);
    await store.administer(eraseAct(1));
    await store.administer(adminUnit({ action: 'evidence.erase', seq: '2' }));
    for (const seq of [0, 1, 2, 3]) expect(erase(seq)).toThrow('right after the act that names it');
    await store.administer(eraseAct(3));
    expect(erase(2)).toThrow('right after the act that names it');
    expect(erase(3)).not.toThrow();
    for (const seq of [0, 5, 7]) {
      await store.administer(eraseAct(seq));
      expect(erase(seq)).toThrow('right after the act that names it');
    }
  });

  it('is for its owner only', async () => {
    const options = optionsFor();
    const store = await openFor(options);
    await store.decide(decisionUnit('p-1'));
    const modes = readdirSync(dirname(options.path)).map((name) => statSync(join(dirname(options.path), name)).mode & 0o777);
    expect(new Set(modes)).toEqual(new Set([0o600]));
    expect(statSync(dirname(options.path)).mode & 0o777).toBe(0o700);
  });

  it('keeps nothing of what was erased, and can still be verified', async () => {
    const options = optionsFor();
    const store = await openFor(options);
    await store.decide(decisionUnit('p-1', { parameters: { note: 'a-leaked-secret-0123456789' } }));
    await store.report(
      resultUnit('p-1', { report: { status: 'ok', message: 'a-leaked-secret-0123456789' }, bodyDigest: 'digest-of-the-leak' }),
    );
    await store.erase(1, eraseAct(1));
    await store.erase(3, eraseAct(3));
    expect(await store.record('1')).toMatchObject({ data: null, salt: null });
    expect(await store.proposal('p-1')).toMatchObject({ proposal: null, verdict: { proposal_id: 'p-1' }, results: [{ status: 'ok' }] });
    expect(faultsIn(options.path)).toEqual([]);
    for (const name of readdirSync(dirname(options.path))) {
      const bytes = readFileSync(join(dirname(options.path), name)).toString('latin1');
      expect(bytes).not.toContain('a-leaked-secret');
      expect(bytes).not.toContain('digest-of-the-leak');
    }
  });

  it('keeps what makes the chain verifiable, and tells what cannot be erased', async () => {
    const store = await openFor(optionsFor());
    await store.decide(decisionUnit('p-1'));
    await store.erase(1, eraseAct(1));
    // Genesis, what is erased already, an act that explains an erasure, and no record.
    for (const seq of [0, 1, 3, 99]) await expect(store.erase(seq, eraseAct(seq))).rejects.toThrow(RangeError);
    await expect(store.erase(2, eraseAct(1))).rejects.toThrow('must name the erased record');
    expect((await store.head())?.seq).toBe(3);
    expect(store.problems()).toEqual([]);
  });

  it('is refused where it is no store', async () => {
    const options = optionsFor();
    mkdirSync(dirname(options.path));
    execFileSync('sh', ['-c', `echo 'this is no database, however long it may be' > ${options.path}`]);
    await expect(openFor(options)).rejects.toMatchObject({ code: 'AG-EVD-004' });
    rmSync(options.path);
    const other = new DatabaseSync(options.path);
    other.exec('CREATE TABLE other (a)');
    other.close();
    await expect(openFor(options)).rejects.toMatchObject({ code: 'AG-EVD-004' });
  });

  it('is not gone on with when its head is not its last record', async () => {
    const options = optionsFor();
    const store = await openFor(options);
    await store.decide(decisionUnit('p-1'));
    await store.close();
    const db = new DatabaseSync(options.path);
    db.exec('DROP TRIGGER record_remains; DELETE FROM record WHERE seq = 2');
    db.close();
    expect((await openFor(options)).problems()).toMatchObject([{ code: 'AG-EVD-004' }]);
  });
});

describe('a batch', () => {
  it('goes on without a unit that is a defect', async () => {
    const options = optionsFor();
    await openFor(options);
    const db = openWriting(options.path);
    onTestFinished(() => db.close());
    if ('problem' in options.key) throw new Error('a key is needed');
    const append = appender({ db, signer: options.key.signer, salt: () => options.random(16) });
    const twice = decisionUnit('p-2', { decision: 'REQUIRE_APPROVAL' });
    const answers = append([
      decisionTexts(decisionUnit('p-1', { decision: 'REQUIRE_APPROVAL' })),
      // Its approval has the id of another one.
      decisionTexts({ ...twice, ...(twice.approval && { approval: { ...twice.approval, id: 'apr_p-1' } }) }),
      decisionTexts(decisionUnit('p-3')),
    ]);
    expect(answers).toMatchObject([{ outcome: { seq: [1, 2] } }, { failure: { fatal: false } }, { outcome: { seq: [4, 5] } }]);
    expect(faultsIn(options.path)).toEqual([]);
  });

  it('records nothing more after a key was put in force that is not ours', async () => {
    const options = optionsFor();
    await openFor(options);
    const db = openWriting(options.path);
    onTestFinished(() => db.close());
    if ('problem' in options.key) throw new Error('a key is needed');
    const append = appender({ db, signer: options.key.signer, salt: () => options.random(16) });
    const { signer } = newKey();
    const rotation = adminUnit({ event: 'rotated', key_id: signer.keyId, public_key: signer.publicKey }, { type: 'key' });
    expect(append([rotation, adminUnit()])).toMatchObject([{ outcome: { seq: [1, 1] } }, { failure: { code: 'AG-EVD-001' } }]);
    expect(faultsIn(options.path)).toEqual([]);
  });
});

describe('the machine that a store is on', () => {
  it.each([
    [0x6969, 'NFS'],
    [0xff534d42, 'CIFS'],
    [-11317950, 'CIFS'],
    [0x65735546, 'FUSE'],
  ])('must have a local disk: %i is %s', (type, name) => {
    expect(remoteFileSystem(type)).toBe(name);
  });

  it.each([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630])('may have the file system %i', (type) => {
    expect(remoteFileSystem(type)).toBeUndefined();
  });

  it.each(['3.51.2', '3.50.99', '2.99.99', '0'])('must not have SQLite %s', (version) => {
    expect(() => requireSqlite(version)).toThrow('SQLite');
  });

  it.each(['3.51.3', '3.51.10', '3.52.0', '4.0.0'])('may have SQLite %s', (version) => {
    expect(() => requireSqlite(version)).not.toThrow();
  });
});
