import { StoreError, UnverifiedError } from '../../store.js';

/** Why a unit was not recorded, in a form that passes between threads. */
export interface Failure {
  /** Absent: a defect of this program, or a unit that asks for what cannot be. */
  code?: StoreError['code'];
  message: string;
  /** What the disk holds cannot be known any more: the process must end, and never try again. */
  fatal: boolean;
  /** What the unit asks for cannot be. */
  refused?: boolean;
  /** A record that the unit is about cannot be verified. Other units are not concerned. */
  unverified?: boolean;
}

/** Extended result codes of SQLite (https://www.sqlite.org/rescode.html). The lowest byte is the primary code. */
const BUSY = 5;
const LOCKED = 6;
const NOMEM = 7;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
const CONSTRAINT_TRIGGER = 1811;
const IOERR_NOMEM = 3082;
/** The shared memory beside the log could not be had: nothing was written, and a full disk is the usual cause. SHMOPEN, SHMSIZE, SHMLOCK, SHMMAP. */
const IOERR_SHARED_MEMORY: ReadonlySet<number> = new Set([4618, 4874, 5130, 5386]);

const UNAVAILABLE: Readonly<Record<number, string>> = {
  [BUSY]: 'Another process locked the store for too long.',
  [LOCKED]: 'Another process locked the store for too long.',
  [NOMEM]: 'There is not enough memory to write to the store.',
  [READONLY]: 'The store is not writable.',
  [FULL]: 'The disk of the store is full.',
  [CANTOPEN]: 'The store cannot be opened.',
};

/** What an error of node:sqlite, or any other, means for what was to be written. Messages name no path and nothing of the unit. */
export function failureOf(error: unknown): Failure {
  if (error instanceof UnverifiedError) return { code: error.code, message: error.message, fatal: false, unverified: true };
  if (error instanceof StoreError) return { code: error.code, message: error.message, fatal: false };
  const extended = sqliteCode(error);
  if (extended === undefined) return { message: error instanceof Error ? error.message : String(error), fatal: false };
  const primary = extended & 0xff;
  if (primary === CORRUPT || primary === NOTADB) return { code: 'AG-EVD-004', message: 'The store is damaged.', fatal: false };
  if (extended === CONSTRAINT_TRIGGER) return { code: 'AG-EVD-004', message: refusalOf(error), fatal: false };
  if (primary === IOERR) return ioFailure(extended);
  const message = UNAVAILABLE[primary];
  if (message !== undefined) return { code: 'AG-EVD-002', message, fatal: false };
  return { message: `SQLite refused a statement (${extended}).`, fatal: false };
}

/** The error to throw for a failure. */
export function errorOf({ code, message, refused, unverified }: Failure): Error {
  if (unverified === true) return new UnverifiedError(message);
  if (code !== undefined) return new StoreError(code, message);
  return refused === true ? new RangeError(message) : new Error(message);
}

/** Calls it, and gives errors of SQLite as a `StoreError`. */
export function withStoreErrors<Value>(action: () => Value): Value {
  try {
    return action();
  } catch (error) {
    const failure = failureOf(error);
    if (error instanceof StoreError || failure.code === undefined) throw error;
    throw new StoreError(failure.code, failure.message, { cause: error });
  }
}

/** @returns the extended result code, undefined for an error of anything else */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode;
}

/** Triggers say in words of ours what they refuse. */
function refusalOf(error: unknown): string {
  const said = error instanceof Error ? error.message : '';
  return said === 'a record follows the last one'
    ? 'The head of the chain is not its last record.'
    : `The store refused the change: ${said}.`;
}

function ioFailure(extended: number): Failure {
  const passing = IOERR_SHARED_MEMORY.has(extended) || extended === IOERR_NOMEM;
  return { code: 'AG-EVD-002', message: `The disk of the store reported an error (${extended}).`, fatal: !passing };
}
