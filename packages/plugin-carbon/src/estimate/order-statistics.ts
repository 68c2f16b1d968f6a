/**
 * Quantiles of 5 and 95 %, by linear interpolation between order statistics. The values are left in another order.
 * Source: C. A. R. Hoare, "Algorithm 65: FIND" (1961); R. J. Hyndman and Y. Fan, "Sample Quantiles in Statistical Packages" (1996), definition 7.
 */
export function rangeOf(values: Float64Array): { p5: number; p95: number } {
  const last = values.length - 1;
  const p5 = quantileAt(values, 0.05 * last, 0, last);
  return { p5, p95: quantileAt(values, 0.95 * last, Math.floor(0.05 * last), last) };
}

/** Looks between two places only: what is left of the first is smaller. */
function quantileAt(values: Float64Array, place: number, first: number, last: number): number {
  const below = Math.floor(place);
  const low = select(values, below, first, last);
  if (place === below) return low;
  let high = Number.POSITIVE_INFINITY;
  for (let at = below + 1; at <= last; at += 1) high = Math.min(high, values[at] ?? high);
  return low + (place - below) * (high - low);
}

/** The value that is at the place in order; smaller ones are moved before it, larger ones behind. */
function select(values: Float64Array, place: number, first: number, last: number): number {
  let [left, right] = [first, last];
  while (left < right) {
    const pivot = values[(left + right) >> 1] ?? 0;
    let [i, j] = [left, right];
    while (i <= j) {
      while ((values[i] ?? pivot) < pivot) i += 1;
      while ((values[j] ?? pivot) > pivot) j -= 1;
      if (i > j) break;
      const value = values[i] ?? 0;
      values[i] = values[j] ?? 0;
      values[j] = value;
      i += 1;
      j -= 1;
    }
    if (place <= j) right = j;
    else if (place >= i) left = i;
    else break;
  }
  return values[place] ?? Number.NaN;
}
