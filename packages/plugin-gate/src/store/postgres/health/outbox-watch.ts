import type { Pool } from 'pg';
import { SCHEMA } from '../database/names.js';
import { MISSING } from './quarantine.js';

/**
 * Looks whether every row that a replica has accepted is there, and numbered by a record of its own: a row that somebody deleted
 * or numbered by hand shows, also when its replica never returns. `store doctor` looks at all rows; this looks at the last ones
 * of each replica, and again only when the replica has moved on or had rows that waited.
 */
export interface OutboxWatch {
  /** Whether the last look is that many milliseconds ago. */
  isDue(now: number, ms: number): boolean;
  /** @returns what is wrong; undefined when all is well */
  check(now: number): Promise<string | undefined>;
}

/** Rows of a replica that are looked at: more than wait at any time. */
const LAST_ROWS = 1000;
/** Replicas of one look: a table of many that are gone takes several. */
const MOST_REPLICAS = 20;

export function watchOutbox(pool: Pool): OutboxWatch {
  /** Counters of replicas whose rows were all there, and numbered. */
  const settled = new Map<string, string>();
  let at = Number.NEGATIVE_INFINITY;
  return {
    isDue: (now, ms) => now - at >= ms,
    async check(now) {
      at = now;
      const { rows: replicas } = await pool.query<{ id: string; n: string }>(`SELECT id, n FROM ${SCHEMA}.replica WHERE n > 0`);
      const moved = replicas.filter(({ id, n }) => settled.get(id) !== n).slice(0, MOST_REPLICAS);
      if (moved.length === 0) return undefined;
      const { rows } = await pool.query<ReplicaRow>(ROWS, [moved.map(({ id }) => id)]);
      for (const { id, n, there, numbered, strange, dropped } of rows) {
        if (Number(there) + Number(dropped) !== Math.min(Number(n), LAST_ROWS))
          return `Replica ${id} has accepted ${n} units, and some of their rows are missing from the outbox.`;
        if (Number(strange) > 0) return `Rows of replica ${id} in the outbox have numbers that no record of theirs has.`;
        if (numbered === there) settled.set(id, n);
      }
      return undefined;
    },
  };
}

/** The driver gives counts as texts. */
type ReplicaRow = { readonly [column in 'id' | 'n' | 'there' | 'numbered' | 'strange' | 'dropped']: string };

/** One statement sees one snapshot: the counter, its rows and their records move together. */
const ROWS = `SELECT r.id, r.n, count(o.oid) AS there, count(o.seq) AS numbered,
    count(*) FILTER (WHERE o.seq > 0 AND e.oid IS DISTINCT FROM o.oid) AS strange,
    (SELECT count(*) FROM ${SCHEMA}.quarantine q WHERE q.resolution = 'dropped' AND q.replica = r.id AND q.n > r.n - ${LAST_ROWS}
      AND q.oid LIKE '${MISSING}%') AS dropped
  FROM ${SCHEMA}.replica r LEFT JOIN ${SCHEMA}.outbox o ON o.replica = r.id AND o.n > r.n - ${LAST_ROWS} AND o.n <= r.n
    LEFT JOIN ${SCHEMA}.evidence e ON e.seq = o.seq
  WHERE r.id = ANY($1) GROUP BY r.id, r.n`;
