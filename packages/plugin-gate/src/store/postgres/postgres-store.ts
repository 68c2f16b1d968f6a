import type { Clock } from '@bylaw/core/clock';
import type { Pool, PoolClient } from 'pg';
import { type ChainHead, SALT_BYTES } from '../../evidence/index.js';
import type { Signer } from '../../keys/index.js';
import type { SigningKey } from '../signing-key.js';
import { contradictionWith, readNewest, setAside } from '../sqlite/rollback.js';
import { type AdminUnit, type EvidenceStore, type Recorded, type ReportOutcome, StoreError } from '../store.js';
import { type Acceptance, type AcceptedUnit, acceptUnits, numbersOf } from './accept.js';
import { inBatches } from './batches.js';
import { readHead } from './chain.js';
import { checkServer, connectTo, type Database } from './database.js';
import { type DirectWriter, ensureGenesis, eraseData, lockChain, recordAct } from './direct.js';
import { createHealth, type Health } from './health.js';
import { listenTo } from './listener.js';
import { waitForNumbers } from './numbers.js';
import { newOid } from './oid.js';
import { partsOf } from './random-parts.js';
import { type Reads, readsOf } from './reads.js';
import { migrateSchema, SCHEMA } from './schema.js';
import { sealOnThread } from './seal-on-thread.js';
import { sealHere } from './seal-rows.js';
import { SEQUENCED_CHANNEL, type SequencerStep, sequenceRound } from './sequence.js';
import { startSequencer } from './sequencer.js';
import { inTransaction, isConflict, storeErrorOf, UnknownOutcome } from './transaction.js';

export interface PostgresStoreOptions {
  /** Connection string. */
  dsn: string;
  /** `server`: signs on a thread of its own. `command`: signs on this one. `read`: never writes, and makes no tables. */
  role: 'server' | 'command' | 'read';
  key: SigningKey;
  clock: Clock;
  /** Gives that many random bytes, fit for secrets. */
  random: (bytes: number) => Uint8Array;
  dev: boolean;
  /** `reported_by` of what opening records. */
  reportedBy: string;
  /**
   * Name under which this replica counts what it accepts; the name of the host fits. A name that stays the same from start to
   * start lets its next decision show what was taken away before. Processes that share one wait for each other.
   */
  replica: string;
  /** Milliseconds that an answer waits for its place in the chain. */
  sequenceWaitMs: number;
  /** Milliseconds between two looks at the outbox. */
  pollMs: number;
  /** Name of the chain in its checkpoints, if it is configured. */
  origin?: string | undefined;
  /** Checkpoints that the chain is compared with. */
  checkpointDir?: string | undefined;
  /** Goes on with a chain that the newest checkpoint contradicts, and records that. */
  acceptRollback?: boolean | undefined;
  /** For tests: where this process may die. */
  onStep?: ((step: StoreStep) => void) | undefined;
  /** For tests of the other guards: false numbers without the lock. */
  lock?: boolean | undefined;
}

/** `accepted`: after a batch is in the outbox, before anyone is answered. */
export type StoreStep = SequencerStep | 'before-accept' | 'accepted';

/**
 * Opens the store, makes or brings up its tables, and begins the chain when there is none and there is a key. What keeps it from
 * recording is no error but one of `problems()`: reading goes on. Unless it is opened for reading, it also numbers what waits in
 * the outbox, whichever replica has accepted that.
 * @throws {StoreError} AG-EVD-002 the database cannot be used, or does not keep what it acknowledges; AG-EVD-004 its tables are
 *   of a later version
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<EvidenceStore> {
  const database = connectTo(options.dsn);
  try {
    await checkServer(database.writing);
    const health = createHealth(database.reading);
    if (options.role === 'read') return await openForReading(database, health);
    const obstacle = await begin(database, options);
    await health.look();
    return 'problem' in options.key || obstacle !== undefined
      ? storeThatOnlyReads(database, health, obstacle ?? new StoreError('AG-EVD-001', 'no evidence signing key exists'))
      : await openForWriting(database, health, options, directWriter(options, health));
  } catch (error) {
    await database.close().catch(() => {});
    throw storeErrorOf(error);
  }
}

async function openForReading(database: Database, health: Health): Promise<EvidenceStore> {
  await health.look();
  return { ...storeThatOnlyReads(database, health, new StoreError('AG-EVD-002', 'The store was opened for reading.')), problems: () => [] };
}

function storeThatOnlyReads(database: Database, health: Health, obstacle: StoreError): EvidenceStore {
  const refuse = () => Promise.reject(obstacle);
  return {
    ...readable(readsOf(database.reading), health),
    decide: refuse,
    report: refuse,
    settle: refuse,
    administer: refuse,
    erase: refuse,
    problems: () => [{ code: obstacle.code, message: obstacle.message }],
    close: () => database.close(),
  };
}

/**
 * Makes the tables, the chain, and the counter of the replica, as far as they are missing, and looks at the end of the chain.
 * @returns what keeps it from being gone on with, for as long as this store is open
 */
async function begin({ writing, reading }: Database, options: PostgresStoreOptions): Promise<StoreError | undefined> {
  const { key, random, clock, dev, origin, replica, checkpointDir, acceptRollback } = options;
  await withClient(writing, migrateSchema);
  try {
    // Before the head, which others move meanwhile: a checkpoint is never older than its head.
    const checkpoint = checkpointDir === undefined ? undefined : await readNewest(checkpointDir);
    const { head, whole } = await endOfChain(reading);
    if (!whole) return new StoreError('AG-EVD-004', 'The head of the chain is not its last record.');
    const contradiction = checkpoint && contradictionWith(checkpoint, head);
    if (contradiction !== undefined && !acceptRollback) return new StoreError('AG-EVD-004', contradiction);
    if ('problem' in key) return new StoreError('AG-EVD-001', key.problem);
    const { signer } = key;
    await inTransaction(writing, async (client) => {
      await ensureGenesis(client, { signer, random }, { time: clock.now().toISOString(), dev, origin });
      await client.query(`INSERT INTO ${SCHEMA}.replica (id, n) VALUES ($1, 0) ON CONFLICT DO NOTHING`, [replica]);
    });
    if (contradiction !== undefined && checkpoint && checkpointDir !== undefined)
      await acceptRolledBack(writing, signer, options, checkpoint, checkpointDir);
    return undefined;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'AG-EVD-004') return error;
    throw error;
  }
}

/** In one statement, which sees one snapshot: others go on with the chain between two. */
async function endOfChain(pool: Pool): Promise<{ head: ChainHead | undefined; whole: boolean }> {
  const { rows } = await pool.query(`SELECT head.seq, head.hash, head.time, head.frontier,
      (SELECT seq FROM ${SCHEMA}.evidence ORDER BY seq DESC LIMIT 1) AS last_seq, (SELECT hash FROM ${SCHEMA}.evidence ORDER BY seq DESC LIMIT 1) AS last_hash
    FROM (SELECT) AS one LEFT JOIN ${SCHEMA}.head ON true`);
  const { seq, hash, time, frontier, last_seq, last_hash } = rows[0] ?? {};
  const head = seq == null ? undefined : { seq: Number(seq), hash, time, frontier };
  return { head, whole: (seq ?? null) === (last_seq ?? null) && (hash ?? null) === (last_hash ?? null) };
}

async function withClient(pool: Pool, use: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await use(client);
  } finally {
    client.release();
  }
}

async function acceptRolledBack(
  writing: Pool,
  signer: Signer,
  { random, clock, dev, reportedBy }: PostgresStoreOptions,
  checkpoint: { size: number; root: string },
  checkpointDir: string,
): Promise<void> {
  const head = await inTransaction(writing, async (client) => {
    await lockChain(client);
    const at = await readHead(client);
    if (at === undefined) throw new StoreError('AG-EVD-004', 'The chain has no genesis record.');
    const data = {
      action: 'chain.accept_rollback',
      operator: reportedBy,
      checkpoint: { size: checkpoint.size, root: checkpoint.root },
      head: { seq: at.seq, hash: at.hash },
    };
    const unit: AdminUnit = { kind: 'admin', type: 'admin_action', time: clock.now().toISOString(), dev, reportedBy, data };
    await recordAct(client, unit, { signer, random, refuse: () => undefined });
    return at;
  });
  // Recorded first: a checkpoint that is out of the comparison must have a record that says why.
  await setAside(checkpointDir, head);
}

function directWriter({ key, random }: PostgresStoreOptions, health: Health): DirectWriter {
  if ('problem' in key) throw new StoreError('AG-EVD-001', key.problem);
  return { signer: key.signer, random, refuse: (head) => health.rolledBack(head) };
}

async function openForWriting(
  database: Database,
  health: Health,
  options: PostgresStoreOptions,
  direct: DirectWriter,
): Promise<EvidenceStore> {
  const { dsn, clock, random, replica, sequenceWaitMs, pollMs, lock, onStep = () => {} } = options;
  const { writing, reading } = database;
  const { signer } = direct;
  const numbers = waitForNumbers((refs) => numbersOf(reading, refs), pollMs);
  const sealing =
    options.role === 'server' && 'pem' in options.key
      ? sealOnThread({ pem: options.key.pem })
      : sealHere(signer, partsOf(random, SALT_BYTES));
  await sealing.ready();
  health.watchKey(signer.keyId);

  const round = async () => {
    const { pending } = await health.look();
    if (!pending || health.stuck()) return { led: false } as const;
    return sequenceRound({ pool: writing, sealing, refuse: health.refuse, onStep, lock: lock ?? true });
  };
  const sequencer = startSequencer(round, pollMs, {
    onRound(done) {
      if (!done.led) return;
      health.moved(done.head);
      numbers.tell(done.numbers);
    },
    onError: (error) => {
      // Two leaders without the lock: one of them was turned away by the other guards, and nothing is wrong.
      if (lock !== false) health.failed(storeErrorOf(error));
    },
  });
  const stopListening = listenTo(dsn, SEQUENCED_CHANNEL, 1000, () => {
    numbers.look();
    sequencer.wake();
  });

  const acceptor = { replica, signer, newOid: () => newOid(clock.now().getTime(), random) };
  const batches = inBatches<AcceptedUnit, Acceptance>(async (units) => {
    const accepted = await writeBatch(database, units, acceptor, onStep);
    onStep('accepted');
    sequencer.wake();
    return accepted;
  });

  const submit = async (unit: AcceptedUnit): Promise<Acceptance> => {
    const problem = health.unusable();
    if (problem !== undefined) throw new StoreError(problem.code, problem.message);
    try {
      return await batches.submit(unit);
    } catch (error) {
      const failure = storeErrorOf(error);
      // The next look at the database ends that.
      if (failure instanceof StoreError) health.failed(failure);
      throw failure;
    }
  };
  const recorded = async (ref: string, time: string, decision: boolean): Promise<Recorded> => {
    const seq = ref.startsWith('ob_') ? await numbers.wait(ref, sequenceWaitMs) : Number(ref);
    return { ref, seq: decision && seq > 0 ? [seq - 1, seq] : [seq, seq], time };
  };
  const act = async (unit: AdminUnit, seq?: number): Promise<Recorded> => {
    try {
      return await inTransaction(writing, async (client) => {
        if (seq !== undefined) await eraseData(client, seq);
        return recordAct(client, unit, direct);
      });
    } catch (error) {
      throw storeErrorOf(error);
    }
  };
  return {
    ...readable(readsOf(reading), health),
    async decide(unit) {
      const done = await submit(unit);
      return done.kind === 'accepted' ? recorded(done.ref, done.time, true) : undefined;
    },
    async report(unit): Promise<ReportOutcome> {
      const done = await submit(unit);
      if (done.kind === 'accepted')
        return { kind: 'recorded', recorded: await recorded(done.ref, done.time, false), assurance: done.assurance ?? 'self' };
      if (done.kind === 'repeated') {
        const { ref, time, assurance } = done;
        const seq = (await numbersOf(reading, [ref])).get(ref) ?? Number(ref);
        return { kind: 'repeated', recorded: { ref, seq: [seq, seq], time }, assurance };
      }
      return { kind: done.kind === 'refused' ? 'unknown-proposal' : done.kind };
    },
    async settle(unit) {
      const done = await submit(unit);
      return done.kind === 'accepted' ? recorded(done.ref, done.time, false) : undefined;
    },
    administer: (unit) => act(unit),
    erase: (seq, unit) => act(unit, seq),
    problems: () => [health.problem()].flatMap((problem) => problem ?? []),
    async close() {
      await batches.close();
      await sequencer.stop();
      await sealing.close();
      numbers.close();
      await stopListening();
      await database.close();
    },
  };
}

/** Accepts a batch in one transaction. When it resolves the COMMIT has returned. */
async function writeBatch(
  { writing }: Database,
  units: readonly AcceptedUnit[],
  acceptor: Parameters<typeof acceptUnits>[2],
  onStep: (step: StoreStep) => void,
): Promise<Acceptance[]> {
  let accepted: Acceptance[] = [];
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(
        writing,
        async (client) => {
          accepted = await acceptUnits(client, units, acceptor);
          return accepted;
        },
        () => onStep('before-accept'),
      );
    } catch (error) {
      if (error instanceof UnknownOutcome && (await wasAccepted(writing, acceptor.replica, accepted, error))) return accepted;
      if (!isConflict(error) || attempt === 3) throw error;
    }
  }
}

/** Finds out what became of a COMMIT that was not answered. */
async function wasAccepted(
  writing: Database['writing'],
  replica: string,
  accepted: readonly Acceptance[],
  unknown: UnknownOutcome,
): Promise<boolean> {
  const refs = accepted.flatMap((one) => (one.kind === 'accepted' ? [one.ref] : []));
  let found: boolean;
  try {
    found = await inTransaction(writing, async (client) => {
      // The lost transaction holds this row, if it is still under way: when we have it, that one has ended.
      await client.query(`SELECT n FROM ${SCHEMA}.replica WHERE id = $1 FOR UPDATE`, [replica]);
      return (await numbersOf(client, refs)).size === refs.length;
    });
  } catch {
    throw unknown;
  }
  if (!found) throw new StoreError('AG-EVD-002', 'The connection to the database was lost.', { cause: unknown });
  return true;
}

type Readable = 'kind' | 'chainId' | 'proposal' | 'approval' | 'approvals' | 'record' | 'records' | 'head' | 'status';

function readable(reads: Reads, health: Health): Pick<EvidenceStore, Readable> {
  const guarded =
    <Args extends unknown[], Value>(read: (...args: Args) => Promise<Value>) =>
    async (...args: Args): Promise<Value> => {
      try {
        return await read(...args);
      } catch (error) {
        throw storeErrorOf(error);
      }
    };
  return {
    kind: 'postgres',
    get chainId() {
      return health.head()?.chainId ?? '';
    },
    proposal: guarded(reads.proposal),
    approval: guarded(reads.approval),
    approvals: guarded(reads.approvals),
    record: guarded(reads.record),
    async *records(range) {
      try {
        yield* reads.records(range);
      } catch (error) {
        throw storeErrorOf(error);
      }
    },
    head: guarded(reads.head),
    status: guarded(reads.status),
  };
}
