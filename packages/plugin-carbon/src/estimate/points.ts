import { normalQuantile } from '@bylaw/core/number';

/** How many points every estimate is computed at. */
export const SAMPLES = 1024;

/** The first points of a Halton sequence lie on a line; they are left out. */
const SKIPPED = 64;

/**
 * Points that fill the space of what is uncertain evenly, the same ones in every run: for each dimension the deviations in standard normal units.
 * Halton points, with a prime for each dimension in the order given. Digits are multiplied within the base, or dimensions of neighbouring large
 * primes would rise and fall together; beyond the list of multipliers they are permuted.
 * Source: J. H. Halton (1960); H. Chi, M. Mascagni and T. Warnock, "On the optimal Halton sequence" (2005); E. Braaten and G. Weller, "An improved
 * low-discrepancy sequence for multidimensional quasi-Monte Carlo integration" (1979), for permutations.
 */
export function deviations(dimensions: readonly string[]): ReadonlyMap<string, Float64Array> {
  const bases = primes(dimensions.length);
  return new Map(dimensions.map((name, index) => [name, deviationsOf(bases[index] ?? 2, MULTIPLIERS[index])]));
}

function deviationsOf(base: number, multiplier: number | undefined): Float64Array {
  let values = known.get(base);
  if (values === undefined) {
    const digits = multiplier === undefined ? permuted(base) : Array.from({ length: base }, (_, digit) => (digit * multiplier) % base);
    values = Float64Array.from({ length: SAMPLES }, (_, index) => normalQuantile(radicalInverse(index + SKIPPED + 1, base, digits)));
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

/** The digits of a number in a base, each put in the place of another, and mirrored at the point. */
function radicalInverse(number: number, base: number, digits: readonly number[]): number {
  let [value, digitWorth] = [0, 1 / base];
  for (let rest = number; rest > 0; rest = Math.floor(rest / base)) {
    value += (digits[rest % base] ?? 0) * digitWorth;
    digitWorth /= base;
  }
  return value;
}

/**
 * The digits of a base in an order without a pattern, the same in every run; 0 stays where it is, as every number begins with noughts.
 * Fisher and Yates, with the generator of S. K. Park and K. W. Miller, "Random number generators: good ones are hard to find" (1988).
 */
function permuted(base: number): number[] {
  const digits = Array.from({ length: base }, (_, digit) => digit);
  let state = base;
  for (let last = base - 1; last > 1; last -= 1) {
    state = (state * 48_271) % 2_147_483_647;
    const other = 1 + (state % last);
    [digits[last], digits[other]] = [digits[other] ?? 0, digits[last] ?? 0];
  }
  return digits;
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate += 1) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return found;
}
