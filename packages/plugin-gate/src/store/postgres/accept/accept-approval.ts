import type { PoolClient } from 'pg';
import { approvalDraft } from '../../rules/unit-records.js';
import type { ApprovalUnit } from '../../store.js';
import { SCHEMA } from '../database/names.js';
import { deriveCached, readCached } from '../reads/read-approvals.js';
import { proofsBy } from '../seal/proofs.js';
import type { Acceptance, Acceptor } from './acceptance.js';
import type { OutboxWriter } from './outbox-writer.js';

/** Moves an approval. The table only says where the approval is: how it stands is derived from its records, while nobody else can move it. */
export async function acceptApproval(
  client: PoolClient,
  unit: ApprovalUnit,
  outbox: OutboxWriter,
  { head, rules }: Acceptor,
): Promise<Acceptance> {
  // What this batch has done is seen when it is written.
  await outbox.write();
  const [cached] = await readCached(client, 'id = $1', [unit.approvalId]);
  if (cached === undefined) return { kind: 'refused' };
  await client.query(`SELECT FROM ${SCHEMA}.approval WHERE id = $1 FOR UPDATE`, [unit.approvalId]);
  const [found] = await deriveCached(client, [cached], { proofs: await proofsBy(head, client), rules });
  if (found?.approval.state !== unit.expect) return { kind: 'refused' };
  if (unit.expectDecisions !== undefined && found.approval.decisions.length !== unit.expectDecisions) return { kind: 'refused' };
  const oid = outbox.newOid();
  await client.query(`UPDATE ${SCHEMA}.approval SET state = $2, grant_expires_at = coalesce($3, grant_expires_at) WHERE id = $1`, [
    unit.approvalId,
    unit.next,
    unit.grantExpiresAt ?? null,
  ]);
  await client.query(
    `INSERT INTO ${SCHEMA}.approval_event (approval_id, nth, event, oid)
     SELECT $1, coalesce(max(nth), -1) + 1, $2, $3 FROM ${SCHEMA}.approval_event WHERE approval_id = $1`,
    [unit.approvalId, unit.event, oid],
  );
  outbox.put(oid, { kind: 'approval', proposal_id: null }, (origin) => [approvalDraft(unit, origin)]);
  return { kind: 'accepted', ref: oid, time: unit.time };
}
