import { plural } from '../plural.js';
import { failure } from './failure.js';

/** Runs of loop bodies in one evaluation: nested loops over long lists could otherwise hold a process for hours. */
const MAX_STEPS = 10_000_000;

let limit = MAX_STEPS;
let left = MAX_STEPS;
let shared = false;

/** An evaluation begins. It ends before the next one does, because nothing in it waits. */
export function startBudget(): void {
  if (!shared) left = limit;
}

/** @throws when the evaluation has run more loop bodies than it may. */
export function spend(steps: number): void {
  left -= steps;
  if (left < 0) throw failure(`the loops take more than ${plural(limit, 'step')} on this input`);
}

/** Runs evaluations that share so many runs of loop bodies. When these are used up, every further one that needs any fails. */
export function withinSteps<T>(steps: number, run: () => T): T {
  [limit, left, shared] = [steps, steps, true];
  try {
    return run();
  } finally {
    [limit, left, shared] = [MAX_STEPS, MAX_STEPS, false];
  }
}
