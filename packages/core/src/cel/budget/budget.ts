import type { ASTNode } from '@marcbachmann/cel-js';
import { plural } from '../../plural.js';
import { libraryState } from '../library-state.js';

/**
 * Steps that one rule may take on one resource, and that any other evaluation may take. A step is at most about ten nanoseconds and a few
 * bytes: what has used them all up has run for a second or two, and holds less than half a gigabyte. Steps are counted, so that the same input gives
 * the same answer on every machine. See docs/writing-rules.md for what honest input needs.
 */
export const MAX_STEPS = 200_000_000;

/** Steps that several evaluations share: those of one rule on all parts of a resource, or those of all rules on one object. */
export class StepBudget {
  #left: number;
  /** What an error names: the steps of this budget, or of the one around it that had fewer left. */
  #limit: number;
  /** What RE2 has searched: characters, times the instructions of the pattern. */
  #searched = 0;
  #granted = 0;
  #atBegin = 0;
  #outer: StepBudget | undefined;

  constructor(private readonly steps: number) {
    this.#left = steps;
    this.#limit = steps;
  }

  refill(): void {
    this.#left = this.steps;
    this.#searched = 0;
  }

  /** What runs from here to `end` takes the steps that are left. They count for the budget that this one is begun under, too. */
  begin(): void {
    this.#outer = active;
    this.#atBegin = this.#left;
    if (active.#left < this.#left) {
      this.#left = active.#left;
      this.#limit = active.#limit;
    }
    this.#granted = this.#left;
    active = this;
  }

  end(): void {
    const taken = this.#granted - this.#left;
    this.#left = this.#atBegin - taken;
    this.#limit = this.steps;
    active = this.#outer ?? NO_BUDGET;
    active.#left -= taken;
  }

  run<T>(task: () => T): T {
    this.begin();
    try {
      return task();
    } finally {
      this.end();
    }
  }

  /** See `spend`. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw failure(`it takes more than ${plural(this.#limit, 'step')} on this input`);
  }

  get left(): number {
    return this.#left;
  }

  get searched(): number {
    return this.#searched;
  }

  /** See the function `returnTo`. */
  returnTo(left: number, searched: number): void {
    this.#left = left;
    this.#searched = searched;
  }

  /** See `countSearched`. */
  search(work: number): number {
    this.#searched += work;
    return this.#searched;
  }
}

const NO_BUDGET = new StepBudget(Number.POSITIVE_INFINITY);

/** That of the evaluation that runs now: there is one, because nothing in it waits. */
let active = NO_BUDGET;

/** Counts the first steps of an evaluation. Answers false, and counts nothing, where its caller gave it no budget. */
export function beginEvaluation(steps: number): boolean {
  if (active === NO_BUDGET) return false;
  active.spend(steps);
  return true;
}

/**
 * Counts steps.
 * @throws when more are taken than are left. So does every further call under the same budget: `exists` and `||` cannot make it unheard.
 */
export function spend(steps: number): void {
  active.spend(steps);
}

/** Counts what RE2 searches, and answers how much that is under this budget. */
export function countSearched(work: number): number {
  return active.search(work);
}

/** Steps that the evaluation that runs now may still take. */
export function stepsLeft(): number {
  return active.left;
}

/** What RE2 has searched so far in the evaluation that runs now, see `countSearched`. */
export function workSearched(): number {
  return active.searched;
}

/** Takes back what was counted since `stepsLeft` and `workSearched` gave these values, under the same budget: it is done again, in another way. */
export function returnTo(left: number, searched: number): void {
  active.returnTo(left, searched);
}

/**
 * An error for a function to throw: the library adds the place of the call, and the evaluator makes it a CelError. While the library is not loaded, only
 * code runs that was made ahead of time: it gives up, and nobody sees the error.
 */
export function failure(message: string): Error {
  const { classes } = libraryState;
  return classes === undefined ? new Error(message) : new classes.EvaluationError(message);
}

/** An error at a node. */
export function fault(message: string, node: ASTNode): Error {
  const { classes } = libraryState;
  return classes === undefined ? new Error(message) : new classes.EvaluationError({ message, node });
}
