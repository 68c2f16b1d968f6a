import type { Pool } from 'pg';
import type { ChainHead, RecordType, StoredRecord } from '../../../evidence/index.js';
import type { ApprovalState, StoredApproval, StoredProposal } from '../../store.js';
import { SCHEMA } from '../database/names.js';
import { proofsBy } from '../seal/proofs.js';
import { deriveCached, readCached } from './read-approvals.js';
import { readProposal } from './read-proposal.js';
import { readRange, readRecord } from './read-records.js';
import type { Reading } from './reading.js';

/** After every time in this form. */
const LAST = '9999';

export interface Reads {
  proposal(id: string): Promise<StoredProposal | undefined>;
  approval(id: string): Promise<StoredApproval | undefined>;
  approvals(state?: ApprovalState, expiresBy?: string): Promise<StoredApproval[]>;
  record(ref: string): Promise<StoredRecord | 'pending' | undefined>;
  records(range: { from: number; to: number; types?: readonly RecordType[] }): AsyncGenerator<readonly StoredRecord[]>;
  head(): Promise<ChainHead | undefined>;
  status(): Promise<{ pending: number; oldestPendingMs: number | null }>;
}

/** Reads the chain, and what waits in the outbox to become part of it. Answers come from what a key of the chain has signed. */
export function readsOf(reading: Reading): Reads {
  const { pool } = reading;
  return {
    proposal: (id) => readProposal(reading, id),
    approval: async (id) => (await readApproval(reading, 'id = $1', [id]))[0],
    async approvals(state, expiresBy = LAST) {
      if (state === undefined) return readApproval(reading, 'true', []);
      const found = await readApproval(reading, 'state = $1 AND expires_at <= $2', [state, expiresBy]);
      return found.filter((approval) => approval.state === state);
    },
    record: (ref) => readRecord(reading, ref),
    records: (range) => readRange(pool, range),
    async head() {
      const head = await reading.head.read(pool);
      return head && { seq: head.seq, hash: head.hash, time: head.time, frontier: head.frontier };
    },
    status: () => readStatus(pool),
  };
}

async function readStatus(pool: Pool): Promise<{ pending: number; oldestPendingMs: number | null }> {
  const { rows } = await pool.query<{ pending: string; oldest: string | null }>(
    `SELECT count(*) AS pending, extract(epoch FROM clock_timestamp() - min(accepted_at)) * 1000 AS oldest FROM ${SCHEMA}.outbox WHERE seq IS NULL`,
  );
  const { pending, oldest } = rows[0] ?? {};
  return { pending: Number(pending ?? 0), oldestPendingMs: oldest == null ? null : Math.max(0, Math.round(Number(oldest))) };
}

async function readApproval(
  { pool, head, rules, noted }: Reading,
  condition: string,
  values: readonly unknown[],
): Promise<StoredApproval[]> {
  const cached = await readCached(pool, condition, values);
  if (cached.length === 0) return [];
  const derived = await deriveCached(pool, cached, { proofs: await proofsBy(head, pool), rules });
  for (const one of derived) noted(one.approval, one.cached);
  return derived.map(({ approval }) => approval);
}
