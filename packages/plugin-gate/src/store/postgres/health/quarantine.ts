import type { Pool } from 'pg';
import { sha256Hex } from '../../../json/index.js';
import type { AdminUnit, Recorded } from '../../store.js';
import { type DirectWriter, recordAct } from '../accept/direct.js';
import { QUARANTINED, SCHEMA } from '../database/names.js';
import type { Queries } from '../database/queries.js';
import { inTransaction } from '../schema/transaction.js';
import { proofsBy, type WaitingRow, waitingAt } from '../seal/proofs.js';

/**
 * Rows of the outbox that the sequencer did not believe, and rows that are missing. Nothing is accepted until an operator has
 * looked at each: a row whose content is right again is released, and numbered; any other is dropped, which a signed record says.
 */
export interface QuarantinedEntry {
  /** `ob_…`, or `missing:<replica>:<n>`. */
  ref: string;
  kind: string | null;
  proposalId: string | null;
  replica: string;
  n: number;
  reason: string;
  foundAt: string | null;
  state: 'open' | 'dropped';
}

/** What `ref` of a row that is missing begins with. */
export const MISSING = 'missing:';

/** Of a row `q` of the table with the row `o` of the outbox: nobody has dealt with it, or a released row has come back. */
export const OPEN_QUARANTINE = `q.resolved_at IS NULL OR (q.resolution = 'released' AND o.seq = ${QUARANTINED})`;

/** Missing rows that are listed. */
const MOST_MISSING = 1000;

interface QuarantineRow {
  oid: string;
  reason: string;
  found_at: Date | null;
  resolution: 'released' | 'dropped' | null;
  open: boolean | null;
  kind: QuarantinedEntry['kind'];
  proposal_id: string | null;
  replica: string | null;
  n: string | null;
}

/** All that is or was in quarantine and was not released, oldest first, then what is missing. */
export async function listQuarantine(client: Queries): Promise<QuarantinedEntry[]> {
  const { rows } = await client.query<QuarantineRow>(
    `SELECT q.oid, q.reason, q.found_at, q.resolution, ${OPEN_QUARANTINE} AS open, o.kind, o.proposal_id,
       coalesce(o.replica, q.replica) AS replica, coalesce(o.n, q.n) AS n
     FROM ${SCHEMA}.quarantine q LEFT JOIN ${SCHEMA}.outbox o ON o.oid = q.oid ORDER BY q.found_at, q.oid`,
  );
  const found = rows
    .filter(({ open, resolution }) => open || resolution === 'dropped')
    .map(
      ({ oid, reason, found_at, open, kind, proposal_id, replica, n }): QuarantinedEntry => ({
        ref: oid,
        kind,
        proposalId: proposal_id,
        replica: replica ?? '',
        n: Number(n ?? 0),
        reason,
        foundAt: found_at instanceof Date ? found_at.toISOString() : null,
        state: open ? 'open' : 'dropped',
      }),
    );
  return [...found, ...(await missingEntries(client))];
}

/** Numbers that replicas gave and that no row has. */
async function missingEntries(client: Queries): Promise<QuarantinedEntry[]> {
  const { rows } = await client.query<{ id: string; n: string }>(
    `WITH short AS MATERIALIZED (
       SELECT r.id, r.n FROM ${SCHEMA}.replica r WHERE (SELECT count(*) FROM ${SCHEMA}.outbox o WHERE o.replica = r.id) < r.n)
     SELECT short.id, number AS n FROM short, generate_series(1, short.n) AS number
     WHERE NOT EXISTS (SELECT FROM ${SCHEMA}.outbox o WHERE o.replica = short.id AND o.n = number)
       AND NOT EXISTS (SELECT FROM ${SCHEMA}.quarantine q WHERE q.replica = short.id AND q.n = number AND q.resolution = 'dropped')
     ORDER BY short.id, number LIMIT ${MOST_MISSING}`,
  );
  return rows.map(({ id, n }) => ({
    ref: `${MISSING}${id}:${n}`,
    kind: null,
    proposalId: null,
    replica: id,
    n: Number(n),
    reason: 'the row is missing from the outbox',
    foundAt: null,
    state: 'open',
  }));
}

/** An entry with its content, as far as it is text; undefined when there is none. */
export async function showQuarantined(client: Queries, ref: string): Promise<(QuarantinedEntry & { content: string | null }) | undefined> {
  const entry = (await listQuarantine(client)).find((one) => one.ref === ref);
  if (entry === undefined) return undefined;
  const { rows } = await client.query<{ content: Buffer | null }>(`SELECT content FROM ${SCHEMA}.outbox WHERE oid = $1`, [ref]);
  const content = rows[0]?.content ?? null;
  return { ...entry, content: content === null ? null : content.toString() };
}

/**
 * Lets the sequencer number a row whose content is the signed one again, for example because it was restored.
 * @throws {RangeError} when there is no such row; {UnverifiedError} when its content is still not the signed one
 */
export async function release(pool: Pool, ref: string, { head }: Pick<DirectWriter, 'head'>): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ kind: 'decision' | 'result' | 'approval'; waiting: WaitingRow | null }>(
      `SELECT o.kind, ${waitingAt('o')} AS waiting FROM ${SCHEMA}.outbox o JOIN ${SCHEMA}.quarantine q ON q.oid = o.oid
       WHERE o.oid = $1 AND o.seq = ${QUARANTINED} AND q.resolution IS DISTINCT FROM 'dropped' FOR UPDATE OF o`,
      [ref],
    );
    const [row] = rows;
    if (row?.waiting == null) throw new RangeError(`The quarantine has no entry ${ref} that can be released.`);
    await (await proofsBy(head, client)).content(row.waiting, row.kind);
    await client.query(`UPDATE ${SCHEMA}.quarantine SET resolution = 'released', resolved_at = clock_timestamp() WHERE oid = $1`, [ref]);
    await client.query(`UPDATE ${SCHEMA}.outbox SET seq = NULL WHERE oid = $1`, [ref]);
  });
}

/**
 * Says in a signed record that an entry is never numbered. What it said stays in the outbox.
 * @throws {RangeError} when there is no such entry, or it is dropped already
 */
export async function drop(
  pool: Pool,
  ref: string,
  { time, operator, reason }: { time: string; operator: string; reason: string },
  direct: DirectWriter,
): Promise<Recorded> {
  return inTransaction(pool, async (client) => {
    const entry = await showQuarantined(client, ref);
    if (entry?.state !== 'open') throw new RangeError(`The quarantine has no open entry ${ref}.`);
    const { kind, proposalId, replica, n, content } = entry;
    const data = {
      action: 'quarantine.drop',
      operator,
      reason,
      ref,
      kind,
      proposal_id: proposalId,
      replica,
      n,
      content_digest: content === null ? null : `sha256:${sha256Hex(Buffer.from(content))}`,
    };
    const unit: AdminUnit = { kind: 'admin', type: 'admin_action', time, dev: false, reportedBy: operator, data };
    const recorded = await recordAct(client, unit, direct);
    await client.query(
      `INSERT INTO ${SCHEMA}.quarantine (oid, reason, replica, n, resolution, resolved_at) VALUES ($1, $2, $3, $4, 'dropped', clock_timestamp())
       ON CONFLICT (oid) DO UPDATE SET resolution = 'dropped', resolved_at = clock_timestamp()`,
      [ref, entry.reason, replica, n],
    );
    return recorded;
  });
}
