import pg from 'pg';
import { type EvidenceStore, StoreError } from '../../store.js';

export interface Waiting {
  /** Told once, when the database is not there. */
  onWait: (error: StoreError) => void;
  /** Told when it is, and the store is open. */
  onOpen: () => void;
}

/** Milliseconds between two attempts. */
const AGAIN_MS = 1000;

/**
 * Opens a store. While the database cannot be reached it gives one that records and reads nothing, and says so, and opens the
 * real one behind it as soon as it can: a server that starts before its database lives, and is not ready.
 * @throws {StoreError} when the first attempt fails for another reason; a later attempt makes it one of the `problems()`
 */
export async function openWhenThere(open: () => Promise<EvidenceStore>, { onWait, onOpen }: Waiting): Promise<EvidenceStore> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof StoreError) || !isAbsent(error.cause)) throw error;
    onWait(error);
    return waitingStore(open, onOpen);
  }
}

function waitingStore(open: () => Promise<EvidenceStore>, onOpen: () => void): EvidenceStore {
  let obstacle = new StoreError('AG-EVD-002', 'The database cannot be reached. The server waits for it.');
  let store: EvidenceStore | undefined;
  let closed = false;
  let checkPauseMs: number | undefined;
  let trying = Promise.resolve();
  let timer = setTimeout(again, AGAIN_MS);
  function again() {
    trying = attempt();
  }
  const attempt = async () => {
    try {
      store = await open();
      if (checkPauseMs !== undefined) store.startCheck?.(checkPauseMs);
      if (!closed) onOpen();
    } catch (error) {
      if (error instanceof StoreError && !isAbsent(error.cause)) obstacle = error;
      if (!closed) timer = setTimeout(again, AGAIN_MS);
    }
  };
  const there = async () => {
    if (store === undefined) throw obstacle;
    return store;
  };
  return {
    kind: 'postgres',
    get chainId() {
      return store?.chainId ?? '';
    },
    decide: async (unit) => (await there()).decide(unit),
    report: async (unit) => (await there()).report(unit),
    settle: async (unit) => (await there()).settle(unit),
    administer: async (unit) => (await there()).administer(unit),
    erase: async (seq, unit) => (await there()).erase(seq, unit),
    proposal: async (id) => (await there()).proposal(id),
    approval: async (id) => (await there()).approval(id),
    approvals: async (...which) => (await there()).approvals(...which),
    record: async (ref) => (await there()).record(ref),
    async *records(range) {
      yield* (await there()).records(range);
    },
    head: async () => (await there()).head(),
    status: async () => (await there()).status(),
    problems: () => store?.problems() ?? [{ code: obstacle.code, message: obstacle.message }],
    startCheck(pauseMs) {
      checkPauseMs = pauseMs;
      store?.startCheck?.(pauseMs);
    },
    checkState: () => store?.checkState?.(),
    async close() {
      closed = true;
      clearTimeout(timer);
      await trying;
      await store?.close();
    },
  };
}

/** Nobody listens, the server starts or ends, or nothing was heard: another attempt may find it. */
function isAbsent(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  const code = 'code' in cause ? String(cause.code) : '';
  if (cause instanceof pg.DatabaseError) return ['57P01', '57P02', '57P03', '53300'].includes(code) || code.startsWith('08');
  // Errors of the network have names of the system; what the driver gives up by itself does not have one.
  return code === '' || /^E[A-Z_]+$/.test(code);
}
