import type { Pool } from 'pg';
import { StoreError, type StoreProblem } from '../../store.js';
import { KEY_CHANGED } from '../accept/outbox-writer.js';
import { followHead, type HeadFollower, type StoredHead } from '../chain/head.js';
import { SCHEMA } from '../database/names.js';
import { storeErrorOf } from '../schema/transaction.js';
import { watchOutbox } from './outbox-watch.js';
import { OPEN_QUARANTINE } from './quarantine.js';

/** A problem that nothing can be recorded with. */
export interface Obstacle extends StoreProblem {
  code: StoreError['code'];
}

/** What is known of the chain and of the database, so that nobody has to ask to know whether something can be recorded. */
export interface Health {
  /** Asks the database. @returns whether something waits for its number */
  look(): Promise<{ pending: boolean }>;
  head: HeadFollower;
  /** The database failed. The next look that succeeds ends that. */
  failed(error: Error): void;
  /** Told of an approval whose cache differs from its records, or no longer does. */
  cacheDiffers(approval: string, differs: boolean): void;
  /** Approvals whose cache differed when they were last read. */
  differing(): readonly string[];
  /** From now on it is a problem when another key signs. */
  watchKey(keyId: string): void;
  /**
   * Looks again and again from now on, also while the sequencer waits for the database.
   * @param more is done each time as well
   * @returns what ends it
   */
  watch(more: () => Promise<void>): () => Promise<void>;
  /** Why the chain cannot be continued; undefined when it can. */
  stuck(): Obstacle | undefined;
  /** Why nothing must be accepted. What was accepted before goes on to its place. */
  unusable(): Obstacle | undefined;
  /** All that is wrong; empty when all is well. */
  problems(): StoreProblem[];
  /** Why this replica must not continue this head. */
  refuse(head: StoredHead): Obstacle | undefined;
}

/** Milliseconds between two looks when nobody else looks. With the time that a look may take, a stall shows within five seconds. */
const LOOK_MS = 1000;
/** Milliseconds between two looks at the rows of the outbox. */
const ROWS_MS = 2000;
/** Milliseconds without a new number, while rows wait, that are a stall. */
export const NUMBERING_MS = 5000;

/** @param pool of its own: a reader that holds all connections is not a stall */
export function createHealth(pool: Pool, now: () => number = () => performance.now()): Health {
  const head = followHead();
  const rows = watchOutbox(pool);
  let quarantined = false;
  let missing: string | undefined;
  let failure: Obstacle | undefined;
  let fault: Obstacle | undefined;
  let ownKey: string | undefined;
  let numbering = { seq: -1, at: now() };
  let stalled = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const differing = new Set<string>();

  const wrongKey = ({ keyId }: StoredHead): Obstacle | undefined =>
    ownKey === undefined || keyId === ownKey ? undefined : { code: 'AG-EVD-001', message: KEY_CHANGED };
  const stuck = () => {
    const seen = head.seen();
    return fault ?? (seen && wrongKey(seen));
  };
  const unusable = (): Obstacle | undefined =>
    stuck() ?? (quarantined ? QUARANTINE : missing === undefined ? undefined : chainProblem(missing));
  const readHead = async () => {
    try {
      await head.read(pool);
      fault = undefined;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      fault = { code: error.code, message: error.message };
    }
  };
  const look = async () => {
    await readHead();
    const { rows: found } = await pool.query<{
      quarantined: boolean;
      waiting: string | null;
    }>(`SELECT EXISTS (SELECT FROM ${SCHEMA}.quarantine q LEFT JOIN ${SCHEMA}.outbox o ON o.oid = q.oid
        WHERE ${OPEN_QUARANTINE}) AS quarantined,
      (SELECT extract(epoch FROM clock_timestamp() - accepted_at) * 1000 FROM ${SCHEMA}.outbox WHERE seq IS NULL ORDER BY id LIMIT 1) AS waiting`);
    const { quarantined: held, waiting } = found[0] ?? {};
    failure = undefined;
    quarantined = held === true;
    lookedAt = now();
    const seq = head.seen()?.seq ?? -1;
    if (seq !== numbering.seq || waiting === null) numbering = { seq, at: lookedAt };
    stalled = Number(waiting ?? 0) > NUMBERING_MS && lookedAt - numbering.at > NUMBERING_MS;
    return { pending: waiting !== null };
  };
  const failed = (error: Error) => {
    // What became of one change says nothing about the next.
    const code = error instanceof StoreError && error.code !== 'AG-EVD-009' ? error.code : 'AG-EVD-002';
    failure = { code, message: error.message };
  };
  return {
    look,
    head,
    failed,
    cacheDiffers(approval, differs) {
      if (!differs) differing.delete(approval);
      else if (differing.size < MOST_DIFFERING) differing.add(approval);
    },
    differing: () => [...differing],
    watchKey(keyId) {
      ownKey = keyId;
    },
    watch: (more) =>
      repeat(LOOK_MS, async () => {
        try {
          if (now() - lookedAt >= LOOK_MS) await look();
          if (rows.isDue(now(), ROWS_MS)) missing = await rows.check(now());
          await more();
        } catch (error) {
          failed(storeErrorOf(error));
        }
      }),
    stuck,
    unusable,
    problems: () => {
      const first = unusable() ?? failure;
      if (first !== undefined) return [first];
      return [...(stalled ? [STALLED] : []), ...(differing.size > 0 ? [DIFFERENCE] : [])];
    },
    refuse: wrongKey,
  };
}

function chainProblem(message: string): Obstacle {
  return { code: 'AG-EVD-004', message };
}

const QUARANTINE = chainProblem('A decision was altered before it was numbered, and is in quarantine.');

/** Approvals that are remembered: one is enough to tell. */
const MOST_DIFFERING = 100;

/** Answers come from the records all the same. */
const DIFFERENCE: StoreProblem = { code: 'AG-EVD-008', message: 'The table of approvals differs from their records.', blocks: false };

/** Decisions are still accepted and safe; only their numbers are late. */
const STALLED: StoreProblem = { code: 'AG-EVD-006', message: 'Accepted decisions wait for their numbers.', blocks: false };

/** Runs it one time after another, with a pause between. It keeps no process alive. */
function repeat(ms: number, run: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve();
  let timer = setTimeout(next, ms).unref();
  let ended = false;
  function next() {
    running = run().then(() => {
      if (!ended) timer = setTimeout(next, ms).unref();
    });
  }
  return () => {
    ended = true;
    clearTimeout(timer);
    return running;
  };
}
