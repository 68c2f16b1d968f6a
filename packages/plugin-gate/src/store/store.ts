import type { ApprovalState, StoredApproval } from '../approval/approval.js';
import type { ChainHead, RecordType, StoredRecord } from '../evidence/record.js';
import type { CanonicalText, JsonObject } from '../json/index.js';
import type { AdapterClass, ResultStatus } from '../proposal/proposal.js';
import type { ApprovalNeed, Decision, Verdict } from '../verdict/verdict.js';
import type { CheckState } from './rolling-check.js';

export type { ApprovalState, StoredApproval };

/**
 * Where evidence is kept. Two paths implement it: one SQLite file (`sqlite/`), and a PostgreSQL outbox with one sequencer at
 * any moment (`postgres/`). Every method that writes resolves only after its COMMIT has returned.
 * All of them throw `StoreError` when nothing was recorded, or, with its code `AG-EVD-009`, when that is not known.
 *
 * Who can write the storage, but has no key, must not change an answer. So `proposal`, `approval`, `approvals`, and the rules
 * of `report` and `settle`, use records only after verifying each (`recordVerifier`: header, number, type, digest of the data,
 * signature under the key that was active; of what is not numbered yet, the signature of its outbox row), and only if it names
 * the proposal or approval that was asked for. Approval records and results are found by what they say, so that a row that is
 * deleted from a table beside the chain hides none. `deriveApproval` makes the state of them. All else throws `UnverifiedError`.
 */
export interface EvidenceStore {
  readonly kind: 'sqlite' | 'postgres';
  /** Empty while there is no chain: without a key it cannot begin. */
  readonly chainId: string;

  /** Records a proposal and its verdict, and files the approval that it needs. Undefined: the id was used before. */
  decide(unit: DecisionUnit): Promise<Recorded | undefined>;
  /** Records what happened, or says why not. */
  report(unit: ResultUnit): Promise<ReportOutcome>;
  /** Records a decision of an approver, an expiry or a cancellation, if the approval is still in the state that the unit expects. False: it is not. */
  settle(unit: ApprovalUnit): Promise<Recorded | undefined>;
  /**
   * Records an administrative act or an event of a key. After a `key` record with the event `rotated` only its `key_id` signs: a
   * store that was opened with another key, here or in another process, records nothing more and says AG-EVD-001.
   */
  administer(unit: AdminUnit): Promise<Recorded>;
  /**
   * Takes data and salt out of a record, and records that it was done.
   * @throws {RangeError} when there is no such record, it is erased, or the chain cannot be read without it (genesis, key)
   */
  erase(seq: number, unit: AdminUnit): Promise<Recorded>;

  proposal(id: string): Promise<StoredProposal | undefined>;
  approval(id: string): Promise<StoredApproval | undefined>;
  /** Approvals in a state, or all, newest first. @param expiresBy of these only those whose time is over at that instant */
  approvals(state?: ApprovalState, expiresBy?: string): Promise<StoredApproval[]>;
  /** The record that a reference names: a decimal `seq`, or `ob_…`. `pending`: known, and not numbered yet. */
  record(ref: string): Promise<StoredRecord | 'pending' | undefined>;
  /** Records of a range, in the order of `seq`, from one snapshot. Both ends are inclusive. */
  records(range: { from: number; to: number; types?: readonly RecordType[] }): AsyncIterable<readonly StoredRecord[]>;
  head(): Promise<ChainHead | undefined>;
  status(): Promise<{ pending: number; oldestPendingMs: number | null }>;
  /** What is wrong with the store at this moment; empty when all is well. */
  problems(): readonly StoreProblem[];
  /**
   * Begins to compare all that is stored with the chain, on a thread, again and again until the store is closed. It takes
   * `CHECK_SHARE` of a processor. What does not match is one of `problems()`, AG-EVD-008. Absent: the store was not opened for a server.
   * @param pauseMs between the end of a pass and the next one
   */
  startCheck?(pauseMs: number): void;
  /** How the check stands; undefined before it has reported. */
  checkState?(): CheckState | undefined;
  /** Writes what was accepted, and ends. */
  close(): Promise<void>;
}

/** All that one request appends together. Texts are canonical JSON; the writer adds numbers, salts, hashes and signatures. */
export interface DecisionUnit {
  kind: 'decision';
  proposalId: string;
  /** RFC 3339 of the decision. */
  time: string;
  dev: boolean;
  reportedBy: string;
  /** The data of the `proposal` record. */
  proposal: ProposalData;
  /** The data of the `verdict` record without `proposal_seq`, which the writer adds. */
  verdict: VerdictData;
  /** Members of both that are written already; the store writes the others. */
  texts?: { readonly [member in 'proposal' | 'budget' | 'mandate' | 'verdict']?: CanonicalText };
  /** What to file with it. */
  approval?: { id: string; need: ApprovalNeed; shadow: boolean; expiresAt: string };
}

export interface ProposalData {
  /** Masked, as everything here. */
  proposal: JsonObject;
  budget: JsonObject | null;
  mandate: JsonObject | null;
  evaluated_at: string;
  adapter: { id: string; kind: string | null };
  class: AdapterClass;
}

export interface VerdictData {
  proposal_id: string;
  verdict: Verdict;
  enforced: boolean;
  effective_decision: Decision;
  /** Id of the approval. */
  approval: string | null;
}

export interface ResultUnit {
  kind: 'result';
  proposalId: string;
  time: string;
  dev: boolean;
  reportedBy: string;
  status: ResultStatus;
  /** Masked. */
  report: JsonObject;
  /** Of the raw body; kept beside the chain, so that the same report sent again is known. */
  bodyDigest: string;
}

export type ReportOutcome =
  | { kind: 'recorded'; recorded: Recorded; assurance: 'adapter' | 'self' }
  /** The very report that was recorded before: answered again. */
  | { kind: 'repeated'; recorded: Recorded; assurance: 'adapter' | 'self' }
  | { kind: 'unknown-proposal' }
  | { kind: 'other-adapter' }
  | { kind: 'already-final' };

export interface ApprovalUnit {
  kind: 'approval';
  approvalId: string;
  /** State that the approval must be in; else nothing is recorded. */
  expect: ApprovalState;
  /** How many decisions of approvers the caller has seen; when there are more, nothing is recorded: two that come at once are counted one after the other. */
  expectDecisions?: number;
  next: Exclude<ApprovalState, 'consumed'>;
  event: 'granted' | 'rejected' | 'expired' | 'cancelled';
  time: string;
  dev: boolean;
  reportedBy: string;
  approver: string | null;
  /** Null: unsigned. */
  approverSig: string | null;
  /** Raw public key of the signature, base64url; null: unsigned. */
  approverKey: string | null;
  /** Groups of the approver at this time, sorted; null without an approver. */
  approverGroups: readonly string[] | null;
  reason: string | null;
  /** When the grant lapses. */
  grantExpiresAt?: string;
}

export interface AdminUnit {
  kind: 'admin';
  type: 'admin_action' | 'key';
  time: string;
  dev: boolean;
  reportedBy: string;
  data: JsonObject;
  /** Hash of the head that the record must follow, because its data speaks of it; when the chain has gone on, nothing is recorded: AG-EVD-004. */
  expectHead?: string;
}

export interface Recorded {
  /** `evidence_ref`: names the verdict record of a decision, else the one record. */
  ref: string;
  /** First and last `seq`; `[0, 0]` while they are not numbered yet. */
  seq: readonly [number, number];
  time: string;
}

/** A decision with what has followed it. */
export interface StoredProposal {
  recorded: Recorded;
  reportedBy: string;
  dev: boolean;
  /** Null once it is erased. */
  proposal: ProposalData | null;
  /** Null once it is erased. */
  verdict: VerdictData | null;
  approval: StoredApproval | null;
  results: StoredResult[];
}

export interface StoreProblem {
  /** AG-EVD-008: tables beside the chain differ from the records; answers come from the records. */
  code: StoreError['code'] | 'AG-EVD-006' | 'AG-EVD-008';
  message: string;
  /** False: units are recorded all the same. Absent: nothing can be recorded. */
  blocks?: false;
}

export interface StoredResult {
  status: ResultStatus;
  assurance: 'adapter' | 'self';
  reportedBy: string;
  at: string;
  ref: string;
  contradictsVerdict: boolean;
}

/**
 * Nothing was recorded. `AG-EVD-001` no key, `AG-EVD-002` the store cannot be written or read, `AG-EVD-004` the chain cannot be
 * continued. The exception is `AG-EVD-009`: whether it was recorded is not known, and reading the proposal tells.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  constructor(
    readonly code: 'AG-EVD-001' | 'AG-EVD-002' | 'AG-EVD-004' | 'AG-EVD-009',
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** A record that an answer needs was changed, is missing, or belongs to something else. Nobody must act on it; all other answers go on. */
export class UnverifiedError extends StoreError {
  /** @param message for the operator: names numbers of records, never their data */
  constructor(message: string) {
    super('AG-EVD-004', message);
  }
}
