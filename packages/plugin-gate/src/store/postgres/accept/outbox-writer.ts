import type { PoolClient } from 'pg';
import type { Draft } from '../../../evidence/index.js';
import type { Origin } from '../../rules/unit-records.js';
import { StoreError } from '../../store.js';
import { QUARANTINED, SCHEMA } from '../database/names.js';
import { asLines, columns, linesAt, type Queries } from '../database/queries.js';
import { FORMAT } from '../schema/additions.js';
import { signBatch } from '../seal/batch-signature.js';
import { type OutboxContent, outboxText } from '../seal/outbox.js';
import type { Acceptor } from './acceptance.js';

export const KEY_CHANGED = 'The evidence signing key is not the active key of the chain.';

/** What a transaction puts into the outbox, signed and counted. */
export interface OutboxWriter {
  /** @returns the reference of the row that will hold the unit */
  newOid(): string;
  put(oid: string, row: Pick<OutboxContent, 'kind' | 'proposal_id'>, drafts: (origin: Origin) => Draft[]): void;
  /** Writes the rows that were put, and moves the counter with them: a number without a row is one that was taken away. */
  write(): Promise<void>;
}

/**
 * Takes the counter of the replica, which another process with the same name then waits for.
 * @throws {StoreError} AG-EVD-001 if another key signs by now; AG-EVD-002 if writes are acknowledged too early; AG-EVD-004 without a counter
 */
export async function openOutbox(client: PoolClient, { replica, signer, chainId, newOid }: Acceptor): Promise<OutboxWriter> {
  const { rows } = await client.query<{ n: string; synchronous: string; key_id: string | null }>(
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

/**
 * Numbers of records by reference.
 * @param refs `ob_…`
 * @returns those that are known; 0 for one that waits, and for one in quarantine
 */
export async function numbersOf(client: Queries, refs: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await client.query<{ oid: string; seq: string | null }>(
    `SELECT oid, nullif(seq, ${QUARANTINED}) AS seq FROM ${SCHEMA}.outbox WHERE oid = ANY($1)`,
    [refs],
  );
  return new Map(rows.map(({ oid, seq }) => [oid, Number(seq ?? 0)]));
}
