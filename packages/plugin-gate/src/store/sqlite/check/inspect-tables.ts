import type { DatabaseSync } from 'node:sqlite';
import { UnverifiedError } from '../../store.js';
import { type ApproverGroups, groupsOf } from '../../store-options.js';
import { trustingVerifier } from '../../verify/record-verifier.js';
import { APPROVAL_OF, historyReader, PROPOSAL_OF } from '../reads/history.js';

/** Faults that are listed. */
const MOST_FAULTS = 20;

/** Rows and records that have no counterpart, with a message about each. */
const STRAYS = [
  [
    'SELECT id FROM approval WHERE id NOT IN (SELECT approval_id FROM proposal WHERE approval_id IS NOT NULL)',
    'approval %: no decision asks for it',
  ],
  [
    'SELECT approval_id AS id FROM approval_event WHERE approval_id NOT IN (SELECT id FROM approval)',
    'approval %: it has events and no row',
  ],
  [
    'SELECT seq AS id FROM result WHERE proposal_id NOT IN (SELECT id FROM proposal)',
    'record %: its result is filed for an unknown proposal',
  ],
  [
    `SELECT seq AS id FROM record WHERE type = 'result' AND ${PROPOSAL_OF} NOT IN (SELECT id FROM proposal)`,
    'record %: its result belongs to an unknown proposal',
  ],
  [
    `SELECT seq AS id FROM record WHERE type = 'approval' AND ${APPROVAL_OF} NOT IN (SELECT id FROM approval)`,
    'record %: its approval is missing in the table',
  ],
] as const;

/**
 * Compares every row beside the chain with its records: identifiers, reporters, decisions, results, and approvals. The chain must
 * have been followed before: records are taken as they are.
 */
export function tableFaults(db: DatabaseSync, chainId: string, approvers: readonly ApproverGroups[] | undefined): string[] {
  const histories = historyReader(db, { verifier: trustingVerifier(chainId), groupsOf: groupsOf(approvers) });
  const faults: string[] = [];
  let more = 0;
  const add = (fault: string) => (faults.length < MOST_FAULTS ? faults.push(fault) : more++);
  for (const { id } of db.prepare('SELECT id FROM proposal ORDER BY verdict_seq').iterate()) {
    try {
      for (const mismatch of histories.ofProposal(String(id))?.mismatches ?? []) add(mismatch);
    } catch (error) {
      if (!(error instanceof UnverifiedError)) throw error;
      add(error.message);
    }
  }
  for (const fault of strayFaults(db)) add(fault);
  return more === 0 ? faults : [...faults, `and ${more} more`];
}

/** Rows and records without a counterpart, one sentence each. */
export function* strayFaults(db: DatabaseSync): Generator<string> {
  for (const [sql, text] of STRAYS) for (const { id } of db.prepare(sql).iterate()) yield text.replace('%', String(id));
}
