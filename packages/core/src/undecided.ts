import type { Location } from './errors.js';

/**
 * Why a check can be undecided, with its stable code. `docs/reference/errors.md` lists them after the notes. An undecided check is neither a pass nor a
 * failure: the input does not contain what decides.
 */
export const UNDECIDED_REASONS = {
  'unknown-value': 'A value that decides is not in the input: for example, Terraform knows it only after apply.',
  'outside-input': 'The object refers to another object that decides and is not in the input.',
} as const satisfies Record<string, string>;

export type UndecidedReason = keyof typeof UNDECIDED_REASONS;

/** Something that cannot be known. */
export interface Unknown {
  reason: UndecidedReason;
  /** One sentence that is the same for everything with the same cause, so that reports can count it: it names the cause, not the place. */
  message: string;
}

/** A value of an object that cannot be known. It may turn out to be anything, or to be absent. */
export interface UnknownValue extends Unknown {
  /** JSON Pointer into the object. Everything below it is unknown, too. */
  pointer: string;
  /** Where the cause is, such as a variable that is not set. Absent: at the pointer. */
  location?: Location;
}

/** What an unknown value throws when an evaluation reads it. */
export class UnknownError extends Error {
  override readonly name = 'UnknownError';

  constructor(readonly unknown: Unknown | UnknownValue) {
    super(unknown.message);
  }
}

let raised: UnknownError | undefined;

/** Throws, and remembers the first unknown since `forgetRaised`: logic that decides without it sets the error aside, and other errors may follow. */
export function raiseUnknown(unknown: Unknown | UnknownValue): never {
  const error = new UnknownError(unknown);
  raised ??= error;
  throw error;
}

/** The first unknown that was read since `forgetRaised`. */
export function raisedUnknown(): UnknownError | undefined {
  return raised;
}

/** Forgets what was read since `raisedUnknown` gave this answer. */
export function restoreRaised(earlier: UnknownError | undefined): void {
  raised = earlier;
}

export function forgetRaised(): void {
  raised = undefined;
}
