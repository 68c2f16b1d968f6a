import type { DatabaseSync } from 'node:sqlite';
import { sqliteCode } from './failure.js';

/** Milliseconds that a connection waits for another process. */
export const BUSY_MS = 5000;

/**
 * Begins a transaction that writes, as soon as no other process does. SQLite itself would look again after up to 100 ms; a server
 * under load leaves its lock for a tenth of a millisecond at a time, so a command beside it would hardly ever come to write.
 * @throws an error of SQLite when another process has not let go for `BUSY_MS`
 */
export function beginWriting(db: DatabaseSync): void {
  db.exec('PRAGMA busy_timeout = 0');
  try {
    for (let waited = 0; ; waited++) {
      try {
        db.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isBusy(error) || waited === BUSY_MS) throw error;
        pause(1);
      }
    }
  } finally {
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  }
}

/** Whether an error of SQLite says that another process has a lock. */
export function isBusy(error: unknown): boolean {
  return (sqliteCode(error) ?? 0) % 256 === 5;
}

/** Holds this thread, as a lock that SQLite waits for does. */
export function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
