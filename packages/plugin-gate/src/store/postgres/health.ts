import { plural } from '@bylaw/core/plural';
import type { Pool } from 'pg';
import { StoreError } from '../store.js';
import { KEY_CHANGED } from './accept.js';
import { readHead, type StoredHead } from './chain.js';
import { SCHEMA } from './schema.js';

/** What is known of the chain and of the database, so that nobody has to ask to know whether something can be recorded. */
export interface Health {
  /** Asks the database. @returns whether something waits for its number */
  look(): Promise<{ pending: boolean }>;
  /** As it was last seen. */
  head(): StoredHead | undefined;
  /** The head was moved here. */
  moved(head: StoredHead): void;
  /** The database failed. The next look that succeeds ends that. */
  failed(error: Error): void;
  /** From now on it is a problem when another key signs. */
  watchKey(keyId: string): void;
  /** Why the chain cannot be gone on with; undefined when it can. */
  stuck(): Problem | undefined;
  /** Why nothing must be accepted. What was accepted before goes on to its place. */
  unusable(): Problem | undefined;
  /** Why nothing can be recorded; undefined when all is well. */
  problem(): Problem | undefined;
  /** Why this head must not be gone on with by this replica. */
  refuse(head: StoredHead): Problem | undefined;
  /** Why this head must not be gone on with by anyone: a chain that was longer once has lost records. */
  rolledBack(head: StoredHead): Problem | undefined;
}

export interface Problem {
  code: StoreError['code'];
  message: string;
}

export function createHealth(pool: Pool): Health {
  let seen: StoredHead | undefined;
  let quarantined = false;
  let failure: Problem | undefined;
  let ownKey: string | undefined;
  /** Stays: a standby that took over without our last records has forgotten what was answered. */
  let lost: Problem | undefined;

  const rolledBack = (head: StoredHead, before: StoredHead | undefined): Problem | undefined => {
    if (before === undefined || head.seq > before.seq || (head.seq === before.seq && head.hash === before.hash)) return undefined;
    return {
      code: 'AG-EVD-004',
      message: `The chain had ${plural(before.seq + 1, 'record')} and now has ${head.seq + 1}: records are missing.`,
    };
  };
  const wrongKey = (head: StoredHead): Problem | undefined =>
    ownKey === undefined || head.keyId === ownKey ? undefined : { code: 'AG-EVD-001', message: KEY_CHANGED };
  const move = (head: StoredHead) => {
    if (seen === undefined || head.seq >= seen.seq) seen = head;
  };
  const stuck = () => lost ?? (seen && wrongKey(seen));
  const unusable = () =>
    stuck() ??
    (quarantined
      ? ({ code: 'AG-EVD-004', message: 'A decision was altered before it was numbered, and is in quarantine.' } as const)
      : undefined);
  return {
    async look() {
      // What is seen meanwhile may be newer than the answer.
      const before = seen;
      const head = await readHead(pool);
      const { rows } = await pool.query(`SELECT EXISTS (SELECT FROM ${SCHEMA}.outbox WHERE seq IS NULL) AS pending,
        EXISTS (SELECT FROM ${SCHEMA}.quarantine WHERE resolved_at IS NULL) AS quarantined`);
      failure = undefined;
      quarantined = rows[0]?.quarantined === true;
      if (head !== undefined) {
        lost ??= rolledBack(head, before);
        if (lost === undefined) move(head);
      }
      return { pending: rows[0]?.pending === true };
    },
    head: () => seen,
    moved: move,
    failed(error) {
      failure = { code: error instanceof StoreError ? error.code : 'AG-EVD-002', message: error.message };
    },
    watchKey(keyId) {
      ownKey = keyId;
    },
    stuck,
    unusable,
    problem: () => unusable() ?? failure,
    refuse: (head) => rolledBack(head, seen) ?? wrongKey(head),
    rolledBack: (head) => rolledBack(head, seen),
  };
}
