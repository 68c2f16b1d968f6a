import type { Spread } from '@bylaw/core/workload';
import type { Factor } from '../factors/index.js';
import { lognormal } from './distribution.js';
import { deviations, SAMPLES } from './points.js';

/** What is wrong alike for all items, beside the grids and the architectures. */
export type SharedDimension =
  | 'cpu_utilization'
  | 'packing'
  | 'embodied'
  | 'pue'
  | 'lifespan'
  | 'memory'
  | 'count'
  | 'hours'
  | 'gpu_watts'
  | 'gpu_utilization'
  | 'storage_watts'
  | 'storage_replication'
  | 'network'
  | 'spend';

export type Distribution = (range: Spread, deviation: number) => number;

/** Values at the points. */
export type Column = Float64Array;

/** Values of factors at the points; those that many items share are computed once. */
export class Draws {
  readonly #deviations: ReadonlyMap<string, Column>;
  readonly #known = new Map<string, Column>();
  #block: Column = new Float64Array(0);
  #used = 0;

  constructor(readonly dimensions: readonly string[]) {
    this.#deviations = deviations(dimensions);
  }

  /** The values of a range along a dimension. */
  range(dimension: string, { low, central, high }: Spread, distribution: Distribution = lognormal): Column {
    return this.#once(`${dimension} ${low} ${central} ${high} ${distribution.name}`, () => {
      const along = this.#deviations.get(dimension) ?? new Float64Array(SAMPLES);
      return along.map((deviation) => distribution({ low, central, high }, deviation));
    });
  }

  factor(dimension: string, { value, low, high }: Factor, distribution?: Distribution): Column {
    return this.range(dimension, { low, central: value, high }, distribution);
  }

  /** What follows from other columns, under a name that says which. */
  derived(name: string, value: (at: number) => number): Column {
    return this.#once(name, () => {
      const values = this.column();
      for (let at = 0; at < SAMPLES; at += 1) values[at] = value(at);
      return values;
    });
  }

  /** A column of zeros for one item. It shares its buffer with others: a buffer for each would cost more than what is computed in it. */
  column(): Column {
    if (this.#used === this.#block.length) {
      this.#block = new Float64Array(COLUMNS_AT_ONCE * SAMPLES);
      this.#used = 0;
    }
    this.#used += SAMPLES;
    return this.#block.subarray(this.#used - SAMPLES, this.#used);
  }

  #once(key: string, make: () => Column): Column {
    let values = this.#known.get(key);
    if (values === undefined) {
      values = make();
      this.#known.set(key, values);
    }
    return values;
  }
}

/** Half a megabyte. */
const COLUMNS_AT_ONCE = 64;
