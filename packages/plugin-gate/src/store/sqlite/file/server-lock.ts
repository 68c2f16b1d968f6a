import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../store.js';

/**
 * Keeps a second server off the store. The chain would stay right with two, but their rate limits would add up.
 * The lock is a SQLite file of its own in an exclusive transaction: the system drops it when the process ends, however it ends.
 * @returns what frees it
 * @throws {StoreError} AG-EVD-002 when another server has it
 */
export function lockForServer(storePath: string): () => void {
  const path = `${storePath}.lock`;
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    throw new StoreError('AG-EVD-002', 'Another server has the store open. Only one server at a time can use it.', { cause: error });
  }
  return () => db.close();
}
