/**
 * p-values adjusted so that of those called significant only a share of alpha is expected to be false.
 * Source: Y. Benjamini and Y. Hochberg, "Controlling the False Discovery Rate" (1995), section 3.
 */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const order = pValues.map((p, index) => ({ p, index })).sort((a, b) => b.p - a.p || b.index - a.index);
  const adjusted = new Array<number>(pValues.length).fill(1);
  let least = 1;
  for (const [at, { p, index }] of order.entries()) {
    least = Math.min(least, (p * pValues.length) / (pValues.length - at));
    adjusted[index] = least;
  }
  return adjusted;
}
