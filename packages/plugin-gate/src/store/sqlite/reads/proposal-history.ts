import type { StoredApproval } from '../../../approval/index.js';
import type { VerifiedRecord } from '../../verify/record-verifier.js';

/** Sentences, each about one thing that a table says and the records do not. */
export type Mismatches = string[];

/** A proposal as its records say, each of them verified. */
export interface History {
  id: string;
  proposal: VerifiedRecord;
  verdict: VerifiedRecord;
  approval: StoredApproval | null;
  /** Whether a decision on the approval, or a result, was erased. */
  erased: boolean;
  /** In the order of the chain. */
  results: HistoryResult[];
  /** Whether a row of a result has no record. No result can then be filed beside it. */
  strayResult: boolean;
  /** What the tables beside the chain say otherwise. */
  mismatches: Mismatches;
}

export interface HistoryResult {
  record: VerifiedRecord;
  /** As recorded; of an erased one as the table says, which nothing proves any more. */
  status: string;
  contradictsVerdict: boolean;
  /** Beside the chain only. */
  bodyDigest: string | null;
}
