import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ChainHead } from '../../../evidence/index.js';
import { StoreError } from '../../store.js';
import { openReading } from '../file/connection.js';
import { failureOf, sqliteCode } from '../file/failure.js';
import { headReader } from '../file/head.js';

/**
 * Writes a copy of the store beside it (`<path>.schema-1`, mode 0600) before its schema changes. When it returns, the copy is on
 * the disk, whole; after a crash in it, it is there whole or not at all. A copy of the same chain with the same head serves
 * again, so that a start which fails later leaves one copy, however often it is tried. No other copy is overwritten.
 * The caller keeps writers out meanwhile.
 * @param head of the chain; undefined while there is none
 * @param onStep is told when the copy is written, and not yet under its name
 * @returns the path of the copy
 * @throws {StoreError} AG-EVD-002 when it cannot be written
 */
export function backUp(path: string, head: ChainHead | undefined, onStep: (step: 'copied') => void): string {
  const unfinished = `${path}.schema-1.unfinished`;
  const name = freeName(path, head);
  if (name.taken) return name.path;
  try {
    remove(unfinished);
    copy(path, unfinished);
    if (!hasHead(unfinished, head)) throw new StoreError('AG-EVD-002', 'The backup of the store does not match the store.');
    onStep('copied');
    renameSync(unfinished, name.path);
    sync(dirname(path));
    return name.path;
  } catch (error) {
    try {
      remove(unfinished);
    } catch {
      // The first error says what is wrong.
    }
    throw reasonOf(error, path);
  }
}

function freeName(path: string, head: ChainHead | undefined): { path: string; taken: boolean } {
  for (let number = 1; ; number++) {
    const name = `${path}.schema-1${number === 1 ? '' : `-${number}`}`;
    if (!existsSync(name)) return { path: name, taken: false };
    if (hasHead(name, head)) return { path: name, taken: true };
  }
}

/** What was erased is not in the copy: only what the tables hold is written. */
function copy(path: string, to: string): void {
  // Made here, so that it never has another mode. SQLite writes into a file that is empty.
  closeSync(openSync(to, 'wx', 0o600));
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    db.prepare('VACUUM INTO ?').run(to);
  } finally {
    db.close();
  }
  sync(to);
}

function hasHead(path: string, head: ChainHead | undefined): boolean {
  try {
    const db = openReading(path);
    try {
      const found = headReader(db)();
      return found?.seq === head?.seq && found?.hash === head?.hash;
    } finally {
      db.close();
    }
  } catch {
    return false;
  }
}

function remove(file: string): void {
  for (const name of [file, `${file}-journal`]) rmSync(name, { force: true });
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function reasonOf(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error;
  const megabytes = Math.ceil(statSync(path).size / 1024 / 1024);
  const ofSystem = sqliteCode(error) === undefined && error instanceof Error && 'code' in error;
  const why = ofSystem ? `The system reported ${error.code}.` : failureOf(error).message;
  const message = `The store cannot be backed up before its upgrade, which takes up to ${megabytes} MiB. ${why}`;
  return new StoreError('AG-EVD-002', message, { cause: error });
}
