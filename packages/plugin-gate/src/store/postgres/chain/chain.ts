import type { PoolClient } from 'pg';
import type { ChainHead, StoredRecord } from '../../../evidence/index.js';
import { StoreError } from '../../store.js';
import { SCHEMA } from '../database/names.js';
import { asLines, linesAt } from '../database/queries.js';

/** The driver gives numbers of 64 bits as texts. */
interface HeadRow extends Omit<ChainHead, 'seq'> {
  seq: string;
}

/** What the table says of the head, which is not proven: see `followHead`. @returns undefined while there is no chain */
export async function readHeadRow(client: Pick<PoolClient, 'query'>): Promise<ChainHead | undefined> {
  const { rows } = await client.query<HeadRow>(`SELECT seq, hash, time, frontier FROM ${SCHEMA}.head`);
  const [row] = rows;
  return row && { seq: Number(row.seq), hash: row.hash, time: row.time, frontier: row.frontier };
}

/**
 * Inserts records that follow each other.
 * @param prevHash hash of the record before them
 * @param oids reference of the unit that each record is of, where it has one
 */
export async function insertRecords(
  client: PoolClient,
  prevHash: string,
  records: readonly StoredRecord[],
  oids?: readonly string[],
): Promise<void> {
  await client.query(
    `INSERT INTO ${SCHEMA}.evidence (seq, oid, type, prev_hash, hash, header, data, salt, sig)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], ${linesAt(6)}, ${linesAt(7)}, $8::text[], $9::text[])`,
    [
      records.map(({ seq }) => seq),
      records.map((_, index) => oids?.[index] ?? null),
      records.map(({ type }) => type),
      records.map((_, index) => records[index - 1]?.hash ?? prevHash),
      records.map(({ hash }) => hash),
      asLines(records.map(({ header }) => header)),
      asLines(records.map(({ data }) => data ?? '')),
      records.map(({ salt }) => salt),
      records.map(({ sig }) => sig),
    ],
  );
}

/**
 * Moves the head from where it was read to where it is now.
 * @param keyId of the key that signs what comes next
 * @throws {StoreError} AG-EVD-002 when it is somewhere else by now: somebody else continues the chain
 */
export async function moveHead(client: PoolClient, from: ChainHead, to: ChainHead, keyId: string): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE ${SCHEMA}.head SET seq = $2, hash = $3, time = $4, frontier = $5, key_id = $6 WHERE seq = $1`,
    [from.seq, to.seq, to.hash, to.time, to.frontier, keyId],
  );
  if (rowCount !== 1) throw new StoreError('AG-EVD-002', 'Another server has continued the chain.');
}
