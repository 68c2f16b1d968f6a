import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Draft, RecordType } from '../../evidence/index.js';
import type { AdapterClass, ResultStatus } from '../../proposal/proposal.js';
import type { Decision } from '../../verdict/verdict.js';
import { refusedErasure, requireName } from '../erasure-rules.js';
import { ruleOnResult } from '../result-rules.js';
import type { AdminUnit, ApprovalState, ApprovalUnit, Recorded, ReportOutcome, ResultUnit } from '../store.js';
import { adminDraft, approvalDraft, resultDraft } from '../unit-records.js';
import type { Row } from './row.js';
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
 * @returns what makes a unit part of a batch: writes all that stands beside the chain, and adds its records. A function of the
 *   connection, in whose open transaction it works
 */
export function unitApplier(db: DatabaseSync): (unit: Unit, batch: Batch) => Outcomes[keyof Outcomes] {
  const statements = prepare(db);
  return (unit, batch) => {
    switch (unit.kind) {
      case 'decision':
        return decide(unit, batch, statements);
      case 'result':
        return report(unit, batch, statements);
      case 'approval':
        return settle(unit, batch, statements);
      case 'admin':
        return administer(unit, batch);
      case 'erase':
        return erase(unit.seq, unit.act, batch, statements);
    }
  };
}

type Statements = ReturnType<typeof prepare>;

function prepare(db: DatabaseSync) {
  return {
    useId: db.prepare(`
      INSERT INTO proposal (id, verdict_seq, reported_by, class, effective_decision, approval_id) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO NOTHING`),
    proposal: db.prepare(`
      SELECT verdict_seq, reported_by, class, effective_decision, approval_id, state, grant_expires_at
      FROM proposal LEFT JOIN approval ON approval.id = approval_id WHERE proposal.id = ?`),
    fileApproval: db.prepare(`
      INSERT INTO approval (id, proposal_id, state, need, shadow, input_digest, bundle_digest, requested_at, expires_at)
      VALUES (?, ?, 'pending', ?, ?, ?, ?, ?, ?)`),
    approvalState: db.prepare('SELECT state FROM approval WHERE id = ?'),
    approvalDecisions: db.prepare(
      "SELECT count(*) AS decisions FROM approval_event WHERE approval_id = ? AND event IN ('granted', 'rejected')",
    ),
    moveApproval: db.prepare('UPDATE approval SET state = ?, grant_expires_at = coalesce(?, grant_expires_at) WHERE id = ?'),
    addApprovalEvent: db.prepare('INSERT INTO approval_event (approval_id, seq, event) VALUES (?, ?, ?)'),
    results: db.prepare(`
      SELECT seq, status, body_digest, header FROM result JOIN record USING (seq) WHERE result.proposal_id = ? ORDER BY seq`),
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
    fileApproval.run(...columnsOf(approval, id));
    addApprovalEvent.run(approval.id, add('approval', approval.request).seq, 'requested');
  }
  return { ref: String(seq), seq: [proposalSeq, seq], time };
}

function columnsOf(approval: ApprovalRow, proposalId: string) {
  const { id, need, shadow, inputDigest, bundleDigest, requestedAt, expiresAt } = approval;
  return [id, proposalId, need, shadow ? 1 : 0, inputDigest, bundleDigest, requestedAt, expiresAt] as const;
}

function report(unit: ResultUnit, batch: Batch, { proposal, results, addResult, moveApproval }: Statements): ReportOutcome {
  const row = proposal.get(unit.proposalId);
  if (row === undefined) return { kind: 'unknown-proposal' };
  const earlier = results.all(unit.proposalId).map(earlierResult);
  const ruling = ruleOnResult(decidedOf(row), earlier, unit);
  if (ruling.kind === 'repeat') return { kind: 'repeated', recorded: ruling.earlier.recorded, assurance: ruling.earlier.assurance };
  if (ruling.kind !== 'record') return ruling;
  const { seq, time } = batch.add(resultDraft(unit, Number(row.verdict_seq), ruling));
  addResult.run(unit.proposalId, seq, unit.status, ruling.contradictsVerdict ? 1 : 0, unit.bodyDigest);
  // A grant is for one run.
  if (ruling.final && row.state === 'granted') moveApproval.run('consumed', null, row.approval_id ?? null);
  return { kind: 'recorded', recorded: recordedOne(seq, time), assurance: ruling.assurance };
}

function decidedOf(row: Row) {
  return {
    reportedBy: String(row.reported_by),
    // What `decide` and `settle` have written.
    class: row.class as AdapterClass,
    effectiveDecision: row.effective_decision as Decision,
    approval: row.state === null ? null : { state: row.state as ApprovalState, grantExpiresAt: row.grant_expires_at as string | null },
  };
}

function earlierResult({ seq, status, body_digest, header }: Row) {
  const { time, assurance } = JSON.parse(String(header));
  return {
    status: status as ResultStatus, // what `report` has written
    bodyDigest: body_digest === null ? null : String(body_digest),
    assurance,
    recorded: recordedOne(Number(seq), time),
  };
}

function settle(unit: ApprovalUnit, batch: Batch, statements: Statements): Recorded | undefined {
  if (statements.approvalState.get(unit.approvalId)?.state !== unit.expect) return undefined;
  if (unit.expectDecisions !== undefined) {
    const decisions = statements.approvalDecisions.get(unit.approvalId)?.decisions;
    if (decisions !== unit.expectDecisions) return undefined;
  }
  const { seq, time } = batch.add(approvalDraft(unit));
  statements.moveApproval.run(unit.next, unit.grantExpiresAt ?? null, unit.approvalId);
  statements.addApprovalEvent.run(unit.approvalId, seq, unit.event);
  return recordedOne(seq, time);
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
