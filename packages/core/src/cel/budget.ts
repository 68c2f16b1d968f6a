import { failure } from './failure.js';

/** Runs of loop bodies in one evaluation: nested loops over long lists could otherwise hold a process for hours. */
const MAX_STEPS = 10_000_000;

let left = MAX_STEPS;

/** An evaluation begins. It ends before the next one does, because nothing in it waits. */
export function startBudget(): void {
  left = MAX_STEPS;
}

/** @throws when the evaluation has run more loop bodies than it may. */
export function spend(steps: number): void {
  left -= steps;
  if (left < 0) throw failure(`the loops take more than ${MAX_STEPS.toLocaleString('en')} steps on this input`);
}
