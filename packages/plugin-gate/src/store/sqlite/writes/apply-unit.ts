import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { followApproval, type StoredApproval } from '../../../approval/index.js';
import type { Draft, RecordType } from '../../../evidence/index.js';
import { canonical, type JsonObject } from '../../../json/index.js';
import type { AdapterClass, ResultStatus } from '../../../proposal/proposal.js';
import type { Decision } from '../../../verdict/verdict.js';
import { refusedErasure, requireName } from '../../rules/erasure-rules.js';
import type { Decided } from '../../rules/result-rules.js';
import { ruleOnResult } from '../../rules/result-rules.js';
import { adminDraft, approvalDraft, resultDraft } from '../../rules/unit-records.js';
import { type AdminUnit, type ApprovalUnit, type Recorded, type ReportOutcome, type ResultUnit, UnverifiedError } from '../../store.js';
import { type Histories, type HistoryOptions, historyReader } from '../reads/history.js';
import type { History, HistoryResult } from '../reads/proposal-history.js';
import { type ApprovalRow, type DecisionTexts, type Outcomes, type Unit, withProposalSeq } from './unit.js';

/** What a unit asks for cannot be. It has written nothing, so the other units of its batch go on. */
export class RefusedUnit extends RangeError {}

/** The batch that a unit becomes part of. */
export interface Batch {
  /** Number that the next record gets. */
  nextSeq(): number;
  /** Writes a record at the end of the chain, where statements see it from then on. @returns its number and its time, which never goes back */
  add(draft: Draft): { seq: number; time: string };
}

/**
 * @returns what makes a unit part of a batch: writes all that is beside the chain, and adds its records. A function of the
 *   connection, in whose open transaction it works
 */
export function unitApplier(db: DatabaseSync, options: HistoryOptions): (unit: Unit, batch: Batch) => Outcomes[keyof Outcomes] {
  const statements = prepare(db);
  // Results and decisions on approvals follow what the records say: the tables beside the chain are a cache.
  const histories = historyReader(db, options);
  return (unit, batch) => {
    switch (unit.kind) {
      case 'decision':
        return decide(unit, batch, statements);
      case 'result':
        return report(unit, batch, statements, histories);
      case 'approval':
        return settle(unit, batch, statements, histories, options);
      case 'admin':
        return administer(unit, batch);
      case 'erase':
        return erase(unit.seq, unit.act, batch, statements);
    }
  };
}

type Statements = ReturnType<typeof prepare>;

const APPROVAL_COLUMNS = 'id, proposal_id, state, need, shadow, input_digest, bundle_digest, requested_at, expires_at, grant_expires_at';

function prepare(db: DatabaseSync) {
  return {
    useId: db.prepare(`
      INSERT INTO proposal (id, verdict_seq, reported_by, class, effective_decision, approval_id) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO NOTHING`),
    fileApproval: db.prepare(`INSERT INTO approval (${APPROVAL_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    refileApproval: db.prepare(`INSERT OR REPLACE INTO approval (${APPROVAL_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    addApprovalEvent: db.prepare(
      'INSERT INTO approval_event (approval_id, seq, event) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET event = excluded.event',
    ),
    addResult: db.prepare('INSERT INTO result (proposal_id, seq, status, contradicts_verdict, body_digest) VALUES (?, ?, ?, ?, ?)'),
    record: db.prepare('SELECT type, data FROM record WHERE seq = ?'),
    eraseRecord: db.prepare('UPDATE record SET data = NULL, salt = NULL WHERE seq = ?'),
    // The digest of a short text tells the text to whoever guesses.
    eraseBodyDigest: db.prepare(
      "UPDATE result SET body_digest = NULL WHERE seq = ? AND proposal_id = (SELECT data ->> 'proposal_id' FROM record WHERE seq = ?)",
    ),
  } satisfies Record<string, StatementSync>;
}

function decide(unit: DecisionTexts, batch: Batch, { useId, fileApproval, addApprovalEvent }: Statements): Recorded | undefined {
  const proposalSeq = batch.nextSeq();
  const { id, reportedBy, dev, effectiveDecision, approval } = unit;
  if (useId.run(id, proposalSeq + 1, reportedBy, unit.class, effectiveDecision, approval?.id ?? null).changes === 0) return undefined;
  const add = (type: Draft['type'], data: string) => batch.add({ type, time: unit.time, dev, reportedBy, data });
  add('proposal', unit.proposal);
  const { seq, time } = add('verdict', withProposalSeq(unit.verdict, unit.proposalSeqAt, proposalSeq));
  if (approval !== undefined) {
    const request = add('approval', approval.request);
    fileApproval.run(...columnsOf(approval, id, request.time));
    addApprovalEvent.run(approval.id, request.seq, 'requested');
  }
  return { ref: String(seq), seq: [proposalSeq, seq], time };
}

function columnsOf({ id, need, shadow, inputDigest, bundleDigest, expiresAt }: ApprovalRow, proposalId: string, requestedAt: string) {
  return [id, proposalId, 'pending', need, shadow ? 1 : 0, inputDigest, bundleDigest, requestedAt, expiresAt, null] as const;
}

function report(unit: ResultUnit, batch: Batch, statements: Statements, histories: Histories): ReportOutcome {
  const history = histories.ofProposal(unit.proposalId);
  if (history === undefined) return { kind: 'unknown-proposal' };
  const ruling = ruleOnResult(decidedOf(history), history.results.map(earlierResult), unit);
  if (ruling.kind === 'repeat') return { kind: 'repeated', recorded: ruling.earlier.recorded, assurance: ruling.earlier.assurance };
  if (ruling.kind !== 'record') return ruling;
  if (history.strayResult) throw new UnverifiedError(`A result of record ${history.verdict.record.seq} is filed that has no record.`);
  const { seq, time } = batch.add(resultDraft(unit, history.verdict.record.seq, ruling));
  statements.addResult.run(unit.proposalId, seq, unit.status, ruling.contradictsVerdict ? 1 : 0, unit.bodyDigest);
  // A grant is for one run.
  if (ruling.final && history.approval) refile(unit.proposalId, statements, histories);
  return { kind: 'recorded', recorded: recordedOne(seq, time), assurance: ruling.assurance };
}

/** What is erased is taken for what allows least. */
function decidedOf({ proposal, verdict, approval }: History): Decided {
  return {
    reportedBy: verdict.header.reported_by,
    // What `decide` has written.
    class: (proposal.data?.['class'] ?? 'advisory') as AdapterClass,
    effectiveDecision: (verdict.data?.['effective_decision'] ?? 'DENY') as Decision,
    approval,
  };
}

function earlierResult({ record: { record, header }, status, bodyDigest }: HistoryResult) {
  return {
    status: status as ResultStatus, // what `report` has written
    bodyDigest,
    assurance: header.assurance ?? 'self',
    recorded: recordedOne(record.seq, header.time),
  };
}

function settle(
  unit: ApprovalUnit,
  batch: Batch,
  statements: Statements,
  histories: Histories,
  { verifier, groupsOf }: HistoryOptions,
): Recorded | undefined {
  const history = histories.ofApproval(unit.approvalId);
  const approval = history?.approval;
  if (!approval || approval.state !== unit.expect) return undefined;
  if (unit.expectDecisions !== undefined && approval.decisions.length !== unit.expectDecisions) return undefined;
  const draft = approvalDraft(unit);
  // The data that was just written.
  const entry = { time: unit.time, data: JSON.parse(draft.data) as JsonObject };
  const next = followApproval({ ...approval, erased: history.erased }, entry, { chainId: verifier.chainId(), groupsOf });
  if ('fault' in next) throw new RefusedUnit(next.message);
  const { seq, time } = batch.add(draft);
  statements.addApprovalEvent.run(unit.approvalId, seq, unit.event);
  refile(approval.proposalId, statements, histories);
  return recordedOne(seq, time);
}

/** Writes the row of an approval anew, as its records say. */
function refile(proposalId: string, { refileApproval }: Statements, histories: Histories): void {
  const approval = histories.ofProposal(proposalId)?.approval;
  if (approval) refileApproval.run(...rowOf(approval));
}

function rowOf(approval: StoredApproval) {
  const { id, proposalId, state, need, shadow, inputDigest, bundleDigest, requestedAt, expiresAt, grantExpiresAt } = approval;
  const needed = canonical({ ...need });
  return [id, proposalId, state, needed, shadow ? 1 : 0, inputDigest, bundleDigest, requestedAt, expiresAt, grantExpiresAt] as const;
}

function administer(unit: AdminUnit, batch: Batch): Recorded {
  const { seq, time } = batch.add(adminDraft(unit));
  return recordedOne(seq, time);
}

/** The act comes first: a trigger takes the data of no other record than the one that the last record names. */
function erase(seq: number, act: AdminUnit, batch: Batch, { record, eraseRecord, eraseBodyDigest }: Statements): Recorded {
  const row = record.get(seq);
  const refused = refusedErasure(seq, row as { type: RecordType; data: string | null } | undefined); // columns that a CHECK and STRICT hold to it
  if (refused !== undefined) throw new RefusedUnit(refused);
  requireName(act, seq);
  eraseBodyDigest.run(seq, seq);
  const recorded = administer(act, batch);
  eraseRecord.run(seq);
  return recorded;
}

function recordedOne(seq: number, time: string): Recorded {
  return { ref: String(seq), seq: [seq, seq], time };
}
