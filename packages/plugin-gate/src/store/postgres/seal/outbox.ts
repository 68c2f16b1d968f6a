import type { Draft } from '../../../evidence/index.js';
import { canonical, type JsonObject } from '../../../json/index.js';
import type { Origin } from '../../rules/unit-records.js';
import type { SignatureCheck } from './batch-signature.js';

/**
 * What one row of the outbox says. The data of its records are texts that the replica has written once: a sequencer, of which
 * only one works at a time, puts numbers into them and has nothing else to write.
 */
export interface OutboxContent {
  v: 1;
  /** `ob_` and a ULID: the reference that the caller was given. */
  oid: string;
  /** The chain that it is for. Absent: written by a program of format 1. */
  chain_id?: string;
  origin: Origin;
  kind: 'decision' | 'result' | 'approval';
  /** Of decisions and results. */
  proposal_id: string | null;
  /** In their order, with 0 where a number goes that is not known yet. */
  drafts: readonly Draft[];
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
  // Plain data: the type says so member by member, and `canonical` refuses everything else.
  return canonical(content as unknown as JsonObject);
}

/**
 * Reads a row that one of the keys of the chain has signed, and whose content is about this very row.
 * @returns the content, or why it is not to be trusted
 */
export async function readOutbox(row: PendingRow, check: SignatureCheck): Promise<OutboxContent | { bad: string }> {
  const bad = await check(row.content, row.signature);
  if (bad !== undefined) return { bad };
  // A replica wrote this text by `outboxText`.
  const content = JSON.parse(row.content) as OutboxContent;
  if (content.v !== 1) return { bad: 'it was written by a later version of this program' };
  const { oid, origin } = content;
  if (oid !== row.oid || origin.replica !== row.replica || origin.n !== row.n) return { bad: 'its content was signed for another row' };
  return content;
}

/**
 * The records of a row with their numbers.
 * @param first number that the first of them gets
 * @param verdictSeq number of the verdict that a result speaks of
 */
export function numberedDrafts({ kind, drafts }: OutboxContent, first: number, verdictSeq: number): Draft[] {
  return drafts.map((draft) => {
    if (kind === 'decision' && draft.type === 'verdict') return { ...draft, data: withProposalSeq(draft.data, first) };
    if (kind === 'result') return { ...draft, data: withVerdictSeq(draft.data, verdictSeq) };
    return draft;
  });
}

/** Canonical texts have their members in the order of their names: only ids and a decision, without quotes, come before this one. */
function withProposalSeq(text: string, seq: number): string {
  return spliced(text, text.indexOf(PROPOSAL_SEQ), PROPOSAL_SEQ, seq);
}

/** It is the last member. One of the same name in the report comes before it. */
function withVerdictSeq(text: string, seq: number): string {
  return spliced(text, text.lastIndexOf(VERDICT_SEQ), VERDICT_SEQ, seq);
}

const PROPOSAL_SEQ = '"proposal_seq":0';
const VERDICT_SEQ = '"verdict_seq":0';

function spliced(text: string, at: number, member: string, seq: number): string {
  if (at < 0) throw new RangeError('The data of a record has no place for the sequence number.');
  const end = at + member.length;
  return text.slice(0, end - 1) + seq + text.slice(end);
}
