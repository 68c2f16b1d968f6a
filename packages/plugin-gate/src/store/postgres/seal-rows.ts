import type { KeyObject } from 'node:crypto';
import { type ChainHead, type Draft, type StoredRecord, sealRecords } from '../../evidence/index.js';
import { publicKeyOf, type Signer } from '../../keys/index.js';
import { signatureCheck } from './batch-signature.js';
import { numberedDrafts, type OutboxContent, type PendingRow, readOutbox } from './outbox.js';

/** Rows that wait, and the head that they are to follow. Plain data: it may go to another thread. */
export interface RowsToSeal {
  rows: readonly (PendingRow & {
    /** Of a result: number of the verdict that it speaks of; null when that has none yet. */
    verdictSeq: number | null;
  })[];
  head: ChainHead;
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
export async function sealRows({ rows, head, keys }: RowsToSeal, signer: Signer, salt: () => Uint8Array): Promise<SealedRows> {
  const known = new Map([...keys].map(([id, publicKey]) => [id, keyOf(publicKey)]));
  const check = signatureCheck(known);
  const contents = await Promise.all(rows.map((row) => readOutbox(row, check)));
  const made: Pick<SealedRows, 'oids' | 'numbered' | 'bad'> = { oids: [], numbered: [], bad: [] };
  const drafts: Draft[] = [];
  const verdicts = new Map<string, number>();
  rows.forEach((row, index) => {
    const content = contents[index] ?? { bad: 'it was not read' };
    const { id, oid } = row;
    if ('bad' in content) {
      made.bad.push({ id, oid, reason: content.bad });
      return;
    }
    const first = head.seq + 1 + drafts.length;
    const seq = content.kind === 'decision' ? first + 1 : first;
    const own = numberedDrafts(content, first, verdictOf(content, row.verdictSeq, verdicts));
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

/** 0, the genesis record, where there is none: its decision is in quarantine, and has no number. */
function verdictOf({ proposal_id: id }: OutboxContent, before: number | null, here: ReadonlyMap<string, number>): number {
  return (id === null ? undefined : here.get(id)) ?? before ?? 0;
}

const parsed = new Map<string, KeyObject>();

/** A chain has few keys, and each is needed for every row. */
export function keyOf(publicKey: string): KeyObject {
  const key = parsed.get(publicKey) ?? publicKeyOf(publicKey);
  if (parsed.size < 100) parsed.set(publicKey, key);
  return key;
}
