import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { GateServer } from './gate-server.test-support.js';

export function storeFileOf({ folder }: GateServer): string {
  return join(folder, '.bylaw', 'gate.sqlite');
}

/** Does to the file of a store what its triggers forbid, while the server runs. */
export function forge(server: GateServer, ...statements: string[]): void {
  const db = new DatabaseSync(storeFileOf(server), { timeout: 5000 });
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  for (const statement of statements) if (db.prepare(statement).run().changes === 0) throw new Error(`nothing was changed: ${statement}`);
  for (const trigger of triggers) db.exec(String(trigger.sql));
  db.close();
}
