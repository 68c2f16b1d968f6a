import type { DatabaseSync } from 'node:sqlite';
import { deriveApproval, type HistoryEntry } from '../../../approval/index.js';
import type { RecordType, StoredRecord } from '../../../evidence/index.js';
import { isJsonObject } from '../../../json/index.js';
import { UnverifiedError } from '../../store.js';
import type { RecordVerifier, VerifiedRecord } from '../../verify/record-verifier.js';
import { RARE_TYPE } from '../file/schema.js';
import { approvalMismatches, decisionMismatches } from './cache-mismatch.js';
import type { History, HistoryResult } from './proposal-history.js';
import { RECORD_COLUMNS, type Row, recordOf } from './row.js';

/**
 * Reads proposals from their records. The tables beside the chain only say where to begin: the records of an approval and the
 * results of a proposal are found by what they say themselves (indexes over `record.data`), so no row that is added, changed or
 * deleted there makes a difference. What such a row names is read too, and fails when its data was changed.
 */
export interface Histories {
  /**
   * @returns undefined when the id was never used
   * @throws {UnverifiedError} when a record is missing, was changed, or belongs to another proposal
   */
  ofProposal(id: string): History | undefined;
  /** The proposal of an approval. @throws as `ofProposal` */
  ofApproval(id: string): History | undefined;
  /** Approvals that may be in a state, or all, newest first. A candidate may turn out to be none. */
  approvalIds(state?: string, expiresBy?: string): string[];
  /** Approvals that wait or may be used at an instant, as the table says, newest first, up to a number. */
  openApprovalIds(now: string, most: number): string[];
}

export interface HistoryOptions {
  verifier: RecordVerifier;
  /** See `FollowRules`. */
  groupsOf: (approver: string) => readonly string[];
}

/** Approvals and results are found by these members: see `SCHEMA`. */
export const APPROVAL_OF = "data ->> 'approval_id'";
export const PROPOSAL_OF = "data ->> 'proposal_id'";

export function historyReader(db: DatabaseSync, { verifier, groupsOf }: HistoryOptions): Histories {
  const statements = {
    keys: db.prepare(`
      SELECT ${RECORD_COLUMNS} FROM record WHERE seq = 0 UNION ALL
      SELECT ${RECORD_COLUMNS} FROM record WHERE type = 'key' AND ${RARE_TYPE} ORDER BY seq`),
    record: db.prepare(`SELECT ${RECORD_COLUMNS} FROM record WHERE seq = ?`),
    proposal: db.prepare('SELECT * FROM proposal WHERE id = ?'),
    approval: db.prepare('SELECT * FROM approval WHERE id = ?'),
    approvalRecords: db.prepare(`SELECT ${RECORD_COLUMNS} FROM record WHERE type = 'approval' AND ${APPROVAL_OF} = ? ORDER BY seq`),
    resultRecords: db.prepare(`SELECT ${RECORD_COLUMNS} FROM record WHERE type = 'result' AND ${PROPOSAL_OF} = ? ORDER BY seq`),
    events: db.prepare('SELECT seq, event FROM approval_event WHERE approval_id = ? ORDER BY seq'),
    results: db.prepare('SELECT seq, status, contradicts_verdict, body_digest FROM result WHERE proposal_id = ? ORDER BY seq'),
    candidates: db.prepare('SELECT id FROM approval WHERE state = ? AND expires_at <= ? ORDER BY id DESC'),
    open: db.prepare(`
      SELECT id FROM approval WHERE state = 'pending' AND expires_at > ? UNION ALL
      SELECT id FROM approval WHERE state = 'granted' AND grant_expires_at > ? ORDER BY id DESC LIMIT ?`),
    everyApproval: db.prepare(
      `SELECT id FROM approval UNION SELECT ${APPROVAL_OF} AS id FROM record WHERE type = 'approval' AND ${APPROVAL_OF} IS NOT NULL ORDER BY id DESC`,
    ),
  };

  const verified = (record: StoredRecord, type: RecordType): VerifiedRecord => {
    let read = verifier.verify(record);
    if (read === 'unknown-key') {
      verifier.learnKeys(statements.keys.all().map(recordOf));
      read = verifier.verify(record);
    }
    if (typeof read === 'string')
      throw new UnverifiedError(
        `Record ${record.seq} cannot be verified: ${read === 'unknown-key' ? 'it is signed with a key that was not active' : read}.`,
      );
    if (record.type !== type) throw new UnverifiedError(`Record ${record.seq} is not of the type ${type}.`);
    return read;
  };
  const recordAt = (seq: number, type: RecordType): VerifiedRecord => {
    const row = statements.record.get(seq);
    if (row === undefined) throw new UnverifiedError(`Record ${seq} is missing.`);
    return verified(recordOf(row), type);
  };
  /** Records that say themselves that they belong here, and erased ones that a table names. */
  const recordsOf = (found: readonly Row[], named: readonly Row[], type: 'approval' | 'result') => {
    const records = found.map((row) => verified(recordOf(row), type));
    const known = new Set(records.map(({ record }) => record.seq));
    const others = named.filter(({ seq }) => !known.has(Number(seq))).map(({ seq }) => recordAtAny(Number(seq)));
    const erased = others.filter(({ record, data }) => record.type === type && data === null);
    return [...records, ...erased].sort((one, other) => one.record.seq - other.record.seq);
  };
  const recordAtAny = (seq: number): VerifiedRecord => {
    const type = statements.record.get(seq)?.type;
    return recordAt(seq, type as RecordType); // of a column with a CHECK; a missing record fails before it is compared
  };

  const ofProposal = (id: string): History | undefined => {
    const row = statements.proposal.get(id);
    if (row === undefined) return undefined;
    const verdictSeq = Number(row.verdict_seq);
    const proposal = recordAt(verdictSeq - 1, 'proposal');
    const verdict = recordAt(verdictSeq, 'verdict');
    requireIdentity(id, proposal, verdict);
    // Where the verdict is erased, the request says itself whose it is.
    const asked = verdict.data === null ? row.approval_id : verdict.data['approval'];
    const approvalId = typeof asked === 'string' ? asked : undefined;
    const events = approvalId === undefined ? [] : statements.events.all(approvalId);
    const approvalRecords = approvalId === undefined ? [] : recordsOf(statements.approvalRecords.all(approvalId), events, 'approval');
    const rows = statements.results.all(id);
    const resultRecords = recordsOf(statements.resultRecords.all(id), rows, 'result');
    const results = resultRecords.map((record) => resultOf(record, rows));
    const derived = deriveApproval(
      [entryOf(proposal), entryOf(verdict), ...[...approvalRecords, ...resultRecords].sort(bySeq).map(entryOf)],
      { chainId: verifier.chainId(), groupsOf },
    );
    if (derived.kind === 'contradiction')
      throw new UnverifiedError(`Record ${verdictSeq} needs an approval, but its records contradict each other. ${derived.message}`);
    const approval = derived.kind === 'approval' ? derived.approval : null;
    if (approval !== null && approval.proposalId !== id)
      throw new UnverifiedError(`The approval ${approval.id} belongs to another proposal.`);
    const history = { id, proposal, verdict, approval, erased: derived.kind === 'approval' && derived.erased, results };
    const recorded = new Set(resultRecords.map(({ record }) => record.seq));
    return {
      ...history,
      strayResult: rows.some(({ seq }) => !recorded.has(Number(seq))),
      mismatches: [
        ...decisionMismatches(history, row, rows),
        ...approvalMismatches(history, {
          row: approvalId === undefined ? undefined : statements.approval.get(approvalId),
          events,
          records: approvalRecords,
        }),
      ],
    };
  };

  return {
    ofProposal,
    ofApproval(id) {
      const [first] = statements.approvalRecords.all(id);
      const request = first && verified(recordOf(first), 'approval');
      // The request follows its verdict. Where it is erased, only the table says whose it is, and the verdict must agree.
      const verdict = request && recordAt(request.record.seq - 1, 'verdict').data;
      const proposalId = verdict?.['proposal_id'] ?? request?.data?.['proposal_id'] ?? statements.approval.get(id)?.proposal_id;
      const history = typeof proposalId === 'string' ? ofProposal(proposalId) : undefined;
      if (history === undefined && request !== undefined)
        throw new UnverifiedError(`The used id of the proposal that the approval ${id} belongs to is missing.`);
      return history?.approval?.id === id ? history : undefined;
    },
    approvalIds(state, expiresBy = LAST) {
      const rows = state === undefined ? statements.everyApproval.all() : statements.candidates.all(state, expiresBy);
      return rows.map(({ id }) => String(id));
    },
    openApprovalIds: (now, most) => statements.open.all(now, now, most).map(({ id }) => String(id)),
  };
}

/** After every time. */
const LAST = '9999-12-31T23:59:59.999Z';

/** Each record says whose it is, as long as it is not erased. */
function requireIdentity(id: string, proposal: VerifiedRecord, verdict: VerifiedRecord): void {
  const proposed = proposal.data?.['proposal'];
  const fits =
    (proposal.data === null || (isJsonObject(proposed) && proposed['id'] === id)) &&
    (verdict.data === null || verdict.data['proposal_id'] === id);
  if (!fits) throw new UnverifiedError(`The records ${proposal.record.seq} and ${verdict.record.seq} belong to another proposal.`);
}

function bySeq(one: VerifiedRecord, other: VerifiedRecord): number {
  return one.record.seq - other.record.seq;
}

function entryOf({ record, header, data }: VerifiedRecord): HistoryEntry {
  return { type: record.type as HistoryEntry['type'], time: header.time, reportedBy: header.reported_by, data }; // the types that were asked for
}

function resultOf(record: VerifiedRecord, rows: readonly Row[]): HistoryResult {
  const row = rows.find(({ seq }) => seq === record.record.seq);
  const { data } = record;
  return {
    record,
    status: String(data === null ? row?.status : data['status']),
    contradictsVerdict: data === null ? row?.contradicts_verdict === 1 : data['contradicts_verdict'] === true,
    bodyDigest: typeof row?.body_digest === 'string' ? row.body_digest : null,
  };
}
