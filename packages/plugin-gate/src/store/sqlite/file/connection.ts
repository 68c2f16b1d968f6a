import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../store.js';
import { BUSY_MS, isBusy, pause } from './begin.js';
import { withStoreErrors } from './failure.js';
import { requireLocalDisk } from './local-disk.js';
import { checkSchema, ensureSchema, SCHEMA_VERSION, type SchemaVersion } from './schema.js';

/** 16 MiB of pages. */
const LOG_PAGES = 4000;

/** The first version of SQLite without the bug that could reset a write-ahead log under a reader (fixed in 3.51.3). */
const OLDEST_SQLITE = [3, 51, 3];

/**
 * The connection that writes. One sync per commit: what a COMMIT has returned for is on the disk. Data that is erased is
 * overwritten with zeros.
 * @param logPages from how many on a commit moves them from the log into the file itself
 * @param oldest version of the schema that the file may have; with one that is not the current one, only `upgradeStore` may write
 * @throws {StoreError} when the file cannot be opened, is not a store, or is not on a local disk
 */
export function openWriting(path: string, logPages = LOG_PAGES, oldest: SchemaVersion = SCHEMA_VERSION): DatabaseSync {
  return withStoreErrors(() => {
    const db = new DatabaseSync(path, { timeout: BUSY_MS });
    try {
      switchToLog(db);
      db.exec(
        `PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${logPages}; PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32000`,
      );
      ensureSchema(db, oldest);
      // From here on no statement can write the schema or the file's own tables.
      db.enableDefensive(true);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** A connection that reads, and waits for no writer. A store of an earlier version can be read as it is. */
export function openReading(path: string): DatabaseSync {
  return withStoreErrors(() => {
    const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
    try {
      db.exec('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON');
      checkSchema(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/**
 * Makes the folder (0700) and the file (0600), as far as they are missing, and takes the rights of others from a file that has
 * them. SQLite gives its log the mode of the file.
 * @throws {StoreError} AG-EVD-002 when that cannot be, or the disk is not local
 */
export function prepareFile(path: string): void {
  requireSqlite(process.versions.sqlite ?? '0');
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    requireLocalDisk(dirname(path));
    // Opened only where there is none: to close a file drops all locks of the process on it, those of SQLite too (fcntl(2)).
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    else if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError('AG-EVD-002', `Cannot create or open the store (${reasonOf(error)}).`, { cause: error });
  }
}

/** @throws {StoreError} AG-EVD-002 when the version is too old */
export function requireSqlite(version: string): void {
  const parts = version.split('.').map(Number);
  for (const [index, oldest] of OLDEST_SQLITE.entries()) {
    const part = parts[index] ?? 0;
    if (part > oldest) return;
    if (part < oldest)
      throw new StoreError('AG-EVD-002', `This Node.js has SQLite ${version}; the store requires ${OLDEST_SQLITE.join('.')} or newer.`);
  }
}

/** Two processes that make a new file at once disturb each other here, where SQLite does not wait by itself. */
function switchToLog(db: DatabaseSync): void {
  for (let attempt = 1; ; attempt++) {
    try {
      const mode = db.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
      if (mode !== 'wal') throw new StoreError('AG-EVD-002', 'SQLite cannot use a write-ahead log in this location.');
      return;
    } catch (error) {
      if (!isBusy(error) || attempt === 100) throw error;
      pause(BUSY_MS / 100);
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
