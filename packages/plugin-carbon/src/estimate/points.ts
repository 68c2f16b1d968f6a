import { normalQuantile } from './normal-quantile.js';

/** How many points every estimate is computed at. */
export const SAMPLES = 1024;

/** The first points of a Halton sequence lie on a line; they are left out. */
const SKIPPED = 64;

/**
 * Points that fill the space of what is uncertain evenly, the same ones in every run: for each dimension the deviations in standard normal units.
 * Halton points, with a prime for each dimension in the order given. Digits are multiplied within the base, or dimensions of neighbouring large
 * primes would rise and fall together. Source: J. H. Halton (1960); H. Chi, M. Mascagni and T. Warnock, "On the optimal Halton sequence" (2005).
 */
export function deviations(dimensions: readonly string[]): ReadonlyMap<string, Float64Array> {
  const bases = primes(dimensions.length);
  return new Map(dimensions.map((name, index) => [name, deviationsOf(bases[index] ?? 2, MULTIPLIERS[index] ?? 1)]));
}

function deviationsOf(base: number, multiplier: number): Float64Array {
  let values = known.get(base);
  if (values === undefined) {
    values = Float64Array.from({ length: SAMPLES }, (_, index) => normalQuantile(radicalInverse(index + SKIPPED + 1, base, multiplier)));
    known.set(base, values);
  }
  return values;
}

/** By base: the points are the same for every estimate. As many as there are zones and architectures at most. */
const known = new Map<number, Float64Array>();

/** For the first 40 primes. */
const MULTIPLIERS = [
  1, 2, 2, 5, 3, 7, 3, 10, 18, 11, 17, 5, 17, 26, 40, 14, 40, 44, 12, 31, 45, 70, 8, 38, 82, 8, 12, 38, 47, 70, 29, 57, 97, 110, 32, 48, 84,
  124, 155, 26,
] as const;

/** The digits of a number in a base, multiplied, and mirrored at the point. */
function radicalInverse(number: number, base: number, multiplier: number): number {
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
