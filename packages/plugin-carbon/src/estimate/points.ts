import { normalQuantile } from './normal-quantile.js';

/** How many points every estimate is computed at. */
export const SAMPLES = 1024;

/** The first points of a Halton sequence lie on a line; they are left out. */
const SKIPPED = 64;

/**
 * Points that fill the space of what is uncertain evenly, the same ones in every run: for each dimension the deviations in standard normal units.
 * Halton points, with a prime for each dimension in the order given. From the base 5 on digits are multiplied within the base, or dimensions of
 * neighbouring large primes would rise and fall together. Source: J. H. Halton (1960); E. Braaten and G. Weller, "An Improved Low-Discrepancy
 * Sequence for Multidimensional Quasi-Monte Carlo Integration" (1979).
 */
export function deviations(dimensions: readonly string[]): ReadonlyMap<string, Float64Array> {
  const bases = primes(dimensions.length);
  return new Map(dimensions.map((name, index) => [name, deviationsOf(bases[index] ?? 2)]));
}

function deviationsOf(base: number): Float64Array {
  let values = known.get(base);
  if (values === undefined) {
    values = Float64Array.from({ length: SAMPLES }, (_, index) => normalQuantile(radicalInverse(index + SKIPPED + 1, base)));
    known.set(base, values);
  }
  return values;
}

/** By base: the points are the same for every estimate. As many as there are zones and architectures at most. */
const known = new Map<number, Float64Array>();

/** The digits of a number in a base, mirrored at the point. */
function radicalInverse(number: number, base: number): number {
  const multiplier = base < 5 ? 1 : Math.round(base * 0.618);
  let [value, digitWorth] = [0, 1 / base];
  for (let rest = number; rest > 0; rest = Math.floor(rest / base)) {
    value += (((rest % base) * multiplier) % base) * digitWorth;
    digitWorth /= base;
  }
  return value;
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate += 1) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return found;
}
