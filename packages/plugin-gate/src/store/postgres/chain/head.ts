import { plural } from '@bylaw/core/plural';
import type { PoolClient } from 'pg';
import { appendLeaf, type ChainHead, readHeader, recordHash, signedText } from '../../../evidence/index.js';
import { verifySignature } from '../../../keys/index.js';
import { StoreError } from '../../store.js';
import { SCHEMA } from '../database/names.js';
import { type ChainKeys, keyAt, readKeys } from './chain-keys.js';

/** Where the chain stands, and its keys. */
export interface StoredHead extends ChainHead {
  chainId: string;
  /** Of the key that signs what comes next. */
  keyId: string;
  keys: ChainKeys;
  /** Of what may be written: the version of the tables. */
  format: number;
}

/** Follows the head of a chain, which others move as well. */
export interface HeadFollower {
  /**
   * Reads the head, and compares it with the chain and with what was seen before. The role of the service can write the table,
   * so its word counts only as far as a signed record proves it.
   * @returns undefined while there is no chain
   * @throws {StoreError} AG-EVD-004 when the chain must not be continued from there
   */
  read(client: Pick<PoolClient, 'query'>): Promise<StoredHead | undefined>;
  /** As it was last seen. */
  seen(): StoredHead | undefined;
  /** The head was moved here. */
  moved(head: StoredHead): void;
  /** Why the chain is not the one that was seen. It stays: what was answered is forgotten, whatever comes later. */
  lost(): StoreError | undefined;
}

export function followHead(): HeadFollower {
  let seen: StoredHead | undefined;
  let lost: StoreError | undefined;
  const moved = (head: StoredHead) => {
    if (seen === undefined || head.seq >= seen.seq) seen = head;
  };
  return {
    async read(client) {
      if (lost !== undefined) throw lost;
      // What is seen meanwhile may be newer than the answer.
      const before = seen;
      const row = await readRow(client, before);
      if (row === undefined && before === undefined) return undefined;
      lost = before && lossOf(row, before);
      if (lost !== undefined) throw lost;
      if (row === undefined) return undefined;
      if (before !== undefined && isSame(row, before)) return before;
      const head = await proven(client, row, before);
      moved(head);
      return head;
    },
    seen: () => seen,
    moved,
    lost: () => lost,
  };
}

interface HeadRow extends ChainHead {
  chainId: string;
  keyId: string;
  format: number;
  /** The record of that number. */
  last: { type: string; header: string; hash: string; sig: string } | undefined;
  /** Hash of the record that was the head when it was seen before. */
  there: string | null;
  /** Keys were added since. */
  newKeys: boolean;
}

/** The driver gives numbers of 64 bits as texts. Without a last record its columns are null. */
type HeadColumns = {
  chain_id: string;
  seq: string;
  hash: string;
  time: string;
  frontier: string[];
  key_id: string;
  format: number | null;
  there: string | null;
  new_keys: boolean;
} & ({ type: string; header: string; last_hash: string; sig: string } | { type: null; header: null; last_hash: null; sig: null });

async function readRow(client: Pick<PoolClient, 'query'>, before: StoredHead | undefined): Promise<HeadRow | undefined> {
  const { rows } = await client.query<HeadColumns>(
    `SELECT head.chain_id, head.seq, head.hash, head.time, head.frontier, head.key_id, (SELECT max(version) FROM ${SCHEMA}.migration) AS format,
       last.type, last.header, last.hash AS last_hash, last.sig,
       (SELECT hash FROM ${SCHEMA}.evidence WHERE seq = $1::bigint) AS there,
       EXISTS (SELECT FROM ${SCHEMA}.evidence WHERE type = 'key' AND seq > $2::bigint AND seq <= head.seq) AS new_keys
     FROM ${SCHEMA}.head LEFT JOIN ${SCHEMA}.evidence last ON last.seq = head.seq`,
    [before?.seq ?? null, before?.keys.upTo ?? 0],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { chain_id, seq, hash, time, frontier, key_id, format, type, header, last_hash, sig, there, new_keys } = row;
  const last = header === null ? undefined : { type, header, hash: last_hash, sig };
  return {
    chainId: chain_id,
    seq: Number(seq),
    hash,
    time,
    frontier,
    keyId: key_id,
    format: Number(format),
    last,
    there,
    newKeys: new_keys,
  };
}

function lossOf(row: HeadRow | undefined, before: StoredHead): StoreError | undefined {
  const size = row === undefined ? 0 : row.seq + 1;
  if (size <= before.seq) return unsound(`The chain had ${plural(before.seq + 1, 'record')} and now has ${size}: records are missing.`);
  if (row?.there !== before.hash)
    return unsound(`Record ${before.seq} is not the record that this server has seen. The database was replaced, for example by a backup.`);
  return undefined;
}

function isSame(row: HeadRow, before: StoredHead): boolean {
  const moved = row.seq !== before.seq || row.frontier.join() !== before.frontier.join();
  return !moved && row.keyId === before.keyId && row.time === before.time && row.format === before.format;
}

async function proven(client: Pick<PoolClient, 'query'>, row: HeadRow, before: StoredHead | undefined): Promise<StoredHead> {
  const keys = before === undefined || row.newKeys ? await readKeys(client, row.seq, before?.keys) : before.keys;
  if (keys.chainId !== row.chainId || keys.reigns.at(-1)?.keyId !== row.keyId || !isSignedHead(row, keys))
    throw unsound('The head of the chain is not its last record.');
  if (!isFrontierOf(row) || (before !== undefined && (await frontierAfter(client, before, row.seq)).join() !== row.frontier.join()))
    throw unsound('The tree of the head does not match the records.');
  const { chainId, seq, hash, time, frontier, keyId, format } = row;
  return { chainId, seq, hash, time, frontier, keyId, format, keys };
}

/** The record is signed, and it names the hash of the record before it: so one signature proves all that come before. */
function isSignedHead({ seq, hash, time, last }: HeadRow, keys: ChainKeys): boolean {
  const key = keyAt(keys, seq);
  if (last === undefined || key === undefined || last.hash !== hash || recordHash(last.header) !== hash) return false;
  if (!verifySignature(signedText(hash), last.sig, key.key)) return false;
  const header = readHeader(last);
  return header.seq === seq && header.type === last.type && header.key_id === key.keyId && header.time === time;
}

/** A frontier has one hash for each bit of the number of leaves. */
function isFrontierOf({ seq, frontier }: ChainHead): boolean {
  return frontier.length === [...(seq + 1).toString(2)].filter((bit) => bit === '1').length;
}

/** Hashes that are read at one time. */
const PART_HASHES = 10_000;

async function frontierAfter(client: Pick<PoolClient, 'query'>, before: ChainHead, last: number): Promise<readonly string[]> {
  let { frontier } = before;
  for (let size = before.seq + 1; size <= last; ) {
    const { rows } = await client.query<{ hash: string }>(
      `SELECT hash FROM ${SCHEMA}.evidence WHERE seq >= $1 AND seq <= $2 ORDER BY seq LIMIT ${PART_HASHES}`,
      [size, last],
    );
    if (rows.length === 0) throw unsound('Records of the chain are missing.');
    for (const { hash } of rows) frontier = appendLeaf(size++, frontier, hash);
  }
  return frontier;
}

function unsound(message: string): StoreError {
  return new StoreError('AG-EVD-004', message);
}
