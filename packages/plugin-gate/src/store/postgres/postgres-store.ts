import { SALT_BYTES } from '../../evidence/index.js';
import { checkOnThread, type ThreadCheck } from '../check/check-on-thread.js';
import { type AdminUnit, type EvidenceStore, type Recorded, type ReportOutcome, StoreError, type StoreProblem } from '../store.js';
import { type ApproverGroups, groupsOf } from '../store-options.js';
import type { Acceptance, AcceptedUnit } from './accept/acceptance.js';
import { inBatches } from './accept/batches.js';
import { type DirectWriter, eraseData, recordAct } from './accept/direct.js';
import { numbersOf } from './accept/outbox-writer.js';
import { type Unverified, writeBatch } from './accept/write-batch.js';
import { begin } from './begin.js';
import { checkServer, connectTo, type Database } from './database/database.js';
import { listenTo } from './database/listener.js';
import { newOid } from './database/oid.js';
import { createHealth, type Health } from './health/health.js';
import { readable } from './health/readable.js';
import type { PostgresStoreOptions } from './options.js';
import type { Reading } from './reads/reading.js';
import { readsOf } from './reads/reads.js';
import { inTransaction, storeErrorOf } from './schema/transaction.js';
import { partsOf } from './seal/random-parts.js';
import { sealOnThread } from './seal/seal-on-thread.js';
import { sealHere } from './seal/seal-rows.js';
import { waitForNumbers } from './sequence/numbers.js';
import { SEQUENCED_CHANNEL, sequenceRound } from './sequence/sequence.js';
import { startSequencer } from './sequence/sequencer.js';

/**
 * Opens the store, makes or brings up its tables, and begins the chain when there is none and there is a key. What keeps it from
 * recording is not an error but one of `problems()`: reading goes on. Unless it is opened for reading, it also numbers what waits in
 * the outbox, whichever replica has accepted that.
 * @throws {StoreError} AG-EVD-002 the database cannot be used, or does not keep what it acknowledges; AG-EVD-004 its tables are
 *   of a later version
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<EvidenceStore> {
  const database = connectTo(options.dsn);
  try {
    await checkServer(database.writing);
    const health = createHealth(database.looking);
    if (options.role === 'read') return await openForReading(database, health, options);
    const obstacle = await begin(database, options, health.head);
    await health.look();
    return 'problem' in options.key || obstacle !== undefined
      ? storeThatOnlyReads(database, health, options, obstacle ?? new StoreError('AG-EVD-001', 'no evidence signing key exists'))
      : await openForWriting(database, health, options, directWriter(options, health));
  } catch (error) {
    await database.close().catch(() => {});
    throw storeErrorOf(error);
  }
}

async function openForReading(database: Database, health: Health, options: PostgresStoreOptions): Promise<EvidenceStore> {
  await health.look();
  return {
    ...storeThatOnlyReads(database, health, options, new StoreError('AG-EVD-002', 'The store was opened read-only.')),
    problems: () => [],
  };
}

function storeThatOnlyReads(database: Database, health: Health, options: PostgresStoreOptions, obstacle: StoreError): EvidenceStore {
  const refuse = () => Promise.reject(obstacle);
  return {
    ...readable(readsOf(readingOf(database, health, options)), health),
    decide: refuse,
    report: refuse,
    settle: refuse,
    administer: refuse,
    erase: refuse,
    problems: () => [{ code: obstacle.code, message: obstacle.message }],
    close: () => database.close(),
  };
}

function readingOf({ reading: pool }: Database, health: Health, { approvers }: PostgresStoreOptions): Reading {
  return {
    pool,
    head: health.head,
    rules: { groupsOf: groupsOf(approvers) },
    noted: ({ id, state }, cached) => health.cacheDiffers(id, cached?.state !== state),
  };
}

function directWriter({ key, random }: PostgresStoreOptions, health: Health): DirectWriter {
  if ('problem' in key) throw new StoreError('AG-EVD-001', key.problem);
  return { signer: key.signer, random, head: health.head };
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
    return sequenceRound({ pool: writing, sealing, head: health.head, refuse: health.refuse, onStep, lock: lock ?? true });
  };
  const sequencer = startSequencer(round, pollMs, {
    onRound(done) {
      if (!done.led) return;
      health.head.moved(done.head);
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

  const readingBy = readingOf(database, health, options);
  const reads = readsOf(readingBy);
  const stopWatching = health.watch(async () => {
    for (const id of health.differing()) await reads.approval(id);
  });

  const acceptor = {
    replica,
    signer,
    head: health.head,
    rules: readingBy.rules,
    chainId: health.head.seen()?.chainId ?? '',
    newOid: () => newOid(clock.now().getTime(), random),
  };
  const batches = inBatches<AcceptedUnit, Acceptance | Unverified>(async (units) => {
    const accepted = await writeBatch(database, units, acceptor, onStep);
    onStep('accepted');
    sequencer.wake();
    return accepted;
  });

  const submit = async (unit: AcceptedUnit): Promise<Acceptance> => {
    const problem = health.unusable();
    if (problem !== undefined) throw new StoreError(problem.code, problem.message);
    let done: Acceptance | Unverified;
    try {
      done = await batches.submit(unit);
    } catch (error) {
      const failure = storeErrorOf(error);
      // The next look at the database ends that.
      if (failure instanceof StoreError) health.failed(failure);
      throw failure;
    }
    if (done.kind === 'unverified') throw done.error;
    return done;
  };
  const recorded = async (ref: string, time: string, decision: boolean): Promise<Recorded> => {
    const seq = ref.startsWith('ob_') ? await numbers.wait(ref, sequenceWaitMs) : Number(ref);
    return { ref, seq: decision && seq > 0 ? [seq - 1, seq] : [seq, seq], time };
  };
  const act = async (unit: AdminUnit, seq?: number): Promise<Recorded> => {
    try {
      return await inTransaction(writing, async (client) => {
        // The record that names it comes first: the tables demand it.
        const recorded = await recordAct(client, unit, direct);
        if (seq !== undefined) await eraseData(client, seq);
        return recorded;
      });
    } catch (error) {
      throw storeErrorOf(error);
    }
  };
  let check: ThreadCheck | undefined;
  return {
    ...readable(reads, health),
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
    problems: () => [...health.problems(), ...((check?.state()?.faults.length ?? 0) > 0 ? [DIFFERS] : [])],
    startCheck(pauseMs) {
      const data: CheckThreadData = { dsn, approvers: options.approvers, pauseMs };
      check ??= checkOnThread(CHECK_THREAD, data, options.onMismatch ?? (() => undefined));
    },
    checkState: () => check?.state(),
    async close() {
      await check?.stop();
      await stopWatching();
      await batches.close();
      await sequencer.stop();
      await sealing.close();
      numbers.close();
      await stopListening();
      await database.close();
    },
  };
}

/** What the thread that compares the store with its chain is given. */
export interface CheckThreadData {
  dsn: string;
  approvers: readonly ApproverGroups[] | undefined;
  pauseMs: number;
}

/** Threads run the compiled file, also where the sources are run by a test runner. */
const CHECK_THREAD = new URL('../../../dist/store/postgres/check-thread.js', import.meta.url);

/** Answers come from verified records, so nothing stops. */
const DIFFERS: StoreProblem = { code: 'AG-EVD-008', message: 'The store does not match its evidence chain.', blocks: false };
