import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { type ChainHead, SALT_BYTES } from '../../evidence/index.js';
import { checkOnThread, type ThreadCheck } from '../check/check-on-thread.js';
import { type AdminUnit, type EvidenceStore, type Recorded, StoreError, type StoreProblem, UnverifiedError } from '../store.js';
import { groupsOf, systemTimer } from '../store-options.js';
import { recordVerifier } from '../verify/record-verifier.js';
import type { CheckThreadData } from './check/check-thread.js';
import { openReading, prepareFile } from './file/connection.js';
import { withStoreErrors } from './file/failure.js';
import { headReader, type StoredHead } from './file/head.js';
import { lockForServer } from './file/server-lock.js';
import { prepareStore, type SqliteStoreOptions } from './prepare-store.js';
import { directPartReader, type PartReader, readRange, threadPartReader } from './reads/ranges.js';
import { createReader, type Reader } from './reads/reader.js';
import { openChain } from './writes/chain.js';
import { chainIdOf } from './writes/genesis.js';
import { startThreadWriter } from './writes/thread-writer.js';
import { decisionTexts, type Outcomes, type Unit } from './writes/unit.js';
import { directWriter, type Writer } from './writes/writer.js';

/**
 * Opens the store, and begins the chain when there is none and there is a key. What keeps it from recording is not an error but one
 * of `problems()`: reading goes on. Start costs the same for any number of records: of what was recorded
 * before, only open approvals are verified.
 * @throws {StoreError} AG-EVD-002 another server has it, its disk is not local, or it cannot be opened. AG-EVD-004 the file is damaged or no store
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<EvidenceStore> {
  if (options.role === 'read') return openForReading(options);
  prepareFile(options.path);
  const unlock = options.role === 'server' ? lockForServer(options.path) : () => undefined;
  try {
    const obstacle = await prepareStore(options);
    const store = await openForWriting(options, obstacle);
    return { ...store, close: () => store.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

function openForReading(options: SqliteStoreOptions): EvidenceStore {
  const { path } = options;
  if (!existsSync(path)) throw new StoreError('AG-EVD-002', 'The store does not exist yet.');
  const db = openReading(path);
  const obstacle = new StoreError('AG-EVD-002', 'The store was opened read-only.');
  return storeOf({
    db,
    reader: readerOf(db, options),
    parts: directPartReader(db),
    write: () => Promise.reject(obstacle),
    problems: () => [],
    pending: () => NOTHING_PENDING,
    close: async () => db.close(),
  });
}

const NOTHING_PENDING = { pending: 0, oldestPendingMs: null };

async function openForWriting(options: SqliteStoreOptions, found: StoreError | undefined): Promise<EvidenceStore> {
  const { path, role, clock, approvers, timer = systemTimer, onMismatch = () => undefined } = options;
  const db = openReading(path);
  const reader = readerOf(db, options);
  const obstacle = found ?? (role === 'server' ? keysFault(reader) : undefined);
  const writer = obstacle ? undefined : await writerFor(options);
  const parts = role === 'server' ? threadPartReader(path) : directPartReader(db);
  let check: ThreadCheck | undefined;
  let failure: StoreError | undefined;
  let stopProbing: (() => void) | undefined;

  const recovered = () => {
    failure = undefined;
    stopProbing?.();
    stopProbing = undefined;
  };
  const failedWith = (error: StoreError) => {
    failure = error;
    stopProbing ??= timer(() => void probe(), PROBE_MS);
  };
  /** A server that is not ready gets no requests, so it would not notice that it can write again. */
  const probe = async () => {
    if ((await writer?.probe()) === undefined) recovered();
  };
  return storeOf({
    db,
    reader,
    parts,
    async write(unit) {
      if (writer === undefined) throw new StoreError(obstacle?.code ?? 'AG-EVD-002', obstacle?.message ?? '');
      try {
        const outcome = await writer.submit(unit);
        if (failure && outcome && !('kind' in outcome)) recovered();
        return outcome;
      } catch (error) {
        // A head that was expected elsewhere is the caller's matter, and a record that was changed concerns its proposal only.
        const single = error instanceof UnverifiedError;
        if (error instanceof StoreError && !single && !('expectHead' in unit && error.code === 'AG-EVD-004')) failedWith(error);
        throw error;
      }
    },
    problems: () => [
      ...[obstacle ?? failure].flatMap((error) => (error ? [{ code: error.code, message: error.message }] : [])),
      ...(reader.differs() || (check?.state()?.faults.length ?? 0) > 0 ? [DIFFERS] : []),
    ],
    ...(role === 'server' && {
      startCheck: (pauseMs: number) => {
        const data: CheckThreadData = { path, approvers, pauseMs };
        check ??= checkOnThread(CHECK_THREAD, data, onMismatch);
      },
      checkState: () => check?.state(),
    }),
    pending() {
      const { count, since } = writer?.pending() ?? { count: 0, since: null };
      return { pending: count, oldestPendingMs: since === null ? null : Math.max(0, clock.now().getTime() - since) };
    },
    async close() {
      stopProbing?.();
      await check?.stop();
      await parts.close();
      db.close();
      // The last to close empties the log into the file, which a connection that reads cannot.
      await writer?.close();
    },
  });
}

/** Verifies open approvals. @returns why the keys of the chain cannot be used for that */
function keysFault(reader: Reader): StoreError | undefined {
  try {
    withStoreErrors(() => reader.checkOpenApprovals());
    return undefined;
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

/** Threads run the compiled file, also where the sources are run by a test runner. */
const CHECK_THREAD = new URL('../../../dist/store/sqlite/check/check-thread.js', import.meta.url);

/** How often a store that could not be written is tried. */
const PROBE_MS = 1000;

async function writerFor({ path, role, key, random, clock, approvers, onFatal = () => undefined }: SqliteStoreOptions): Promise<Writer> {
  if ('problem' in key) throw new StoreError('AG-EVD-001', key.problem);
  if (role === 'server') return startThreadWriter({ path, pem: key.pem, approvers }, clock, onFatal);
  return directWriter(openChain({ path, signer: key.signer, salt: () => random(SALT_BYTES), approvers }));
}

/** The key of the configuration pins the chain. That of dev mode is made at each start, and pins what it has begun. */
function readerOf(db: DatabaseSync, { key, dev, role, approvers, clock, onMismatch }: SqliteStoreOptions): Reader {
  const own = 'problem' in key || (dev && role === 'read') ? undefined : key.signer.publicKey;
  return createReader(db, { verifier: recordVerifier(own), groupsOf: groupsOf(approvers), clock, onMismatch });
}

interface Parts extends Pick<EvidenceStore, 'startCheck' | 'checkState'> {
  db: DatabaseSync;
  reader: Reader;
  parts: PartReader;
  write<Any extends Unit>(unit: Any): Promise<Outcomes[Any['kind']]>;
  problems: EvidenceStore['problems'];
  pending: () => { pending: number; oldestPendingMs: number | null };
  close(): Promise<void>;
}

function storeOf({ db, reader, parts, write, pending, ...others }: Parts): EvidenceStore {
  const readHead = headReader(db);
  return {
    kind: 'sqlite',
    chainId: chainIdOf(db),
    decide: (unit) => write(decisionTexts(unit)),
    report: (unit) => write(unit),
    settle: (unit) => write(unit),
    administer: (unit: AdminUnit): Promise<Recorded> => write(unit),
    erase: (seq, act) => write({ kind: 'erase', seq, act }),
    proposal: async (id) => withStoreErrors(() => reader.proposal(id)),
    approval: async (id) => withStoreErrors(() => reader.approval(id)),
    approvals: async (state, expiresBy) => withStoreErrors(() => reader.approvals(state, expiresBy)),
    record: async (ref) => withStoreErrors(() => (SEQ.test(ref) ? reader.record(Number(ref)) : undefined)),
    records: (range) => wholeRange(range, parts, () => readHead()),
    head: async () => withStoreErrors(() => chainHeadOf(readHead())),
    status: async () => pending(),
    ...others,
  };
}

/** Answers come from verified records, so nothing stops. */
const DIFFERS: StoreProblem = { code: 'AG-EVD-008', message: 'The store does not match its evidence chain.', blocks: false };

/** A decimal number that is a number here, too. References of the deferred storage (`ob_…`) name nothing in this one. */
const SEQ = /^(0|[1-9]\d{0,14})$/;

/** The end is fixed when the first part is requested: what is recorded later is not part of the range. */
async function* wholeRange(range: Parameters<EvidenceStore['records']>[0], parts: PartReader, readHead: () => StoredHead | undefined) {
  const head = withStoreErrors(readHead);
  if (head !== undefined) yield* readRange(parts, { ...range, to: Math.min(range.to, head.seq) });
}

function chainHeadOf(head: StoredHead | undefined): ChainHead | undefined {
  return head && { seq: head.seq, hash: head.hash, time: head.time, frontier: head.frontier };
}
