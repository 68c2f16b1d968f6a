import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixedClock } from '@bylaw/core/clock';
import { onTestFinished } from 'vitest';
import type { StoredRecord } from '../../evidence/index.js';
import { newKeyPem, signerFromPem } from '../../keys/index.js';
import type { EvidenceStore } from '../store.js';
import { TIME } from '../testing/units.test-support.js';
import { beginWalk, walkOn } from '../verify/walk.js';
import { openReading } from './file/connection.js';
import type { SqliteStoreOptions } from './prepare-store.js';
import { readPart } from './reads/range.js';
import { openSqliteStore } from './sqlite-store.js';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bylaw-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function newKey() {
  const pem = newKeyPem();
  return { pem, signer: signerFromPem(pem) };
}

/** Options of a store in a folder of its own. */
export function optionsFor(wishes: Partial<SqliteStoreOptions> = {}): SqliteStoreOptions {
  return {
    path: wishes.path ?? join(temporaryFolder(), 'gate', 'store.sqlite'),
    role: 'command',
    key: newKey(),
    clock: fixedClock(TIME),
    random: randomBytes,
    dev: false,
    reportedBy: 'system',
    ...wishes,
  };
}

/** Opens a store, and closes it after the test, if the test has not. */
export async function openFor(options: SqliteStoreOptions): Promise<EvidenceStore> {
  const store = await openSqliteStore(options);
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= store.close();
    return closed;
  };
  onTestFinished(close);
  return { ...store, close };
}

export async function recordsOf(
  store: EvidenceStore,
  range: Partial<Parameters<EvidenceStore['records']>[0]> = {},
): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const part of store.records({ from: 0, to: Number.MAX_SAFE_INTEGER, ...range })) records.push(...part);
  return records;
}

/** What is wrong with the chain of the file: nothing, if it is contiguous, linked and signed. */
export function faultsIn(path: string): string[] {
  const db = openReading(path);
  const walk = beginWalk();
  for (let from: number | undefined = 0; from !== undefined; ) {
    const part = readPart(db, { from, to: Number.MAX_SAFE_INTEGER });
    for (const record of part.records) walkOn(walk, record, { signatures: true });
    from = part.records.length === 0 ? undefined : part.next;
  }
  db.close();
  return walk.faults;
}

export function dataOf(record: StoredRecord | 'pending' | undefined) {
  if (record === undefined || record === 'pending' || record.data === null) throw new Error('The record has no data.');
  return JSON.parse(record.data);
}

export function headerOf(record: StoredRecord | 'pending' | undefined) {
  if (record === undefined || record === 'pending') throw new Error('There is no record.');
  return JSON.parse(record.header);
}

/** Whether this user may mount disks. */
export function mountable(): true | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return undefined;
  }
}

/** A disk of its own in memory, gone after the test. */
export function smallDisk(size: string): string {
  const folder = temporaryFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}
