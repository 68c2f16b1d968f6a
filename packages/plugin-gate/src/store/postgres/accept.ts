import type { PoolClient } from 'pg';
import type { FollowRules } from '../../approval/index.js';
import type { Draft } from '../../evidence/index.js';
import { canonical } from '../../json/index.js';
import type { Signer } from '../../keys/index.js';
import { type Decided, ruleOnResult } from '../result-rules.js';
import { type ApprovalState, type ApprovalUnit, type DecisionUnit, type ResultUnit, StoreError } from '../store.js';
import { approvalDraft, decisionDrafts, type Origin, resultDraft } from '../unit-records.js';
import { FORMAT } from './additions.js';
import { signBatch } from './batch-signature.js';
import type { HeadFollower } from './head.js';
import { asLines, linesAt } from './lines.js';
import { QUARANTINED, SCHEMA } from './names.js';
import { type OutboxContent, outboxText } from './outbox.js';
import { proofsBy } from './proofs.js';
import { approvalsOf, deriveCached, readCached } from './read-approvals.js';
import { readDecisions, resultOf, type SignedResult } from './read-decisions.js';
import { readHistory } from './read-history.js';

export type AcceptedUnit = DecisionUnit | ResultUnit | ApprovalUnit;

/** What became of a unit. `ref`: what it is known by, `ob_…`, or a number for what was numbered before it came here. */
export type Acceptance =
  | { kind: 'accepted'; ref: string; time: string; assurance?: 'adapter' | 'self' }
  | { kind: 'repeated'; ref: string; time: string; assurance: 'adapter' | 'self' }
  /** The id was used before; the approval is in another state. */
  | { kind: 'refused' }
  | { kind: 'unknown-proposal' | 'other-adapter' | 'already-final' };

export interface Acceptor {
  /** Name under which this replica counts what it accepts. */
  replica: string;
  signer: Signer;
  chainId: string;
  head: HeadFollower;
  rules: Omit<FollowRules, 'chainId'>;
  /** @returns a new reference, `ob_` and a ULID */
  newOid: () => string;
}

/**
 * Accepts units, in a transaction of the caller: uses up the ids, rules on results, moves approvals, and puts what is to be
 * recorded into the outbox, signed and counted. The order of rows is decisions, results, approvals, so that nothing comes
 * before what it is about.
 * Locks are taken in one order by every replica (own counter, new ids sorted, known proposals sorted, approvals), so that two
 * never wait for each other.
 * @returns what became of each unit, in their order
 */
export async function acceptUnits(client: PoolClient, units: readonly AcceptedUnit[], acceptor: Acceptor): Promise<Acceptance[]> {
  const outbox = await outboxOf(client, acceptor);
  const found = new Map<AcceptedUnit, Acceptance>();
  await useIds(client, units.filter(isDecision), outbox, found);
  await ruleOnResults(client, units.filter(isResult), outbox, found, acceptor);
  for (const unit of units) if (unit.kind === 'approval') found.set(unit, await settle(client, unit, outbox, acceptor));
  await outbox.write();
  return units.map((unit) => found.get(unit) ?? { kind: 'refused' });
}

const isDecision = (unit: AcceptedUnit): unit is DecisionUnit => unit.kind === 'decision';
const isResult = (unit: AcceptedUnit): unit is ResultUnit => unit.kind === 'result';

interface Outbox {
  /** @returns the reference of the row that will hold the unit */
  newOid(): string;
  put(oid: string, row: Pick<OutboxContent, 'kind' | 'proposal_id'>, drafts: (origin: Origin) => Draft[]): void;
  /** Writes the rows that were put, and moves the counter with them: a number without a row is one that was taken away. */
  write(): Promise<void>;
}

/** Takes the counter of the replica, which another process with the same name then waits for. */
async function outboxOf(client: PoolClient, { replica, signer, chainId, newOid }: Acceptor): Promise<Outbox> {
  const { rows } = await client.query(
    `SELECT n, current_setting('synchronous_commit') AS synchronous, (SELECT key_id FROM ${SCHEMA}.head) AS key_id
     FROM ${SCHEMA}.replica WHERE id = $1 FOR UPDATE`,
    [replica],
  );
  const [row] = rows;
  if (row === undefined) throw new StoreError('AG-EVD-004', 'The counter of this replica is missing.');
  if (row.synchronous === 'off')
    throw new StoreError('AG-EVD-002', 'The database acknowledges writes before they are on disk (synchronous_commit is off).');
  if (row.key_id !== signer.keyId) throw new StoreError('AG-EVD-001', KEY_CHANGED);
  let n = Number(row.n);
  const written: { oid: string; kind: string; proposalId: string | null; n: number; text: string }[] = [];
  return {
    newOid,
    put(oid, row, drafts) {
      n += 1;
      const origin = { replica, n };
      const text = outboxText({ v: 1, oid, chain_id: chainId, origin, ...row, drafts: drafts(origin) });
      written.push({ oid, kind: row.kind, proposalId: row.proposal_id, n, text });
    },
    async write() {
      if (written.length === 0) return;
      const texts = written.map(({ text }) => text);
      await client.query(
        `INSERT INTO ${SCHEMA}.outbox (oid, kind, proposal_id, replica, n, content, content_sig)
         SELECT oid, kind, proposal_id, $1, n, convert_to(text, 'UTF8'), signature
         FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], ${linesAt(6)}, $7::text[])
           AS row (oid, kind, proposal_id, n, text, signature) ORDER BY n`,
        [replica, ...columns(written, ['oid', 'kind', 'proposalId', 'n']), asLines(texts), signBatch(texts, signer)],
      );
      written.length = 0;
      await client.query(`UPDATE ${SCHEMA}.replica SET n = $2, format = ${FORMAT}, seen_at = clock_timestamp() WHERE id = $1`, [
        replica,
        n,
      ]);
    },
  };
}

export const KEY_CHANGED = 'The evidence signing key is not the active key of the chain.';

async function useIds(
  client: PoolClient,
  units: readonly DecisionUnit[],
  outbox: Outbox,
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
  const { rows: won } = await client.query(
    `INSERT INTO ${SCHEMA}.proposal_ids (id, oid, reported_by, class, effective_decision)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS row (id, oid, reported_by, class, effective)
     ORDER BY id COLLATE "C" ON CONFLICT DO NOTHING RETURNING oid`,
    columns(rows, ['id', 'oid', 'reportedBy', 'class', 'effective']),
  );
  const oids = new Set(won.map(({ oid }) => String(oid)));
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

type EarlierResult = Pick<SignedResult, 'status' | 'bodyDigest' | 'ref' | 'time' | 'assurance'>;

const OPEN: ReadonlySet<ApprovalState | undefined> = new Set(['pending', 'granted']);

async function ruleOnResults(
  client: PoolClient,
  units: readonly ResultUnit[],
  outbox: Outbox,
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
  const { rows } = await client.query(
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

/** The table only says where the approval is: how it stands is derived from its records, while nobody else can move it. */
async function settle(client: PoolClient, unit: ApprovalUnit, outbox: Outbox, { head, rules }: Acceptor): Promise<Acceptance> {
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

/**
 * Numbers of records by reference.
 * @param refs `ob_…`
 * @returns those that are known; 0 for one that waits, and for one in quarantine
 */
export async function numbersOf(client: Pick<PoolClient, 'query'>, refs: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await client.query(`SELECT oid, nullif(seq, ${QUARANTINED}) AS seq FROM ${SCHEMA}.outbox WHERE oid = ANY($1)`, [refs]);
  return new Map(rows.map(({ oid, seq }) => [String(oid), Number(seq ?? 0)]));
}

/** The members of rows, as one array each: parameters of `unnest`. */
function columns<Row extends object>(rows: readonly Row[], names: readonly (keyof Row)[]): unknown[][] {
  return names.map((name) => rows.map((row) => row[name]));
}
