import type { Pool } from 'pg';
import type { FollowRules } from '../../approval/index.js';
import type { ChainHead, RecordType, StoredRecord } from '../../evidence/index.js';
import type { ApprovalState, StoredApproval, StoredProposal, StoredResult } from '../store.js';
import { readHeadRow } from './chain.js';
import type { HeadFollower } from './head.js';
import { SCHEMA } from './names.js';
import { OID_PATTERN } from './oid.js';
import { proofsBy, recordAt } from './proofs.js';
import { approvalsOf, type CachedApproval, deriveCached, readCached } from './read-approvals.js';
import { readDecisions, resultOf, type SignedResult } from './read-decisions.js';
import { readHistory } from './read-history.js';
import { RECORD_COLUMNS, recordOf } from './record-row.js';

/** After every time in this form. */
const LAST = '9999';

/** Records that are read at one time: enough to be worth a query, little enough to hold. */
const PART_ROWS = 256;

export interface Reads {
  proposal(id: string): Promise<StoredProposal | undefined>;
  approval(id: string): Promise<StoredApproval | undefined>;
  approvals(state?: ApprovalState, expiresBy?: string): Promise<StoredApproval[]>;
  record(ref: string): Promise<StoredRecord | 'pending' | undefined>;
  records(range: { from: number; to: number; types?: readonly RecordType[] }): AsyncGenerator<readonly StoredRecord[]>;
  head(): Promise<ChainHead | undefined>;
  status(): Promise<{ pending: number; oldestPendingMs: number | null }>;
}

export interface Reading {
  pool: Pool;
  head: HeadFollower;
  rules: Omit<FollowRules, 'chainId'>;
  /** Told of each approval that was derived, and of what the table says of it. */
  noted: (approval: StoredApproval, cached: CachedApproval | undefined) => void;
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

async function readRecord({ pool, head }: Reading, ref: string): Promise<StoredRecord | 'pending' | undefined> {
  if (/^(0|[1-9][0-9]{0,14})$/.test(ref)) return recordOfNumber(pool, Number(ref));
  if (!OID_PATTERN.test(ref)) return undefined;
  const { rows } = await pool.query(
    `SELECT o.kind, ${recordAt('e')} AS record FROM ${SCHEMA}.outbox o LEFT JOIN ${SCHEMA}.evidence e ON e.seq = o.seq WHERE o.oid = $1`,
    [ref],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  // One in quarantine waits for an operator.
  if (row.record === null) return 'pending';
  const { oid, ...record } = row.record;
  await (await proofsBy(head, pool)).record(row.record, { type: row.kind === 'decision' ? 'verdict' : row.kind, oid: ref });
  return record;
}

async function recordOfNumber(pool: Pool, seq: number): Promise<StoredRecord | undefined> {
  const { rows } = await pool.query(`SELECT ${RECORD_COLUMNS} FROM ${SCHEMA}.evidence WHERE seq = $1`, [seq]);
  return rows[0] && recordOf(rows[0]);
}

/**
 * A record is never changed and never inserted between others, so parts that are read one after another are those of one
 * snapshot, though none is held: a slow reader keeps no transaction open.
 */
async function* readRange(
  pool: Pool,
  { from, to, types }: { from: number; to: number; types?: readonly RecordType[] },
): AsyncGenerator<readonly StoredRecord[]> {
  // The number that the chain ends with now, so that the range does not grow while it is read.
  const last = Math.min(to, (await readHeadRow(pool))?.seq ?? -1);
  for (let next = from; next <= last; ) {
    const { rows } = await pool.query(
      `SELECT ${RECORD_COLUMNS} FROM ${SCHEMA}.evidence
       WHERE seq BETWEEN $1 AND $2 ${types === undefined ? '' : 'AND type = ANY($3)'} ORDER BY seq LIMIT ${PART_ROWS}`,
      types === undefined ? [next, last] : [next, last, types],
    );
    const records = rows.map(recordOf);
    if (records.length > 0) yield records;
    if (records.length < PART_ROWS) return;
    next = (records.at(-1)?.seq ?? last) + 1;
  }
}

async function readStatus(pool: Pool): Promise<{ pending: number; oldestPendingMs: number | null }> {
  const { rows } = await pool.query(
    `SELECT count(*) AS pending, extract(epoch FROM clock_timestamp() - min(accepted_at)) * 1000 AS oldest FROM ${SCHEMA}.outbox WHERE seq IS NULL`,
  );
  const { pending, oldest } = rows[0] ?? {};
  return { pending: Number(pending ?? 0), oldestPendingMs: oldest == null ? null : Math.max(0, Math.round(Number(oldest))) };
}

async function readProposal({ pool, head, rules, noted }: Reading, id: string): Promise<StoredProposal | undefined> {
  const proofs = await proofsBy(head, pool);
  const [decision] = await readDecisions(pool, [id], proofs);
  if (decision === undefined) return undefined;
  const results = await readHistory(pool, 'result', [id], proofs);
  const approval = (await approvalsOf(pool, [decision], { proofs, rules, results })).get(id) ?? null;
  const [cached] = approval === null ? [] : await readCached(pool, 'id = $1', [approval.id]);
  if (approval !== null) noted(approval, cached);
  const { recorded, reportedBy, dev, proposal, verdict } = decision;
  return { recorded, reportedBy, dev, proposal, verdict, approval, results: results.map(resultOf).map(shownResult) };
}

function shownResult({ status, assurance, reportedBy, time: at, ref, contradictsVerdict }: SignedResult): StoredResult {
  return { status, assurance, reportedBy, at, ref, contradictsVerdict };
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
