import { stl } from './stl.js';

/** Windows of the seasons, the shortest first, in their periods. Source: K. Bandara, R. J. Hyndman and C. Bergmeir, "MSTL" (2021), arXiv:2107.13462, section 3. */
const windowOf = (place: number) => 11 + 4 * place;

/** Rounds over all seasons where there are several; the same source. */
const ROUNDS = 2;

/**
 * The seasons of a series with several of them, each as long as the series.
 * @param periods ascending; the series has at least two of each
 */
export function mstl(values: Float64Array, periods: readonly number[]): Float64Array[] {
  const seasons: Float64Array[] = periods.map(() => new Float64Array(values.length));
  let rest: Float64Array = values;
  for (let round = 0; round < (periods.length > 1 ? ROUNDS : 1); round++) {
    for (const [place, period] of periods.entries()) {
      const before = seasons[place];
      const withOwn = rest.map((value, t) => value + (before?.[t] ?? 0));
      const { seasonal } = stl(withOwn, period, windowOf(place));
      seasons[place] = seasonal;
      rest = withOwn.map((value, t) => value - (seasonal[t] ?? 0));
    }
  }
  return seasons;
}
