import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gateError } from '../../error-table.js';

/** How long a command waits for another one, in milliseconds. */
const PATIENCE_MS = 5000;

/**
 * Lets one command at a time change a configuration. The lock is a SQLite file in an exclusive transaction, in the folder
 * `.bylaw` beside the configuration: the system drops it when the process ends, however it ends.
 * @returns what frees it
 * @throws {BylawError} AG-CFG-004
 */
export function lockConfig(configFile: string): () => void {
  const path = join(dirname(configFile), '.bylaw', 'config.lock');
  const db = open(path);
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    db.close();
    throw gateError('AG-CFG-004', 'Another command is changing the configuration.', { hint: 'Try again.', cause });
  }
  return () => db.close();
}

function open(path: string): DatabaseSync {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
    return new DatabaseSync(path, { timeout: PATIENCE_MS });
  } catch (cause) {
    throw gateError('AG-CFG-004', 'Cannot write to the folder of the configuration.', { cause });
  }
}
