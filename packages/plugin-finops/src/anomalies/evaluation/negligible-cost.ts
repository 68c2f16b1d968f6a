import { SortedWindow } from '../../series/sorted-window.js';

/** What counts as next to nothing, as a part of the usual cost. */
export const NEGLIGIBLE_SHARE = 0.01;

/** It moves slowly, and is computed once a week: from the median size of the last months. */
const EVERY = 7;
const BUCKETS = 90;

/** The cost that is next to nothing in a series: a hundredth of the usual cost, and at least the smallest unit of the currency. */
export class NegligibleCost {
  readonly #sizes = new SortedWindow(BUCKETS + 1);
  #amount: number;

  constructor(private readonly minorUnit: number) {
    this.#amount = minorUnit;
  }

  /**
   * The amount for the next bucket, from those before it.
   * @param values of the series; NaN is a gap
   * @param age buckets since the first cost, in order from 0
   */
  before(values: Float64Array, index: number, age: number): number {
    if (age % EVERY === 0) this.#amount = Math.max(this.minorUnit, (this.#sizes.median() || 0) * NEGLIGIBLE_SHARE);
    this.#sizes.add(Math.abs(values[index] ?? Number.NaN));
    if (age >= BUCKETS) this.#sizes.remove(Math.abs(values[index - BUCKETS] ?? Number.NaN));
    return this.#amount;
  }
}
