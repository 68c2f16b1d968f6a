import type { DatabaseSync } from 'node:sqlite';
import type { ChainHead } from '../../../evidence/index.js';
import { headKeyColumn } from './schema.js';

/** Where the chain stands, and which key signs what comes next. */
export interface StoredHead extends ChainHead {
  keyId: string;
}

/** @returns what reads the head row, of schema 1 too; undefined while there is no chain */
export function headReader(db: DatabaseSync): () => StoredHead | undefined {
  const statement = db.prepare(`SELECT seq, hash, time, frontier, ${headKeyColumn(db)} AS key_id FROM head`);
  return () => {
    const row = statement.get();
    if (row === undefined) return undefined;
    return {
      seq: Number(row.seq),
      hash: String(row.hash),
      time: String(row.time),
      frontier: String(row.frontier).split(' '),
      keyId: String(row.key_id),
    };
  };
}

/** @returns what writes the head row, inside a transaction of the caller */
export function headWriter(db: DatabaseSync): (head: StoredHead) => void {
  const statement = db.prepare(`
    INSERT INTO head (only, seq, hash, time, frontier, next_key_id) VALUES (1, ?, ?, ?, ?, ?)
    ON CONFLICT (only) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, time = excluded.time,
      frontier = excluded.frontier, next_key_id = excluded.next_key_id`);
  return ({ seq, hash, time, frontier, keyId }) => {
    statement.run(seq, hash, time, frontier.join(' '), keyId);
  };
}
