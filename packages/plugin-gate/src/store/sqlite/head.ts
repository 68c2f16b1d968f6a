import type { DatabaseSync } from 'node:sqlite';
import type { ChainHead } from '../../evidence/index.js';

/** Where the chain stands, and which key signs what comes next. */
export interface StoredHead extends ChainHead {
  keyId: string;
}

/** @returns what reads the head row; undefined while there is no chain */
export function headReader(db: DatabaseSync): () => StoredHead | undefined {
  const statement = db.prepare('SELECT seq, hash, time, frontier, key_id FROM head');
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
    INSERT INTO head (only, seq, hash, time, frontier, key_id) VALUES (1, ?, ?, ?, ?, ?)
    ON CONFLICT (only) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, time = excluded.time,
      frontier = excluded.frontier, key_id = excluded.key_id`);
  return ({ seq, hash, time, frontier, keyId }) => {
    statement.run(seq, hash, time, frontier.join(' '), keyId);
  };
}
