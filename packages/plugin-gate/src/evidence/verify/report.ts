import type { Fault } from '../format/index.js';
import type { RecordType } from '../record.js';

/** What a verification found. The Python verifier writes the same members with the same values. */
export type VerifyReport = ReadableReport | UnusableReport;

export interface UnusableReport {
  result: 'unusable';
  exit: 2;
  reason: string;
}

export interface ReadableReport {
  result: 'ok' | 'failed';
  exit: 0 | 1;
  /** Null when genesis is not in the range. */
  chain_id: string | null;
  range: { from: number; to: number; records: number; first_prev_hash: string; last_hash: string };
  /** Of the tree over the range, hex; null unless it begins with genesis. */
  root: string | null;
  /** Whether a checkpoint or a proof names what is in the range. */
  anchored: boolean;
  /** Last record that is anchored. */
  anchored_to: number | null;
  checkpoints: { file: string; size: number; status: CheckpointStatus }[];
  /**
   * Whether the range goes as far as the chain is known to go: to the last record that an OSCAL document states, or to a
   * checkpoint. An erasure is explained by a later record, so only then does an unexplained one fail.
   */
  reaches_end: boolean;
  /** Keys in the order in which they came into force; `to` is the last record of each in the range, and before `from` when there is none. */
  keys: { key_id: string; from: number; to: number; dev: boolean }[];
  /** What a stolen key could have written, says its owner. */
  revoked: { key_id: string; from: number; to: number | null; reason: string }[];
  records_by_type: { [T in RecordType]?: number };
  dev_records: number;
  erased_records: number;
  /** All erased records that no later act in the range names. */
  unexplained_erasures: number[];
  /** All faults of version 0.1.0 that the format mark of the chain lists. They do not fail. */
  known_faults: Fault[];
  /** Results that contradict their verdict: the action ran although it was not allowed. */
  contradictions: number;
  /**
   * Decisions of approvers. `signed`: the signature was checked under the recorded key, or the one in the list of approvers;
   * `unchecked`: there is a signature, but no key, or its request or the identifier of the chain is not in the range.
   */
  approver_decisions: { signed: number; unsigned: number; unchecked: number };
  /** Digests of the policy bundles that decided, sorted. */
  bundles: string[];
  failure_count: number;
  /** The first 100. */
  failures: Failure[];
}

/** `matches`: the records are those that the checkpoint counts. `outside`: the range does not reach it. */
export type CheckpointStatus = 'matches' | 'mismatch' | 'not-signed' | 'outside';

export interface Failure {
  code: FailureCode;
  file: string;
  /** Of a jsonl file, or of the records within a document; the row of a csv file. From 1. */
  line: number | null;
  seq: number | null;
  message: string;
}

/** Every way in which evidence can fail, and what it means. */
export const FAILURES = {
  malformed: 'The line is not an evidence record. The lines after it were not read.',
  sequence: 'The number of the record does not follow the number of the previous record.',
  data: 'The data does not match its hash.',
  hash: 'The hash does not match the header.',
  link: 'The link to the previous record is broken.',
  'key-id': 'The record names a key that is not active.',
  signature: 'The signature does not verify.',
  'pinned-key': 'The given key is not active at the start of the range, and the range does not introduce it.',
  genesis: 'The first record of a chain must be a complete genesis record, and no other record may be one.',
  'key-record': 'The key record is malformed, or the new key did not sign it.',
  'dev-key': 'The key is a development key. Its evidence proves nothing, and is accepted only with --allow-dev.',
  'verdict-order': 'Every verdict must follow its proposal, and every proposal must be followed by its verdict.',
  'second-verdict': 'The proposal already has a verdict.',
  'result-verdict': 'The result does not belong to an earlier verdict.',
  'second-final': 'The proposal already has a final result, and the format mark of the chain does not list this one.',
  'unexplained-erasure':
    'The data of the record was removed, and no later record in the range says so. If the chain continues after the range, verify it up to its last record.',
  'approval-request': 'The approval does not follow from the verdict before it, its request is incomplete, or it was never requested.',
  'approval-state':
    'The state of the approval does not follow from its records, or an action ran without a grant and the result does not say so.',
  'approval-signature': 'The key of the approver does not match the signature of the decision.',
  approver: 'The approver, or the key that signed, is not in the list of approvers.',
  'approver-groups': 'The decision counts for a group that the list of approvers does not give to this approver.',
  'approver-unsigned': 'No approver signed the decision.',
  'four-eyes': 'The approver is the principal or the agent of the proposal.',
  format: 'The record states a format that does not fit the chain.',
  origin: 'The numbers of a replica have a gap: an entry was removed before it was numbered.',
  row: 'The cells of the row do not match its record.',
  document: 'The document does not match the records in it.',
  checkpoint: 'The records do not match the checkpoint: the chain was rewritten, or this is a different chain.',
  'checkpoint-signature': 'The checkpoint is not signed by a key of this chain.',
  'checkpoint-outside':
    'The range does not extend from the first record to the checkpoint, or does not contain the record of the proof. Records may be missing. If you verify only a part of the chain, pass --partial.',
  'not-anchored': 'No checkpoint or proof anchors the range, and --require-anchor is set.',
} as const;

export type FailureCode = keyof typeof FAILURES;

/** Failures that a report lists. */
export const MAX_FAILURES = 100;
