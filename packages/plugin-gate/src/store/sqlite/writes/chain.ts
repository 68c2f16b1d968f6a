import type { Signer } from '../../../keys/index.js';
import type { ApproverGroups } from '../../store-options.js';
import { beginWriting } from '../file/begin.js';
import { openWriting } from '../file/connection.js';
import { type Failure, failureOf } from '../file/failure.js';
import { type Answer, type AppendStep, appender } from './append.js';
import type { Unit } from './unit.js';

export interface ChainOptions {
  path: string;
  signer: Signer | undefined;
  /** Gives 16 fresh random bytes at each call. */
  salt: () => Uint8Array;
  onStep?: (step: AppendStep) => void;
  /** See `StoreOptions`. */
  approvers?: readonly ApproverGroups[] | undefined;
  /** See `openWriting`. */
  logPages?: number;
}

/** A connection that writes, and all that it can do. It waits for the disk, so a server has it on a thread of its own. */
export interface Chain {
  /** See `appender`. */
  append(units: readonly Unit[]): Answer[];
  /** Writes without changing anything. @returns why that cannot be */
  probe(): Failure | undefined;
  close(): void;
}

/** @throws {StoreError} when the store cannot be opened */
export function openChain({ path, logPages, ...options }: ChainOptions): Chain {
  const db = openWriting(path, logPages);
  const append = appender({ db, ...options });
  let fatal: Failure | undefined;
  return {
    append(units) {
      const broken = fatal;
      if (broken) return units.map(() => ({ failure: broken }));
      const answers = append(units);
      fatal = fatalOf(answers);
      if (units.some(({ kind }) => kind === 'erase')) emptyLog();
      return answers;
    },
    probe() {
      if (fatal) return fatal;
      try {
        beginWriting(db);
        db.exec('UPDATE head SET seq = seq; COMMIT');
        return undefined;
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        return failureOf(error);
      }
    },
    close: () => db.close(),
  };

  /** What was erased is still in the log, until it is emptied. A reader in the middle of it only puts that off to the next time. */
  function emptyLog(): void {
    try {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      const failure = failureOf(error);
      if (failure.fatal) fatal = failure;
    }
  }
}

function fatalOf(answers: readonly Answer[]): Failure | undefined {
  for (const answer of answers) if ('failure' in answer && answer.failure.fatal) return answer.failure;
  return undefined;
}
