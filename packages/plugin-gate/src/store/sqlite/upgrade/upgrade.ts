import type { DatabaseSync } from 'node:sqlite';
import { type Fault, faultWalk, markData, SALT_BYTES, sealRecords, walkedRecord } from '../../../evidence/index.js';
import { canonical } from '../../../json/index.js';
import type { Signer } from '../../../keys/index.js';
import { StoreError } from '../../store.js';
import { BUSY_MS, beginWriting, pause } from '../file/begin.js';
import { openReading, openWriting } from '../file/connection.js';
import { withStoreErrors } from '../file/failure.js';
import { headReader, headWriter, type StoredHead } from '../file/head.js';
import { SCHEMA_VERSION, schemaVersion, UPGRADE_TO_2 } from '../file/schema.js';
import { lockForServer } from '../file/server-lock.js';
import { readPart } from '../reads/range.js';
import { recordInserter } from '../writes/append.js';
import { backUp } from './backup.js';

export interface Upgrade {
  path: string;
  /** The key in force. */
  signer: Signer;
  /** RFC 3339, milliseconds. */
  time: string;
  dev: boolean;
  /** Gives that many random bytes. */
  random: (bytes: number) => Uint8Array;
  onStep?: (step: UpgradeStep) => void;
}

/** Where a process may die. Each is told after it has happened, but for those named `before`. */
export const UPGRADE_STEPS = ['begin', 'faults', 'copied', 'backup', 'schema', 'mark', 'before-commit', 'commit'] as const;
export type UpgradeStep = (typeof UPGRADE_STEPS)[number];

/** Whether the store was written by an earlier version, and must be upgraded before anything is recorded. */
export function mustBeUpgraded(db: DatabaseSync): boolean {
  return schemaVersion(db) < SCHEMA_VERSION;
}

/**
 * Brings a store of schema 1 to schema 2: looks for the faults that version 0.1.0 let through, writes a backup beside the store,
 * changes the tables, and records the mark of the format with the faults. All but the backup is one transaction: after a crash
 * at any moment the store has schema 1 or schema 2, whole, and the next start goes on. Nobody writes meanwhile.
 * The caller holds the lock of the server.
 * @returns false when it has schema 2 already
 * @throws {StoreError} AG-EVD-001 another key is in force; AG-EVD-002 the backup or the store cannot be written; AG-EVD-004 the
 *   chain has its mark already, so somebody changed the schema, or it cannot be read
 */
export function upgradeStore(upgrade: Upgrade): boolean {
  return withStoreErrors(() => {
    const db = openWriting(upgrade.path, undefined, 1);
    try {
      if (!mustBeUpgraded(db)) return false;
      beginWriting(db);
      inTransaction(db, upgrade);
      return true;
    } finally {
      if (db.isTransaction) db.exec('ROLLBACK');
      db.close();
    }
  });
}

/**
 * The same for a command, which has no lock: a server of version 0.1.0 must not have the file open.
 * @throws {StoreError} AG-EVD-002 when a server has the store open and does not upgrade it
 */
export function upgradeBesideServers(upgrade: Upgrade): void {
  for (let waited = 0; ; waited += LOCK_MS) {
    const unlock = tryLock(upgrade.path);
    if (unlock !== undefined) {
      try {
        upgradeStore(upgrade);
      } finally {
        unlock();
      }
      return;
    }
    // The server may be about to upgrade it.
    if (isUpgraded(upgrade.path)) return;
    if (waited >= BUSY_MS)
      throw new StoreError(
        'AG-EVD-002',
        'The store was written by an earlier version and must be upgraded first. Restart the server that has it open.',
      );
    pause(LOCK_MS);
  }
}

const LOCK_MS = 50;

function tryLock(path: string): (() => void) | undefined {
  try {
    return lockForServer(path);
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

function isUpgraded(path: string): boolean {
  const db = openReading(path);
  try {
    return !mustBeUpgraded(db);
  } finally {
    db.close();
  }
}

function inTransaction(db: DatabaseSync, { path, signer, time, dev, random, onStep = () => undefined }: Upgrade): void {
  onStep('begin');
  const head = headReader(db)();
  if (head !== undefined && head.keyId !== signer.keyId)
    throw new StoreError('AG-EVD-001', 'the evidence signing key is not the active key of the chain');
  const faults = faultsIn(db, head);
  onStep('faults');
  backUp(path, head, onStep);
  onStep('backup');
  db.exec(UPGRADE_TO_2);
  onStep('schema');
  if (head !== undefined) {
    const at = time > head.time ? time : head.time;
    const drafts = markData(faults).map(
      (data) => ({ type: 'admin_action', time: at, dev, reportedBy: 'system', data: canonical(data) }) as const,
    );
    const sealed = sealRecords(head, drafts, signer, () => random(SALT_BYTES));
    const insert = recordInserter(db);
    for (const record of sealed.records) insert(record);
    headWriter(db)({ ...sealed.head, keyId: signer.keyId });
  }
  onStep('mark');
  onStep('before-commit');
  db.exec('COMMIT');
  onStep('commit');
}

/** A mark that is written twice would turn whatever was done to the store in between into known faults. */
function faultsIn(db: DatabaseSync, head: StoredHead | undefined): Fault[] {
  const walk = faultWalk();
  for (let from: number | undefined = 0; head !== undefined && from !== undefined; ) {
    const part = readPart(db, { from, to: head.seq });
    for (const record of part.records) walk.next(readable(record));
    from = part.next;
  }
  if (walk.format() !== 1)
    throw new StoreError('AG-EVD-004', 'The chain has format 2, but the file has the schema of format 1: its schema was changed.');
  return walk.faults().open;
}

function readable(record: Parameters<typeof walkedRecord>[0]) {
  try {
    return walkedRecord(record);
  } catch (error) {
    throw new StoreError('AG-EVD-004', `The data of record ${record.seq} was changed.`, { cause: error });
  }
}
