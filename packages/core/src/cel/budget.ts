import { failure } from './failure.js';

/**
 * Steps that one rule may take on one resource, and that any other evaluation may take. A step is about ten nanoseconds, and keeps at most a
 * few bytes: what has used them all up has run for about a second and holds less than half a gigabyte. Steps are counted, so that the same
 * input gives the same answer on every machine.
 */
export const MAX_STEPS = 100_000_000;

/** The evaluation that runs now: the steps it may still take, and those it was given. Nothing in an evaluation waits, so there is one. */
let left = Number.POSITIVE_INFINITY;
let limit = Number.POSITIVE_INFINITY;

/** Characters that were searched by RE2 under this budget. */
let searched = 0;

/**
 * Counts steps.
 * @throws when more are taken than are left. So does every further call under the same budget: `exists` and `||` cannot make it unheard.
 */
export function spend(steps: number): void {
  left -= steps;
  if (left < 0) throw failure(`it takes more than ${limit.toLocaleString('en')} steps on this input`);
}

/** Counts characters for RE2, and answers how many it has been given under this budget. */
export function countSearched(characters: number): number {
  searched += characters;
  return searched;
}

/** Steps that several evaluations share: those of one rule on all parts of a resource, or those of all rules on one object. */
export class StepBudget {
  #left: number;
  #searched = 0;

  constructor(private readonly steps: number) {
    this.#left = steps;
  }

  refill(): void {
    this.#left = this.steps;
    this.#searched = 0;
  }

  /** Runs a task with what is left. The steps count for the budget that it runs under, too. */
  run<T>(task: () => T): T {
    const [outerLeft, outerLimit, outerSearched] = [left, limit, searched];
    const granted = Math.min(this.#left, outerLeft);
    left = granted;
    if (granted === this.#left) limit = this.steps;
    searched = this.#searched;
    try {
      return task();
    } finally {
      const taken = granted - left;
      this.#left -= taken;
      this.#searched = searched;
      left = outerLeft - taken;
      limit = outerLimit;
      searched = outerSearched;
    }
  }
}

/** Runs an evaluation under the budget of the caller, or under one of its own where there is none. */
export function withinBudget<Input, Output>(evaluate: (input: Input) => Output, input: Input): Output {
  return left === Number.POSITIVE_INFINITY ? new StepBudget(MAX_STEPS).run(() => evaluate(input)) : evaluate(input);
}
