import type { DatabaseSync } from 'node:sqlite';
import { digestRecords, MOST_FAULTS, proposalIdIn, STEP_RECORDS } from '../../check/check-step.js';
import type { CheckPass, PassProgress } from '../../rolling-check.js';
import { UnverifiedError } from '../../store.js';
import { type ApproverGroups, groupsOf } from '../../store-options.js';
import { trustingVerifier } from '../../verify/record-verifier.js';
import { beginWalk, walkOn } from '../../verify/walk.js';
import { failureOf } from '../file/failure.js';
import { headReader, type StoredHead } from '../file/head.js';
import { type Histories, historyReader } from '../reads/history.js';
import { readPart } from '../reads/range.js';
import { chainIdOf } from '../writes/genesis.js';
import { headFaults, idFaults } from './inspect.js';
import { strayFaults } from './inspect-tables.js';

/**
 * Follows the chain as `store doctor` does, a few records at a time: numbers, links and digests, and for each decision that its id is
 * used and the tables say what its records say. Each step reads one short snapshot, so the writer can empty its log in between.
 * It ends with the record that was the last one when it began: a busy writer is always ahead.
 * @param verified digests of steps whose signatures have been verified, by their first record: the next pass only compares them
 */
export function beginPass(db: DatabaseSync, approvers: readonly ApproverGroups[] | undefined, verified: Map<number, string>): CheckPass {
  const readHead = headReader(db);
  const findIds = db.prepare('SELECT id FROM proposal WHERE verdict_seq IN (SELECT value FROM json_each(?))');
  const histories = historyReader(db, { verifier: trustingVerifier(chainIdOf(db)), groupsOf: groupsOf(approvers) });
  const walk = beginWalk();
  const faults: string[] = [];
  /** Numbers of verdicts that no longer say whose they are. */
  const erased: number[] = [];
  let head: StoredHead | undefined;
  let next = 0;

  const step = (): PassProgress => {
    if (next === 0) head = readHead();
    const end = head?.seq ?? -1;
    const { records } = readPart(db, { from: next, to: Math.min(end, next + STEP_RECORDS - 1) });
    const digest = digestRecords(records);
    const signatures = verified.get(next) !== digest;
    const before = walk.faults.length;
    for (const record of records) {
      walkOn(walk, record, { signatures });
      if (record.type !== 'verdict') continue;
      if (record.data === null) erased.push(record.seq);
      else faults.push(...decisionFaults(record.seq, proposalIdIn(record.data), histories));
    }
    if (walk.faults.length === before) verified.set(next, digest);
    // A part may end early; numbers that are missing are passed over, and said by the walk.
    next = (records.at(-1)?.seq ?? Math.min(end, next + STEP_RECORDS - 1)) + 1;
    const done = next > end;
    if (done) {
      faults.push(...headFaults(head, walk), ...idFaults(db, walk, end + 1), ...strayFaults(db));
      for (const { id } of findIds.all(JSON.stringify(erased))) faults.push(...decisionFaults(undefined, String(id), histories));
    }
    return { checked: next, records: end + 1, faults: [...walk.faults, ...faults].slice(0, MOST_FAULTS), done };
  };
  return {
    step: () => {
      db.exec('BEGIN');
      try {
        return step();
      } catch (error) {
        const failure = failureOf(error);
        if (failure.code !== 'AG-EVD-004') throw error;
        return { checked: next, records: next, faults: [...walk.faults, ...faults, failure.message].slice(0, MOST_FAULTS), done: true };
      } finally {
        db.exec('COMMIT');
      }
    },
  };
}

/** @param seq of the verdict, where it says itself whose it is */
function decisionFaults(seq: number | undefined, id: string | undefined, histories: Histories): readonly string[] {
  if (id === undefined) return [];
  try {
    const history = histories.ofProposal(id);
    if (history === undefined) return [`record ${seq}: the id of its proposal is not in the table of used ids`];
    const decidedIn = history.verdict.record.seq;
    if (seq !== undefined && decidedIn !== seq) return [`record ${seq}: its proposal was decided in record ${decidedIn}`];
    return history.mismatches;
  } catch (error) {
    if (error instanceof UnverifiedError) return [error.message];
    throw error;
  }
}
