import type { DatabaseSync } from 'node:sqlite';
import { readHeader, type StoredRecord } from '../../evidence/index.js';
import type { ResultStatus } from '../../proposal/proposal.js';
import type { ApprovalNeed } from '../../verdict/verdict.js';
import type { ApprovalState, ProposalData, StoredApproval, StoredProposal, StoredResult, VerdictData } from '../store.js';
import { RECORD_COLUMNS, type Row, recordOf } from './row.js';

/** Reads single things, fast enough for the thread that answers requests. Texts come back as the writer has written them. */
export interface Reader {
  proposal(id: string): StoredProposal | undefined;
  approval(id: string): StoredApproval | undefined;
  approvals(state: ApprovalState | undefined): StoredApproval[];
  record(seq: number): StoredRecord | undefined;
}

export function createReader(db: DatabaseSync): Reader {
  const findProposal = db.prepare('SELECT verdict_seq, approval_id FROM proposal WHERE id = ?');
  const findRecord = db.prepare(`SELECT ${RECORD_COLUMNS} FROM record WHERE seq = ?`);
  const findResults = db.prepare(`
    SELECT seq, status, contradicts_verdict, header FROM result JOIN record USING (seq) WHERE result.proposal_id = ? ORDER BY seq`);
  const findApproval = db.prepare(`
    SELECT approval.*, verdict_seq, reported_by FROM approval JOIN proposal ON proposal.id = proposal_id WHERE approval.id = ?`);
  const findEvents = db.prepare(`
    SELECT event, data, header FROM approval_event JOIN record USING (seq) WHERE approval_event.approval_id = ? ORDER BY approval_event.seq`);
  const listApprovals = db.prepare('SELECT id FROM approval ORDER BY id DESC');
  const listApprovalsIn = db.prepare('SELECT id FROM approval WHERE state = ? ORDER BY id DESC');

  const record = (seq: number) => {
    const row = findRecord.get(seq);
    return row && recordOf(row);
  };
  const approval = (id: string) => {
    const row = findApproval.get(id);
    if (row === undefined) return undefined;
    const proposal = record(Number(row.verdict_seq) - 1);
    return approvalOf(row, proposal && dataOf<ProposalData>(proposal), findEvents.all(id));
  };
  const proposal = (id: string): StoredProposal | undefined => {
    const row = findProposal.get(id);
    const verdictSeq = Number(row?.verdict_seq);
    const [proposed, verdict] = [record(verdictSeq - 1), record(verdictSeq)];
    if (row === undefined || proposed === undefined || verdict === undefined) return undefined;
    const header = readHeader(verdict);
    return {
      recorded: { ref: String(verdictSeq), seq: [verdictSeq - 1, verdictSeq], time: header.time },
      reportedBy: header.reported_by,
      dev: header.dev,
      proposal: dataOf<ProposalData>(proposed),
      verdict: dataOf<VerdictData>(verdict),
      approval: row.approval_id === null ? null : (approval(String(row.approval_id)) ?? null),
      results: findResults.all(id).map(resultOf),
    };
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
    proposal: (id) => inSnapshot(() => proposal(id)),
    approval: (id) => inSnapshot(() => approval(id)),
    approvals: (state) =>
      inSnapshot(() => {
        const rows = state === undefined ? listApprovals.all() : listApprovalsIn.all(state);
        return rows.flatMap(({ id }) => approval(String(id)) ?? []);
      }),
    record,
  };
}

/** @typeParam Data what the writer puts into a record of this type */
function dataOf<Data>({ data }: StoredRecord): Data | null {
  return data === null ? null : (JSON.parse(data) as Data);
}

function resultOf({ seq, status, contradicts_verdict, header }: Row): StoredResult {
  const { assurance, reported_by, time } = readHeader({ header: String(header) });
  return {
    status: status as ResultStatus, // what the writer was given
    assurance: assurance ?? 'self',
    reportedBy: reported_by,
    at: time,
    ref: String(seq),
    contradictsVerdict: contradicts_verdict === 1,
  };
}

function approvalOf(row: Row, proposal: ProposalData | null | undefined, events: readonly Row[]): StoredApproval {
  const { principal, agent } = (proposal?.proposal ?? {}) as { principal?: { id: string }; agent?: { id: string } }; // a checked proposal
  return {
    id: String(row.id),
    proposalId: String(row.proposal_id),
    state: row.state as ApprovalState, // what the writer was given
    need: JSON.parse(String(row.need)) as ApprovalNeed, // what the writer was given
    shadow: row.shadow === 1,
    inputDigest: String(row.input_digest),
    bundleDigest: String(row.bundle_digest),
    adapter: String(row.reported_by),
    principal: principal?.id ?? null,
    agent: agent?.id ?? null,
    requestedAt: String(row.requested_at),
    expiresAt: String(row.expires_at),
    grantExpiresAt: row.grant_expires_at === null ? null : String(row.grant_expires_at),
    decisions: events.flatMap(decisionOf),
  };
}

function decisionOf({ event, data, header }: Row): StoredApproval['decisions'] {
  if (event !== 'granted' && event !== 'rejected') return [];
  const said = (data === null ? {} : JSON.parse(String(data))) as {
    approver?: string;
    approver_sig?: string | null;
    reason?: string | null;
  };
  return [
    {
      approver: said.approver ?? null,
      decision: event === 'granted' ? 'grant' : 'reject',
      at: readHeader({ header: String(header) }).time,
      signed: (said.approver_sig ?? null) !== null,
      reason: said.reason ?? null,
      groups: [],
    },
  ];
}
