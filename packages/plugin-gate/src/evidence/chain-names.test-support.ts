import type { Json } from '../json/index.js';
import type { Signer } from '../keys/index.js';
import type { ChainHead, RecordType, StoredRecord } from './record.js';

/** What chains for tests are called, and what their decisions are bound to. */
export const CHAIN_ID = '00000000-0000-4000-8000-000000000000';
export const BUNDLE_DIGEST = `sha256:${'ab'.repeat(32)}`;
export const INPUT_DIGEST = `sha256:${'cd'.repeat(32)}`;

export interface TestChain {
  records: StoredRecord[];
  head: ChainHead;
  append(type: RecordType, data: { [member: string]: Json }, options?: { reportedBy?: string; dev?: boolean }): StoredRecord;
  /** A proposal with its verdict; answers the number of the verdict. */
  decide(id: string, options?: DecideOptions): number;
  /** The time of the next record. */
  now(): string;
  report(id: string, verdictSeq: number, contradicts?: boolean): StoredRecord;
  rotate(to: Signer): void;
  erase(seq: number): void;
}

export interface DecideOptions {
  decision?: string;
  enforced?: boolean;
  resource?: string;
  replica?: string;
  n?: number;
  /** What the approval `apr_<id>` needs. */
  need?: { [member: string]: Json };
  principal?: string;
}
