import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@bylaw/core/clock';
import type { StoredRecord } from '../../../evidence/index.js';
import type { ResultStatus } from '../../../proposal/proposal.js';
import {
  type ApprovalState,
  type ProposalData,
  type StoredApproval,
  type StoredProposal,
  type StoredResult,
  UnverifiedError,
  type VerdictData,
} from '../../store.js';
import { type HistoryOptions, historyReader } from './history.js';
import type { History, HistoryResult } from './proposal-history.js';
import { RECORD_COLUMNS, recordOf } from './row.js';

/** Reads single things, fast enough for the thread that answers requests. All but `record` come from verified records. */
export interface Reader {
  /** @throws {UnverifiedError} see `Histories` */
  proposal(id: string): StoredProposal | undefined;
  /** @throws {UnverifiedError} */
  approval(id: string): StoredApproval | undefined;
  /** Leaves out those whose records cannot be verified: nobody can decide on them. */
  approvals(state?: ApprovalState, expiresBy?: string): StoredApproval[];
  /** As it is stored. */
  record(seq: number): StoredRecord | undefined;
  /** Verifies approvals that wait or may be used, so that what was changed while nothing ran is noticed at once. */
  checkOpenApprovals(): void;
  /** Whether anything that was read differs from its records, and still does. Looks again once a second at most. */
  differs(): boolean;
}

/** Proposals whose tables differ from their records are remembered up to this number. */
const MOST_NOTICED = 100;

/** Approvals that are verified at a start: enough for what people decide on, little enough for a start in a second. */
const MOST_AT_START = 500;

/** How often what differed is read again, in milliseconds. */
const LOOK_MS = 1000;

export interface ReaderOptions extends HistoryOptions {
  clock: Clock;
  /** Is told once of each proposal whose tables differ from its records, or whose records cannot be verified. */
  onMismatch?: ((message: string) => void) | undefined;
}

export function createReader(db: DatabaseSync, { clock, onMismatch = () => undefined, ...options }: ReaderOptions): Reader {
  const findRecord = db.prepare(`SELECT ${RECORD_COLUMNS} FROM record WHERE seq = ?`);
  const histories = historyReader(db, options);
  /** By what was asked for, with what reads it again. */
  const noticed = new Map<string, () => History | undefined>();
  let looked = 0;

  const faultsIn = (read: () => History | undefined): readonly string[] => {
    try {
      return read()?.mismatches ?? [];
    } catch (error) {
      if (error instanceof UnverifiedError) return [error.message];
      throw error;
    }
  };
  const notice = (name: string, read: () => History | undefined, faults: readonly string[]) => {
    if (faults.length === 0 || noticed.has(name) || noticed.size >= MOST_NOTICED) return;
    noticed.set(name, read);
    looked = clock.now().getTime();
    for (const fault of faults) onMismatch(fault);
  };
  const watched = (name: string, read: () => History | undefined): History | undefined => {
    try {
      const history = read();
      notice(name, read, history?.mismatches ?? []);
      return history;
    } catch (error) {
      if (error instanceof UnverifiedError) notice(name, read, [error.message]);
      throw error;
    }
  };
  const ofApproval = (id: string) => watched(id, () => histories.ofApproval(id));
  const verifiable = (id: string): StoredApproval[] => {
    try {
      return [ofApproval(id)?.approval ?? []].flat();
    } catch (error) {
      if (error instanceof UnverifiedError) return [];
      throw error;
    }
  };
  // One snapshot each: what belongs together is read together.
  const inSnapshot = <Value>(read: () => Value): Value => {
    db.exec('BEGIN');
    try {
      return read();
    } finally {
      db.exec('COMMIT');
    }
  };
  return {
    proposal: (id) =>
      inSnapshot(() => {
        const history = watched(id, () => histories.ofProposal(id));
        return history && storedProposal(history);
      }),
    approval: (id) => inSnapshot(() => ofApproval(id)?.approval ?? undefined),
    approvals: (state, expiresBy) =>
      inSnapshot(() => {
        const found = histories.approvalIds(state, expiresBy).flatMap(verifiable);
        return state === undefined ? found : found.filter((approval) => approval.state === state);
      }),
    record(seq) {
      const row = findRecord.get(seq);
      return row && recordOf(row);
    },
    checkOpenApprovals: () =>
      inSnapshot(() => {
        for (const id of histories.openApprovalIds(clock.now().toISOString(), MOST_AT_START)) verifiable(id);
      }),
    differs() {
      const now = clock.now().getTime();
      if (noticed.size > 0 && Math.abs(now - looked) >= LOOK_MS) {
        looked = now;
        inSnapshot(() => {
          for (const [name, read] of noticed) if (faultsIn(read).length === 0) noticed.delete(name);
        });
      }
      return noticed.size > 0;
    },
  };
}

/** The data of records has the members that the writer gives it. */
function storedProposal({ proposal, verdict, approval, results }: History): StoredProposal {
  const { header, record } = verdict;
  return {
    recorded: { ref: String(record.seq), seq: [record.seq - 1, record.seq], time: header.time },
    reportedBy: header.reported_by,
    dev: header.dev,
    proposal: proposal.data as ProposalData | null,
    verdict: verdict.data as VerdictData | null,
    approval,
    results: results.map(storedResult),
  };
}

function storedResult({ record: { header, record }, status, contradictsVerdict }: HistoryResult): StoredResult {
  return {
    status: status as ResultStatus, // what the writer was given
    assurance: header.assurance ?? 'self',
    reportedBy: header.reported_by,
    at: header.time,
    ref: String(record.seq),
    contradictsVerdict,
  };
}
