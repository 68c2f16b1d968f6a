/**
 * A sum that does not depend on the order of what is added: it is kept exactly, as doubles that do not overlap, and rounded once.
 * Source: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates" (1997), section 2.4,
 * GROW-EXPANSION. Values must be finite; a sum beyond the range of doubles is not a number.
 */
export class ExactSum {
  readonly #partials: number[] = [];

  add(value: number): void {
    const partials = this.#partials;
    let rest = value;
    let kept = 0;
    for (const partial of partials) {
      const [large, small] = Math.abs(rest) < Math.abs(partial) ? [partial, rest] : [rest, partial];
      const sum = large + small;
      const error = small - (sum - large);
      if (error !== 0) partials[kept++] = error;
      rest = sum;
    }
    partials[kept++] = rest;
    partials.length = kept;
  }

  /** The double that is nearest to the exact sum. */
  value(): number {
    const partials = this.#partials;
    let at = partials.length - 1;
    let sum = partials[at] ?? 0;
    let error = 0;
    while (at > 0) {
      const next = partials[--at] ?? 0;
      const before = sum;
      sum = before + next;
      error = next - (sum - before);
      if (error !== 0) break;
    }
    // Half way between two doubles, what is left below decides.
    const below = at > 0 ? (partials[at - 1] ?? 0) : 0;
    if ((error < 0 && below < 0) || (error > 0 && below > 0)) {
      const doubled = error * 2;
      const rounded = sum + doubled;
      if (doubled === rounded - sum) sum = rounded;
    }
    return sum === 0 ? 0 : sum;
  }
}

/** The nearest double to the exact sum, whatever the order. */
export function exactSum(values: Iterable<number>): number {
  const sum = new ExactSum();
  for (const value of values) sum.add(value);
  return sum.value();
}
