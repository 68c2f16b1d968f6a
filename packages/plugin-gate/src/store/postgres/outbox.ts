import { type KeyObject, verify } from 'node:crypto';
import { canonical, type JsonObject, sha256Hex } from '../../json/index.js';
import type { Signer } from '../../keys/index.js';
import type { ApprovalUnit, DecisionUnit, ResultUnit } from '../store.js';
import type { Origin } from '../unit-records.js';

/** What one row of the outbox says: a unit that was accepted, and what the replica that accepted it found. */
export interface OutboxContent {
  v: 1;
  /** `ob_` and a ULID: the reference that the caller was given. */
  oid: string;
  origin: Origin;
  unit: DecisionUnit | AcceptedResult | ApprovalUnit;
}

/** A result with what was ruled on it. */
export interface AcceptedResult extends Omit<ResultUnit, 'bodyDigest'> {
  assurance: 'adapter' | 'self';
  contradictsVerdict: boolean;
}

/** A row as it waits for its number. */
export interface PendingRow {
  id: number;
  oid: string;
  replica: string;
  n: number;
  /** Text of the content. */
  content: string;
  signature: string;
}

export function outboxText(content: OutboxContent): string {
  // Units hold plain data: their types say so member by member, and `canonical` refuses everything else.
  return canonical(content as unknown as JsonObject);
}

export function signOutbox(text: string, signer: Signer): string {
  return `${signer.keyId}.${signer.sign(signedText(text))}`;
}

/**
 * Reads a row that one of the keys has signed, and whose content is about this very row. Verifies on a thread of the pool.
 * @param keys of the chain that are not revoked, by `key_id`
 * @returns the content, or why it is not to be trusted
 */
export async function readOutbox(row: PendingRow, keys: ReadonlyMap<string, KeyObject>): Promise<OutboxContent | { bad: string }> {
  const [keyId = '', signature = ''] = row.signature.split('.');
  const key = keys.get(keyId);
  if (key === undefined) return { bad: 'it is signed by a key that is not, or no more, one of the chain' };
  if (!(await verifies(signedText(row.content), signature, key))) return { bad: 'its signature does not fit its content' };
  return contentOf(row);
}

/** The content of a row whose signature need not be checked again, or why it is not about this row. */
export function contentOf(row: Pick<PendingRow, 'oid' | 'replica' | 'n' | 'content'>): OutboxContent | { bad: string } {
  // A replica wrote this text by `outboxText`.
  const content = JSON.parse(row.content) as OutboxContent;
  if (content.v !== 1) return { bad: 'it is of a later version of this program' };
  const { oid, origin } = content;
  if (oid !== row.oid || origin.replica !== row.replica || origin.n !== row.n) return { bad: 'its content was signed for another row' };
  return content;
}

/** The first line keeps it from being taken for a signature of anything else. */
function signedText(content: string): string {
  return `svc-outbox/1\n${sha256Hex(content)}\n`;
}

function verifies(text: string, signature: string, key: KeyObject): Promise<boolean> {
  if (!/^[A-Za-z0-9_-]{86}$/.test(signature)) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'), (error, good) => (error ? reject(error) : resolve(good)));
  });
}
