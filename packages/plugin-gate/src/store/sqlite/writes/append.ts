import type { DatabaseSync } from 'node:sqlite';
import { type ChainHead, type StoredRecord, sealRecords } from '../../../evidence/index.js';
import type { JsonObject } from '../../../json/index.js';
import type { Signer } from '../../../keys/index.js';
import { StoreError, UnverifiedError } from '../../store.js';
import { type ApproverGroups, groupsOf } from '../../store-options.js';
import { recordVerifier } from '../../verify/record-verifier.js';
import { beginWriting } from '../file/begin.js';
import { type Failure, failureOf } from '../file/failure.js';
import { headReader, headWriter, type StoredHead } from '../file/head.js';
import { type Batch, RefusedUnit, unitApplier } from './apply-unit.js';
import type { Outcomes, Unit } from './unit.js';

export type Answer = { outcome: Outcomes[keyof Outcomes] } | { failure: Failure };

/** Where a process may die. Each is told after it has happened, but for those named `before`. */
export const APPEND_STEPS = ['before-begin', 'begin', 'record', 'unit', 'head', 'before-commit', 'commit'] as const;
export type AppendStep = (typeof APPEND_STEPS)[number];

export interface AppendOptions {
  db: DatabaseSync;
  /** Undefined: there is no key, and nothing can be recorded. */
  signer: Signer | undefined;
  /** Gives 16 fresh random bytes at each call. */
  salt: () => Uint8Array;
  onStep?: (step: AppendStep) => void;
  /** See `StoreOptions`. */
  approvers?: readonly ApproverGroups[] | undefined;
}

/**
 * @returns what records units, in their order, in one transaction with one sync. When it returns, all units that have an
 *   outcome are on the disk; after a crash in it all of them are, or none is. A unit with a failure has left nothing.
 */
export function appender(options: AppendOptions): (units: readonly Unit[]) => Answer[] {
  const transact = transaction(options);
  return (units) => {
    try {
      return transact(units);
    } catch (error) {
      const failure = failureOf(error);
      // A defect that one unit runs into is not the others': they go on without it.
      const defect = failure.code === undefined && units.length > 1;
      return defect ? units.flatMap((unit) => appendAlone(unit, transact)) : units.map(() => ({ failure }));
    }
  };
}

function appendAlone(unit: Unit, transact: (units: readonly Unit[]) => Answer[]): Answer[] {
  try {
    return transact([unit]);
  } catch (error) {
    return [{ failure: failureOf(error) }];
  }
}

function transaction({ db, signer, salt, approvers, onStep = () => undefined }: AppendOptions): (units: readonly Unit[]) => Answer[] {
  const readHead = headReader(db);
  const writeHead = headWriter(db);
  const insert = recordInserter(db);
  const verifier = recordVerifier(signer?.publicKey);
  const applyUnit = unitApplier(db, { verifier, groupsOf: groupsOf(approvers) });
  return (units) => {
    onStep('before-begin');
    beginWriting(db);
    try {
      onStep('begin');
      // Read here, under the write lock, and never remembered: other processes write too, and two heads would be a fork.
      const { head, key } = startOf(readHead(), signer);
      const batch = batchAfter(head, key);
      const answers = units.map((unit): Answer => {
        const answer = applied(unit, batch);
        onStep('unit');
        return answer;
      });
      if (batch.head() !== head) {
        writeHead({ ...batch.head(), keyId: batch.nextKeyId ?? key.keyId });
        onStep('head');
      }
      onStep('before-commit');
      db.exec('COMMIT');
      onStep('commit');
      return answers;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };

  /** Each record is in its table as soon as it is added: the units after it see everything that the units before it did. */
  function batchAfter(start: ChainHead, key: Signer): OpenBatch {
    let head = start;
    return {
      nextKeyId: undefined,
      head: () => head,
      nextSeq: () => head.seq + 1,
      add(draft) {
        // A clock that is set back does not turn the chain back. All times have one form, so their order is that of the texts.
        const time = draft.time > head.time ? draft.time : head.time;
        const sealed = sealRecords(head, [{ ...draft, time }], key, salt);
        for (const record of sealed.records) {
          insert(record);
          verifier.trust(record);
        }
        onStep('record');
        head = sealed.head;
        return { seq: head.seq, time };
      },
    };
  }

  function applied(unit: Unit, batch: OpenBatch): Answer {
    if (batch.nextKeyId !== undefined) return { failure: { code: 'AG-EVD-001', message: KEY_CHANGED, fatal: false } };
    if (unit.kind === 'admin' && unit.expectHead !== undefined && unit.expectHead !== batch.head().hash)
      return { failure: { code: 'AG-EVD-004', message: 'The chain has changed in the meantime. Try again.', fatal: false } };
    try {
      const outcome = applyUnit(unit, batch);
      if (unit.kind === 'admin' && unit.type === 'key') batch.nextKeyId = rotatedTo(unit.data);
      return { outcome };
    } catch (error) {
      // It was found before the unit wrote anything.
      if (error instanceof UnverifiedError) return { failure: failureOf(error) };
      if (error instanceof RefusedUnit) return { failure: { message: error.message, fatal: false, refused: true } };
      throw error;
    }
  }
}

const KEY_CHANGED = 'The evidence signing key is not the active key of the chain.';

function startOf(head: StoredHead | undefined, signer: Signer | undefined): { head: ChainHead; key: Signer } {
  if (signer === undefined) throw new StoreError('AG-EVD-001', 'no evidence signing key exists');
  if (head === undefined) throw new StoreError('AG-EVD-004', 'The chain has no genesis record.');
  if (head.keyId !== signer.keyId) throw new StoreError('AG-EVD-001', KEY_CHANGED);
  return { head, key: signer };
}

interface OpenBatch extends Batch {
  /** The last record so far. */
  head(): ChainHead;
  /** Set by a key record: the next record is signed by another key than ours. */
  nextKeyId: string | undefined;
}

function rotatedTo(data: JsonObject): string | undefined {
  return data.event === 'rotated' && typeof data.key_id === 'string' ? data.key_id : undefined;
}

/** @returns what inserts a record, inside a transaction of the caller */
export function recordInserter(db: DatabaseSync): (record: StoredRecord) => void {
  const statement = db.prepare('INSERT INTO record (seq, type, prev_hash, hash, header, data, salt, sig) VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  return ({ seq, type, header, data, salt, hash, sig }) => {
    statement.run(seq, type, prevHashOf(header), hash, header, data, salt, sig);
  };
}

/** The header is canonical: its names are in quotes, and what callers have written into it has its quotes escaped. */
function prevHashOf(header: string): string {
  const name = '"prev_hash":"';
  const at = header.indexOf(name) + name.length;
  return header.slice(at, at + 64);
}
