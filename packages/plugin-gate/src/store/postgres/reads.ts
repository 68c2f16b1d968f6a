import type { Pool } from 'pg';
import type { ChainHead, RecordType, StoredRecord } from '../../evidence/index.js';
import { readHeader } from '../../evidence/index.js';
import type { JsonObject } from '../../json/index.js';
import {
  type ApprovalState,
  type ProposalData,
  type StoredApproval,
  type StoredProposal,
  type StoredResult,
  StoreError,
  type VerdictData,
} from '../store.js';
import { type SignatureCheck, signatureCheck } from './batch-signature.js';
import { readHead } from './chain.js';
import { OID_PATTERN } from './oid.js';
import { type OutboxContent, readOutbox } from './outbox.js';
import { SCHEMA } from './schema.js';
import { keyOf } from './seal-rows.js';

/** Records that are read at one time: enough to be worth a query, little enough to hold. */
const PART_ROWS = 256;

const RECORD_COLUMNS = 'seq, type, header, data, salt, hash, sig';

export interface Reads {
  proposal(id: string): Promise<StoredProposal | undefined>;
  approval(id: string): Promise<StoredApproval | undefined>;
  approvals(state?: ApprovalState, expiresBy?: string): Promise<StoredApproval[]>;
  record(ref: string): Promise<StoredRecord | 'pending' | undefined>;
  records(range: { from: number; to: number; types?: readonly RecordType[] }): AsyncGenerator<readonly StoredRecord[]>;
  head(): Promise<ChainHead | undefined>;
  status(): Promise<{ pending: number; oldestPendingMs: number | null }>;
}

/** Reads the chain, and what waits in the outbox to become part of it. */
export function readsOf(pool: Pool): Reads {
  return {
    proposal: (id) => readProposal(pool, id),
    approval: async (id) => (await readApprovals(pool, 'a.id = $1', [id]))[0],
    approvals: (state, expiresBy = LAST) =>
      state === undefined
        ? readApprovals(pool, 'true', [])
        : readApprovals(pool, 'a.state = $1 AND a.expires_at <= $2', [state, expiresBy]),
    record: (ref) => readRecord(pool, ref),
    records: (range) => readRange(pool, range),
    async head() {
      const head = await readHead(pool);
      return head && { seq: head.seq, hash: head.hash, time: head.time, frontier: head.frontier };
    },
    status: () => readStatus(pool),
  };
}

/** After every time. */
const LAST = '9999-12-31T23:59:59.999Z';

async function readRecord(pool: Pool, ref: string): Promise<StoredRecord | 'pending' | undefined> {
  if (/^(0|[1-9][0-9]{0,14})$/.test(ref)) return recordAt(pool, Number(ref));
  if (!OID_PATTERN.test(ref)) return undefined;
  const { rows } = await pool.query(`SELECT seq FROM ${SCHEMA}.outbox WHERE oid = $1`, [ref]);
  if (rows[0] === undefined) return undefined;
  const seq = Number(rows[0].seq ?? 0);
  // One in quarantine waits for an operator.
  return seq > 0 ? recordAt(pool, seq) : 'pending';
}

async function recordAt(pool: Pool, seq: number): Promise<StoredRecord | undefined> {
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
  const last = Math.min(to, (await readHead(pool))?.seq ?? -1);
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

/** The columns are declared with these types, but for numbers of 64 bits, which come as texts. */
function recordOf(row: { [column: string]: unknown }): StoredRecord {
  return { ...row, seq: Number(row.seq) } as StoredRecord;
}

async function readStatus(pool: Pool): Promise<{ pending: number; oldestPendingMs: number | null }> {
  const { rows } = await pool.query(
    `SELECT count(*) AS pending, extract(epoch FROM clock_timestamp() - min(accepted_at)) * 1000 AS oldest FROM ${SCHEMA}.outbox WHERE seq IS NULL`,
  );
  const { pending, oldest } = rows[0] ?? {};
  return { pending: Number(pending ?? 0), oldestPendingMs: oldest == null ? null : Math.max(0, Math.round(Number(oldest))) };
}

async function readProposal(pool: Pool, id: string): Promise<StoredProposal | undefined> {
  // One statement sees one snapshot: a decision is in the outbox, or in the chain.
  const { rows } = await pool.query(
    `SELECT p.oid, coalesce(p.seq, o.seq) AS seq, ${waitingAt('o')} AS waiting, verdict.header, proposal.data AS proposal, verdict.data AS verdict
     FROM ${SCHEMA}.proposal_ids p LEFT JOIN ${SCHEMA}.outbox o ON o.oid = p.oid
       LEFT JOIN ${SCHEMA}.evidence verdict ON verdict.seq = coalesce(p.seq, o.seq)
       LEFT JOIN ${SCHEMA}.evidence proposal ON proposal.seq = coalesce(p.seq, o.seq) - 1
     WHERE p.id = $1`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const decision = row.header === null ? await waitingDecision(pool, row) : numberedDecision(row);
  if (decision === undefined) return undefined;
  const [approval] = await readApprovals(pool, 'a.proposal_id = $1', [id]);
  return { ...decision, approval: approval ?? null, results: await readResults(pool, id) };
}

type Decision = Omit<StoredProposal, 'approval' | 'results'>;

/** @throws {StoreError} AG-EVD-004 when it was altered: nobody must act on it */
async function waitingDecision(pool: Pool, row: { oid: string; waiting: WaitingRow | null }): Promise<Decision | undefined> {
  // The row itself was taken away: nothing is known of it but that the id is used.
  if (row.waiting === null) return undefined;
  const content = await readWaiting(row.waiting, await checkOf(pool));
  if (content === undefined) throw new StoreError('AG-EVD-004', 'A decision was altered before it was numbered.');
  const [proposal, verdict] = content.drafts;
  return {
    recorded: { ref: row.oid, seq: [0, 0], time: verdict?.time ?? '' },
    reportedBy: verdict?.reportedBy ?? '',
    dev: verdict?.dev ?? false,
    proposal: parsed<ProposalData>(proposal?.data),
    verdict: parsed<VerdictData>(verdict?.data),
  };
}

/** A row of the outbox, as JSON. */
interface WaitingRow {
  oid: string;
  replica: string;
  n: number;
  /** Base64. */
  content: string;
  signature: string;
}

/** What waits in a row of that name; null when there is none, or it is numbered. */
function waitingAt(row: string): string {
  return `CASE WHEN ${row}.content IS NOT NULL THEN json_build_object('oid', ${row}.oid, 'replica', ${row}.replica, 'n', ${row}.n,
    'content', encode(${row}.content, 'base64'), 'signature', ${row}.content_sig) END`;
}

/** @returns undefined when the row was altered */
async function readWaiting(row: WaitingRow, check: SignatureCheck): Promise<OutboxContent | undefined> {
  const content = await readOutbox({ ...row, id: 0, content: Buffer.from(row.content, 'base64').toString() }, check);
  return 'bad' in content ? undefined : content;
}

async function checkOf(pool: Pool): Promise<SignatureCheck> {
  const keys = (await readHead(pool))?.keys ?? new Map<string, string>();
  return signatureCheck(new Map([...keys].map(([id, publicKey]) => [id, keyOf(publicKey)])));
}

function numberedDecision({ oid, seq, header, proposal, verdict }: { [column: string]: string | null }): Decision {
  const { time, reported_by, dev } = readHeader({ header: header ?? '' });
  return {
    recorded: { ref: oid ?? String(seq), seq: [Number(seq) - 1, Number(seq)], time },
    reportedBy: reported_by,
    dev,
    proposal: parsed<ProposalData>(proposal),
    verdict: parsed<VerdictData>(verdict),
  };
}

/** @typeParam Data what the writer puts into a record of this type */
function parsed<Data>(text: string | null | undefined): Data | null {
  return text == null ? null : (JSON.parse(text) as Data);
}

async function readResults(pool: Pool, id: string): Promise<StoredResult[]> {
  const { rows } = await pool.query(
    `SELECT status, assurance, reported_by, time, coalesce(oid, seq::text) AS ref, contradicts_verdict FROM ${SCHEMA}.result
     WHERE proposal_id = $1 ORDER BY nth`,
    [id],
  );
  return rows.map(({ status, assurance, reported_by, time, ref, contradicts_verdict }) => ({
    status,
    assurance,
    reportedBy: reported_by,
    at: time,
    ref,
    contradictsVerdict: contradicts_verdict,
  }));
}

/** @param condition over `a`, an approval; never of input */
async function readApprovals(pool: Pool, condition: string, values: readonly unknown[]): Promise<StoredApproval[]> {
  const { rows } = await pool.query<ApprovalRow>(
    `SELECT a.*, p.reported_by, ${waitingAt('o')} AS waiting, e.data,
       (SELECT json_agg(json_build_object('event', ev.event, 'waiting', ${waitingAt('eo')}, 'header', ee.header, 'data', ee.data) ORDER BY ev.nth)
        FROM ${SCHEMA}.approval_event ev LEFT JOIN ${SCHEMA}.outbox eo ON eo.oid = ev.oid
          LEFT JOIN ${SCHEMA}.evidence ee ON ee.seq = coalesce(ev.seq, eo.seq)
        WHERE ev.approval_id = a.id AND ev.nth > 0) AS events
     FROM ${SCHEMA}.approval a JOIN ${SCHEMA}.proposal_ids p ON p.id = a.proposal_id
       LEFT JOIN ${SCHEMA}.outbox o ON o.oid = p.oid LEFT JOIN ${SCHEMA}.evidence e ON e.seq = coalesce(p.seq, o.seq) - 1
     WHERE ${condition} ORDER BY a.id DESC`,
    [...values],
  );
  const check = await checkOf(pool);
  return Promise.all(rows.map((row) => approvalOf(row, check)));
}

async function approvalOf(row: ApprovalRow, check: SignatureCheck): Promise<StoredApproval> {
  const data = row.waiting === null ? row.data : (await readWaiting(row.waiting, check))?.drafts[0]?.data;
  const { principal, agent } = parsed<ProposalData>(data)?.proposal ?? {};
  return {
    id: row.id,
    proposalId: row.proposal_id,
    state: row.state,
    need: JSON.parse(row.need),
    shadow: row.shadow,
    inputDigest: row.input_digest,
    bundleDigest: row.bundle_digest,
    adapter: row.reported_by,
    principal: idOf(principal),
    agent: idOf(agent),
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    grantExpiresAt: row.grant_expires_at,
    decisions: (await Promise.all((row.events ?? []).map((event) => decisionOf(event, check)))).flat(),
  };
}

function idOf(party: JsonObject[string] | undefined): string | null {
  // A checked proposal.
  return (party as { id: string } | undefined)?.id ?? null;
}

/** One that waits says it in its content; one that is numbered in its record. */
async function decisionOf({ event, waiting: row, header, data }: EventRow, check: SignatureCheck): Promise<StoredApproval['decisions']> {
  if (event !== 'granted' && event !== 'rejected') return [];
  const decision = event === 'granted' ? 'grant' : 'reject';
  const waiting = row === null ? undefined : (await readWaiting(row, check))?.drafts[0];
  const said = parsed<{ approver: string | null; approver_sig: string | null; reason: string | null }>(waiting?.data ?? data);
  const at = waiting?.time ?? (header === null ? '' : readHeader({ header }).time);
  return [
    {
      approver: said?.approver ?? null,
      decision,
      at,
      signed: (said?.approver_sig ?? null) !== null,
      reason: said?.reason ?? null,
      groups: [],
    },
  ];
}

/** The columns that are read of an approval, with the types that the tables give them. */
interface ApprovalRow {
  id: string;
  proposal_id: string;
  state: ApprovalState;
  need: string;
  shadow: boolean;
  input_digest: string;
  bundle_digest: string;
  reported_by: string;
  requested_at: string;
  expires_at: string;
  grant_expires_at: string | null;
  /** The decision, while it waits for its numbers. */
  waiting: WaitingRow | null;
  /** Data of the proposal record; null once it is erased. */
  data: string | null;
  events: readonly EventRow[] | null;
}

interface EventRow {
  event: string;
  waiting: WaitingRow | null;
  header: string | null;
  data: string | null;
}
