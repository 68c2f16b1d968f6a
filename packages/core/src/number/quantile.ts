/** The median; not a number for no values. The values stay as they are. */
export function median(values: Iterable<number>): number {
  return quantile(sorted(values), 0.5);
}

/**
 * A quantile by linear interpolation between order statistics, `h = (n - 1) p`.
 * Source: R. J. Hyndman and Y. Fan, "Sample Quantiles in Statistical Packages" (1996), definition 7.
 * @param ascending sorted values; none gives not a number
 * @param p 0 to 1
 */
export function quantile(ascending: ArrayLike<number>, p: number): number {
  if (ascending.length === 0) return Number.NaN;
  const at = (ascending.length - 1) * p;
  const below = Math.floor(at);
  const low = ascending[below] ?? Number.NaN;
  const high = ascending[Math.min(below + 1, ascending.length - 1)] ?? Number.NaN;
  return at === below ? low : low + (at - below) * (high - low);
}

/** A sorted copy. */
export function sorted(values: Iterable<number>): Float64Array {
  return Float64Array.from(values).sort();
}
