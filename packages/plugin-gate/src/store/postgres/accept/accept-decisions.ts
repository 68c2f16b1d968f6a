import type { PoolClient } from 'pg';
import { canonical } from '../../../json/index.js';
import { decisionDrafts } from '../../rules/unit-records.js';
import type { DecisionUnit } from '../../store.js';
import { SCHEMA } from '../database/names.js';
import { columns } from '../database/queries.js';
import type { Acceptance, AcceptedUnit } from './acceptance.js';
import type { OutboxWriter } from './outbox-writer.js';

/** Uses up the ids of decisions, files their approvals, and notes what became of each. */
export async function acceptDecisions(
  client: PoolClient,
  units: readonly DecisionUnit[],
  outbox: OutboxWriter,
  found: Map<AcceptedUnit, Acceptance>,
): Promise<void> {
  if (units.length === 0) return;
  // Of the same id twice in one batch, the first that came is the one.
  const firsts = new Set(new Map([...units].reverse().map((unit) => [unit.proposalId, unit])).values());
  const rows = [...firsts].map((unit) => ({
    id: unit.proposalId,
    oid: outbox.newOid(),
    reportedBy: unit.reportedBy,
    class: unit.proposal.class,
    effective: unit.verdict.effective_decision,
  }));
  const { rows: won } = await client.query<{ oid: string }>(
    `INSERT INTO ${SCHEMA}.proposal_ids (id, oid, reported_by, class, effective_decision)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS row (id, oid, reported_by, class, effective)
     ORDER BY id COLLATE "C" ON CONFLICT DO NOTHING RETURNING oid`,
    columns(rows, ['id', 'oid', 'reportedBy', 'class', 'effective']),
  );
  const oids = new Set(won.map(({ oid }) => oid));
  const byId = new Map(rows.map((row) => [row.id, row.oid]));
  const accepted: { unit: DecisionUnit; oid: string }[] = [];
  // In the order in which they came.
  for (const unit of units) {
    const oid = byId.get(unit.proposalId);
    if (oid === undefined || !oids.has(oid) || !firsts.has(unit)) continue;
    outbox.put(oid, { kind: 'decision', proposal_id: unit.proposalId }, (origin) => decisionDrafts(unit, 0, origin));
    found.set(unit, { kind: 'accepted', ref: oid, time: unit.time });
    accepted.push({ unit, oid });
  }
  await fileApprovals(client, accepted);
}

async function fileApprovals(client: PoolClient, accepted: readonly { unit: DecisionUnit; oid: string }[]): Promise<void> {
  const rows = accepted.flatMap(({ unit: { approval, verdict, proposalId, time }, oid }) =>
    approval === undefined
      ? []
      : [
          {
            id: approval.id,
            proposalId,
            need: canonical({ ...approval.need }),
            shadow: approval.shadow,
            inputDigest: verdict.verdict.input_digest,
            bundleDigest: verdict.verdict.bundle.digest,
            time,
            expiresAt: approval.expiresAt,
            oid,
          },
        ],
  );
  if (rows.length === 0) return;
  await client.query(
    `INSERT INTO ${SCHEMA}.approval (id, proposal_id, state, need, shadow, input_digest, bundle_digest, requested_at, expires_at)
     SELECT id, proposal_id, 'pending', need, shadow, input, bundle, requested, expires
     FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::text[], $8::text[])
       AS row (id, proposal_id, need, shadow, input, bundle, requested, expires)`,
    columns(rows, ['id', 'proposalId', 'need', 'shadow', 'inputDigest', 'bundleDigest', 'time', 'expiresAt']),
  );
  await client.query(
    `INSERT INTO ${SCHEMA}.approval_event (approval_id, nth, event, oid) SELECT id, 0, 'requested', oid FROM unnest($1::text[], $2::text[]) AS row (id, oid)`,
    columns(rows, ['id', 'oid']),
  );
}
