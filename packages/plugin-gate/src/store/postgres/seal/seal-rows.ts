import type { KeyObject } from 'node:crypto';
import { type ChainHead, type Draft, type StoredRecord, sealRecords } from '../../../evidence/index.js';
import { publicKeyOf, type Signer } from '../../../keys/index.js';
import { signatureCheck } from './batch-signature.js';
import { numberedDrafts, type OutboxContent, type PendingRow, readOutbox } from './outbox.js';

/** Rows that wait, and the head that they are to follow. Plain data: it may go to another thread. */
export interface RowsToSeal {
  rows: readonly (PendingRow & {
    /** Of a result: number of the verdict that it speaks of; null when that does not have one yet. */
    verdictSeq: number | null;
  })[];
  head: ChainHead;
  chainId: string;
  /** Of what may be written: from 2 on rows say which chain they are for. */
  format: number;
  /** Public keys of the chain that are not revoked, by `key_id`. */
  keys: ReadonlyMap<string, string>;
}

export interface SealedRows {
  records: StoredRecord[];
  /** Reference of the row that each record is of. */
  oids: string[];
  /** Where the chain then stands. */
  head: ChainHead;
  /** Rows that have become records, with the number that their reference names. */
  numbered: { id: number; oid: string; seq: number }[];
  /** Rows that are not to be trusted, and why. */
  bad: { id: number; oid: string; reason: string }[];
}

/** Seals rows on this thread or another one. */
export interface Sealing {
  /** Resolves when `seal` can begin at once: nobody should wait for that while he holds the lock of the chain. */
  ready(): Promise<void>;
  seal(request: RowsToSeal): Promise<SealedRows>;
  close(): Promise<void>;
}

export function sealHere(signer: Signer, salt: () => Uint8Array): Sealing {
  return { ready: async () => {}, seal: (request) => sealRows(request, signer, salt), close: async () => {} };
}

/** Verifies rows, and makes of them the next records of the chain. Pure: nothing is kept, and nothing written. */
export async function sealRows(
  { rows, head, chainId, format, keys }: RowsToSeal,
  signer: Signer,
  salt: () => Uint8Array,
): Promise<SealedRows> {
  const known = new Map([...keys].map(([id, publicKey]) => [id, keyOf(publicKey)]));
  const check = signatureCheck(known);
  const contents = await Promise.all(rows.map((row) => readOutbox(row, check)));
  const made: Pick<SealedRows, 'oids' | 'numbered' | 'bad'> = { oids: [], numbered: [], bad: [] };
  const drafts: Draft[] = [];
  // One key may sign for two chains, and nobody may carry a row from one to the other.
  const strangeness = ({ chain_id: named }: OutboxContent) =>
    named === chainId || (named === undefined && format === 1) ? undefined : 'it was signed for another chain';
  const verdicts = new Map<string, number>();
  rows.forEach((row, index) => {
    const { id, oid } = row;
    const content = contents[index] ?? { bad: 'it was not read' };
    const bad = 'bad' in content ? content.bad : strangeness(content);
    if ('bad' in content || bad !== undefined) {
      made.bad.push({ id, oid, reason: bad ?? '' });
      return;
    }
    const verdict = content.kind === 'result' ? verdictOf(content, row.verdictSeq, verdicts) : 0;
    if (verdict === undefined) {
      made.bad.push({ id, oid, reason: 'its decision is not in the chain' });
      return;
    }
    const first = head.seq + 1 + drafts.length;
    const seq = content.kind === 'decision' ? first + 1 : first;
    const own = numberedDrafts(content, first, verdict);
    if (content.kind === 'decision' && content.proposal_id !== null) verdicts.set(content.proposal_id, seq);
    made.numbered.push({ id, oid, seq });
    for (const draft of own) {
      drafts.push(draft);
      made.oids.push(oid);
    }
  });
  if (drafts.length === 0) return { records: [], head, ...made };
  return { ...sealRecords(head, drafts, signer, salt), ...made };
}

/** @returns undefined where there is none: its decision is in quarantine, and has no number */
function verdictOf({ proposal_id: id }: OutboxContent, before: number | null, here: ReadonlyMap<string, number>): number | undefined {
  return (id === null ? undefined : here.get(id)) ?? before ?? undefined;
}

const parsed = new Map<string, KeyObject>();

/** A chain has few keys, and each is needed for every row. */
export function keyOf(publicKey: string): KeyObject {
  const key = parsed.get(publicKey) ?? publicKeyOf(publicKey);
  if (parsed.size < 100) parsed.set(publicKey, key);
  return key;
}
