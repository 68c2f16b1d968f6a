import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recordLine } from '../../../evidence/index.js';
import { verifyEvidence } from '../../../evidence/verify/verify-evidence.js';
import type { EvidenceStore } from '../../store.js';
import { PREVIOUS_FAULTS, PREVIOUS_KEY, type PreviousChain, previousFile } from '../../testing/previous.test-support.js';
import { decisionUnit, eraseAct, resultUnit } from '../../testing/units.test-support.js';
import { inspectStore } from '../check/inspect.js';
import { openReading, openWriting } from '../file/connection.js';
import { lockForServer } from '../file/server-lock.js';
import {
  dataOf,
  faultsIn,
  headerOf,
  mountable,
  newKey,
  openFor,
  optionsFor,
  recordsOf,
  smallDisk,
  temporaryFolder,
} from '../sqlite.test-support.js';
import { UPGRADE_STEPS } from './upgrade.js';

/** A store that version 0.1.0 wrote, in a folder of its own. */
function oldStore(name: PreviousChain, folder = temporaryFolder()) {
  const path = join(folder, 'gate', 'store.sqlite');
  mkdirSync(dirname(path), { mode: 0o700 });
  copyFileSync(previousFile(name, 'sqlite'), path);
  chmodSync(path, 0o600);
  return optionsFor({ path, key: PREVIOUS_KEY });
}

const backups = (path: string) =>
  readdirSync(dirname(path))
    .filter((name) => name.includes('schema-1'))
    .sort();

function versionOf(path: string) {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db.prepare('PRAGMA user_version').get()?.user_version;
  } finally {
    db.close();
  }
}

async function verified(store: EvidenceStore) {
  const lines = (await recordsOf(store)).map((record) => `${recordLine(record)}\n`).join('');
  const file = {
    name: 'export',
    open: async function* () {
      yield Buffer.from(lines);
    },
  };
  return verifyEvidence([file], { key: { name: `svc.example/${store.chainId}`, publicKey: PREVIOUS_KEY.signer.publicKey } });
}

const failing = async (path: string) => {
  const checks = await inspectStore({ path, checkpointDir: undefined, fast: false });
  return checks.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`));
};

describe.each(['server', 'command'] as const)('a store of version 0.1.0 that a %s opens', (role) => {
  it('gets the mark with its faults, and goes on with its chain', async () => {
    const options = oldStore('schema-1-faults');
    const store = await openFor({ ...options, role });
    expect(store.problems()).toEqual([]);
    expect(headerOf(await store.record('24'))).toMatchObject({ type: 'admin_action', reported_by: 'system', dev: false });
    expect(dataOf(await store.record('24'))).toEqual({
      action: 'store.format',
      format: 2,
      from_format: 1,
      part: 1,
      parts: 1,
      faults: PREVIOUS_FAULTS,
    });
    expect((await store.proposal('p-4'))?.results).toHaveLength(3);
    expect(await store.report(resultUnit('p-4', { bodyDigest: 'another' }))).toEqual({ kind: 'already-final' });
    expect(await store.report(resultUnit('p-1'))).toMatchObject({ kind: 'repeated' });
    expect(await store.decide(decisionUnit('p-1'))).toBeUndefined();
    expect(await store.decide(decisionUnit('p-9'))).toMatchObject({ seq: [25, 26] });
    expect(await store.erase(25, eraseAct(25))).toMatchObject({ seq: [27, 27] });
    expect(await verified(store)).toMatchObject({ exit: 0, known_faults: PREVIOUS_FAULTS, unexplained_erasures: [] });
    await store.close();
    expect(faultsIn(options.path)).toEqual([]);
    expect(await failing(options.path)).toEqual([]);
  });

  it('is upgraded once, and keeps a backup of what it was', async () => {
    const options = oldStore('schema-1');
    await (await openFor({ ...options, role })).close();
    await (await openFor({ ...options, role })).close();
    expect(backups(options.path)).toEqual(['store.sqlite.schema-1']);
    const backup = `${options.path}.schema-1`;
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(versionOf(backup)).toBe(1);
    expect(await failing(backup)).toEqual([]);
    const [before, after] = [await openFor({ ...options, path: backup, role: 'read' }), await openFor({ ...options, role: 'read' })];
    const lines = async (store: EvidenceStore) => (await recordsOf(store)).map(recordLine);
    expect((await lines(after)).slice(0, 13)).toEqual(await lines(before));
    expect(await lines(after)).toHaveLength(14);
  });
});

describe('a store of version 0.1.0', () => {
  it('can be read as it is, and inspected', async () => {
    const options = oldStore('schema-1');
    const store = await openFor({ ...options, role: 'read' });
    expect(await recordsOf(store)).toHaveLength(13);
    expect((await store.head())?.seq).toBe(12);
    expect(await store.proposal('p-1')).toMatchObject({ results: [{ status: 'deferred' }, { status: 'ok' }] });
    expect(await failing(options.path)).toEqual([]);
    const checks = await inspectStore({ path: options.path, checkpointDir: undefined, fast: true });
    expect(checks.find(({ name }) => name === 'schema')?.message).toContain('the next start');
    expect(versionOf(options.path)).toBe(1);
    expect(backups(options.path)).toEqual([]);
  });

  it('shows its faults to store doctor before it is upgraded', async () => {
    expect(await failing(oldStore('schema-1-faults').path)).toEqual([
      'finals: record 16: its proposal already had a final result',
      'finals: record 17: its proposal already had a final result',
      'erasures: record 18: it was erased, and no later record says so',
      'erasures: record 20: it was erased, and no later record says so',
    ]);
  });

  it('waits for its key, and can be read meanwhile', async () => {
    const options = oldStore('schema-1');
    for (const wrong of [{ problem: 'no evidence signing key exists', hint: '' }, newKey()]) {
      const store = await openFor({ ...options, role: 'server', key: wrong });
      expect(store.problems()).toMatchObject([{ code: 'AG-EVD-001' }]);
      expect(await recordsOf(store)).toHaveLength(13);
      await store.close();
      expect(versionOf(options.path)).toBe(1);
    }
    expect(backups(options.path)).toEqual([]);
    expect((await openFor(options)).problems()).toEqual([]);
  });

  it('is not written by a command while a server of the earlier version may have it open', async () => {
    const options = oldStore('schema-1');
    const unlock = lockForServer(options.path);
    const store = await openFor(options);
    expect(store.problems()).toMatchObject([{ code: 'AG-EVD-002', message: expect.stringContaining('Restart the server') }]);
    expect(versionOf(options.path)).toBe(1);
    unlock();
  });

  it('can no longer be written by a process of the earlier version that has it open', async () => {
    const options = oldStore('schema-1');
    const db = new DatabaseSync(options.path);
    onTestFinished(() => db.close());
    // The statements of version 0.1.0.
    const readHead = db.prepare('SELECT seq, hash, time, frontier, key_id FROM head');
    expect(readHead.get()).toMatchObject({ seq: 12 });
    await (await openFor(options)).close();
    expect(() => readHead.get()).toThrow('no such column');
  });

  it('is not upgraded when its chain does not end with its head, or its newest checkpoint contradicts it', async () => {
    const options = oldStore('schema-1');
    const checkpointDir = join(dirname(options.path), 'checkpoints');
    mkdirSync(checkpointDir);
    copyFileSync(previousFile('schema-1-faults', 'checkpoint'), join(checkpointDir, '0000000000000024.checkpoint'));
    const store = await openFor({ ...options, checkpointDir });
    expect(store.problems()).toMatchObject([{ code: 'AG-EVD-004', message: expect.stringContaining('covers 24 records') }]);
    await store.close();
    expect(versionOf(options.path)).toBe(1);
    const accepted = await openFor({ ...options, checkpointDir, acceptRollback: true });
    expect(accepted.problems()).toEqual([]);
    expect(dataOf(await accepted.record('13'))).toMatchObject({ action: 'store.format' });
    expect(dataOf(await accepted.record('14'))).toMatchObject({ action: 'chain.accept_rollback', head: { seq: 12 } });
  });

  it('is not marked again by whoever sets its schema back', async () => {
    const options = oldStore('schema-1');
    await (await openFor(options)).close();
    const db = new DatabaseSync(options.path);
    db.exec('DROP TRIGGER record_stays; UPDATE record SET data = NULL, salt = NULL WHERE seq = 2; PRAGMA user_version = 1');
    db.exec('ALTER TABLE head RENAME COLUMN next_key_id TO key_id');
    db.close();
    const store = await openFor(options);
    expect(store.problems()).toMatchObject([{ code: 'AG-EVD-004', message: expect.stringContaining('its schema was changed') }]);
    expect((await store.head())?.seq).toBe(13);
  });

  it('is refused by name when a later version wrote it', async () => {
    const options = oldStore('schema-1');
    const db = new DatabaseSync(options.path);
    db.exec('PRAGMA user_version = 3');
    db.close();
    const later = 'The store has schema version 3; this program supports versions 1 to 2.';
    await expect(openFor(options)).rejects.toThrow(later);
    await expect(openFor({ ...options, role: 'read' })).rejects.toThrow(later);
  });

  it('is refused by every writer that does not upgrade it', () => {
    const { path } = oldStore('schema-1');
    expect(() => openWriting(path)).toThrow('must be upgraded before it is written');
    openReading(path).close();
  });
});

describe('the backup of an upgrade', () => {
  it('that cannot be written keeps the store as it is, and the server says so and can be read', async () => {
    const options = oldStore('schema-1');
    // Nobody can write there, not even root.
    mkdirSync(`${options.path}.schema-1.unfinished`);
    const store = await openFor({ ...options, role: 'server' });
    expect(store.problems()).toMatchObject([{ code: 'AG-EVD-002', message: expect.stringContaining('cannot be backed up') }]);
    expect(await recordsOf(store)).toHaveLength(13);
    await store.close();
    expect(versionOf(options.path)).toBe(1);
    rmSync(`${options.path}.schema-1.unfinished`, { recursive: true });
    expect((await openFor(options)).problems()).toEqual([]);
  });

  if (mountable() !== undefined)
    it('that does not fit on the disk keeps the store as it is, until there is room', async () => {
      const options = oldStore('schema-1-faults', smallDisk('200k'));
      const filler = join(dirname(options.path), 'filler');
      execFileSync('sh', ['-c', `head -c 1000000 /dev/zero > ${filler} || true`], { stdio: 'ignore' });
      truncateSync(filler, statSync(filler).size - 50_000);
      const store = await openFor({ ...options, role: 'server' });
      expect(store.problems()).toMatchObject([
        { code: 'AG-EVD-002', message: expect.stringMatching(/up to 1 MiB\. The disk of the store is full/) },
      ]);
      await store.close();
      expect(versionOf(options.path)).toBe(1);
      expect(backups(options.path)).toEqual([]);
      rmSync(filler);
      expect((await openFor(options)).problems()).toEqual([]);
    });

  it('overwrites no other file', async () => {
    const options = oldStore('schema-1');
    writeFileSync(`${options.path}.schema-1`, 'something else');
    await (await openFor(options)).close();
    expect(backups(options.path)).toEqual(['store.sqlite.schema-1', 'store.sqlite.schema-1-2']);
    expect(readFileSync(`${options.path}.schema-1`, 'utf8')).toBe('something else');
  });
});

describe('an upgrade that is killed', () => {
  const CHILD = fileURLToPath(new URL('../../../../dist/store/sqlite/upgrade/upgrade-child.test-support.js', import.meta.url));

  it.each(UPGRADE_STEPS)('at the step "%s" leaves a store that the next start upgrades, once', async (step) => {
    const options = oldStore('schema-1-faults');
    const keyFile = join(dirname(options.path), 'key');
    writeFileSync(keyFile, PREVIOUS_KEY.pem, { mode: 0o600 });
    const child = spawnSync(process.execPath, [CHILD, options.path, keyFile, step], { encoding: 'utf8' });
    expect(child.signal, child.stderr).toBe('SIGKILL');
    expect(versionOf(options.path)).toBe(step === 'commit' ? 2 : 1);
    const store = await openFor({ ...options, role: 'server' });
    expect(store.problems()).toEqual([]);
    const marks = (await recordsOf(store, { types: ['admin_action'] })).filter(({ data }) => data?.includes('store.format'));
    expect(marks.map(({ seq }) => seq)).toEqual([24]);
    expect(dataOf(marks[0])).toMatchObject({ faults: PREVIOUS_FAULTS });
    await store.close();
    expect(await failing(options.path)).toEqual([]);
    expect(backups(options.path)).toEqual(['store.sqlite.schema-1']);
    expect(await failing(`${options.path}.schema-1`)).toHaveLength(4);
    expect(existsSync(`${options.path}.schema-1.unfinished`)).toBe(false);
  });
});
