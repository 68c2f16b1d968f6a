import { failure } from './failure.js';

/**
 * Steps that one rule may take on one resource, and that any other evaluation may take. A step is at most about ten nanoseconds and a few
 * bytes: what has used them all up has run for a second or two, and holds less than half a gigabyte. Steps are counted, so that the same input gives
 * the same answer on every machine. See docs/writing-rules.md for what honest input needs.
 */
export const MAX_STEPS = 200_000_000;

/** The evaluation that runs now: there is one, because nothing in it waits. */
const current = {
  /** Steps that it may still take. */
  left: Number.POSITIVE_INFINITY,
  /** Steps that it was given. */
  limit: Number.POSITIVE_INFINITY,
  /** What RE2 has searched: characters, times the instructions of the pattern. */
  searched: 0,
};

/**
 * Counts steps.
 * @throws when more are taken than are left. So does every further call under the same budget: `exists` and `||` cannot make it unheard.
 */
export function spend(steps: number): void {
  current.left -= steps;
  if (current.left < 0) throw overspent();
}

function overspent(): Error {
  return failure(`it takes more than ${current.limit.toLocaleString('en')} steps on this input`);
}

/** Counts what RE2 searches, and answers how much that is under this budget. */
export function countSearched(work: number): number {
  current.searched += work;
  return current.searched;
}

/** Whether an evaluation that begins has a budget of its caller's. */
export function hasBudget(): boolean {
  return current.left !== Number.POSITIVE_INFINITY;
}

/** Steps that several evaluations share: those of one rule on all parts of a resource, or those of all rules on one object. */
export class StepBudget {
  #left: number;
  #searched = 0;
  #granted = 0;
  readonly #outer = { ...current };

  constructor(private readonly steps: number) {
    this.#left = steps;
  }

  refill(): void {
    this.#left = this.steps;
    this.#searched = 0;
  }

  /** What runs from here to `end` takes the steps that are left. They count for the budget that this one is begun under, too. */
  begin(): void {
    this.#outer.left = current.left;
    this.#outer.limit = current.limit;
    this.#outer.searched = current.searched;
    this.#granted = Math.min(this.#left, current.left);
    current.left = this.#granted;
    if (this.#granted === this.#left) current.limit = this.steps;
    current.searched = this.#searched;
  }

  end(): void {
    const taken = this.#granted - current.left;
    this.#left -= taken;
    this.#searched = current.searched;
    current.left = this.#outer.left - taken;
    current.limit = this.#outer.limit;
    current.searched = this.#outer.searched;
  }

  run<T>(task: () => T): T {
    this.begin();
    try {
      return task();
    } finally {
      this.end();
    }
  }
}
