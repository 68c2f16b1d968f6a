import type { PoolClient } from 'pg';
import type { Decision } from '../../../verdict/verdict.js';
import { type Decided, ruleOnResult } from '../../rules/result-rules.js';
import { resultDraft } from '../../rules/unit-records.js';
import type { ApprovalState, ResultUnit } from '../../store.js';
import { SCHEMA } from '../database/names.js';
import { columns } from '../database/queries.js';
import { approvalsOf } from '../reads/read-approvals.js';
import { readDecisions, resultOf, type SignedResult } from '../reads/read-decisions.js';
import { readHistory } from '../reads/read-history.js';
import { proofsBy } from '../seal/proofs.js';
import type { Acceptance, AcceptedUnit, Acceptor } from './acceptance.js';
import type { OutboxWriter } from './outbox-writer.js';

type EarlierResult = Pick<SignedResult, 'status' | 'bodyDigest' | 'ref' | 'time' | 'assurance'>;

const OPEN: ReadonlySet<ApprovalState | undefined> = new Set(['pending', 'granted']);

/** Records results that can be recorded, uses up the grants of final ones, and notes what became of each. */
export async function acceptResults(
  client: PoolClient,
  units: readonly ResultUnit[],
  outbox: OutboxWriter,
  found: Map<AcceptedUnit, Acceptance>,
  acceptor: Acceptor,
): Promise<void> {
  if (units.length === 0) return;
  // What this batch decides is seen when it is written.
  await outbox.write();
  const proposals = await lockProposals(client, [...new Set(units.map(({ proposalId }) => proposalId))], acceptor);
  const added: { unit: ResultUnit; oid: string; nth: number; ruled: { assurance: string; contradictsVerdict: boolean; final: boolean } }[] =
    [];
  const consumed: string[] = [];
  for (const unit of units) {
    const proposal = proposals.get(unit.proposalId);
    if (proposal === undefined) {
      found.set(unit, { kind: 'unknown-proposal' });
      continue;
    }
    const ruling = ruleOnResult(proposal.decided, proposal.earlier, unit);
    if (ruling.kind === 'repeat') {
      const { ref, time, assurance } = ruling.earlier;
      found.set(unit, { kind: 'repeated', ref, time, assurance });
    } else if (ruling.kind === 'record') {
      const { assurance, contradictsVerdict, final } = ruling;
      const oid = outbox.newOid();
      outbox.put(oid, { kind: 'result', proposal_id: unit.proposalId }, (origin) => [resultDraft(unit, 0, ruling, origin)]);
      found.set(unit, { kind: 'accepted', ref: oid, time: unit.time, assurance });
      added.push({ unit, oid, nth: proposal.earlier.length, ruled: { assurance, contradictsVerdict, final } });
      proposal.earlier.push({ status: unit.status, bodyDigest: unit.bodyDigest, ref: oid, time: unit.time, assurance });
      // A grant is for one run, and none comes after it.
      if (final && OPEN.has(proposal.decided.approval?.state)) consumed.push(unit.proposalId);
    } else found.set(unit, ruling);
  }
  const rows = added.map(({ unit, oid, nth, ruled }) => ({ ...unit, ...ruled, oid, nth }));
  if (rows.length > 0)
    await client.query(
      `INSERT INTO ${SCHEMA}.result (proposal_id, nth, oid, status, final, assurance, contradicts_verdict, reported_by, time, body_digest)
       SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::boolean[], $6::text[], $7::boolean[], $8::text[], $9::text[], $10::text[])`,
      columns(rows, ['proposalId', 'nth', 'oid', 'status', 'final', 'assurance', 'contradictsVerdict', 'reportedBy', 'time', 'bodyDigest']),
    );
  if (consumed.length > 0) await client.query(`UPDATE ${SCHEMA}.approval SET state = 'consumed' WHERE proposal_id = ANY($1)`, [consumed]);
}

/** What must be known of each proposal, which nobody else can report on until the transaction ends. */
async function lockProposals(
  client: PoolClient,
  ids: readonly string[],
  { head, rules }: Acceptor,
): Promise<Map<string, { decided: Decided; earlier: EarlierResult[] }>> {
  const { rows } = await client.query<{ id: string; effective_decision: Decision }>(
    `SELECT id, effective_decision FROM ${SCHEMA}.proposal_ids WHERE id = ANY($1) ORDER BY id FOR UPDATE`,
    [ids],
  );
  // Statements of their own: they see what was committed while the first one waited for its locks.
  const waiting = rows.filter(({ effective_decision }) => effective_decision === 'REQUIRE_APPROVAL').map(({ id }) => id);
  if (waiting.length > 0)
    await client.query(`SELECT FROM ${SCHEMA}.approval WHERE proposal_id = ANY($1) ORDER BY id FOR UPDATE`, [waiting]);
  const proofs = await proofsBy(head, client);
  const decisions = await readDecisions(client, ids, proofs);
  const results = await readHistory(client, 'result', ids, proofs);
  const approvals = await approvalsOf(client, decisions, { proofs, rules, results });
  return new Map(
    decisions.map(({ id, reportedBy, class: adapterClass, effectiveDecision }) => {
      const approval = approvals.get(id) ?? null;
      const earlier = results.filter(({ subject }) => subject === id).map(resultOf);
      return [id, { decided: { reportedBy, class: adapterClass, effectiveDecision, approval }, earlier }];
    }),
  );
}
