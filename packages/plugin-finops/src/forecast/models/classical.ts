/** Seasonal indices of the classical decomposition: factors around 1, or amounts around 0. */
export interface SeasonalIndices {
  mode: 'factors' | 'amounts';
  /** Of each place in the cycle; the first value of the series has the first place. */
  indices: Float64Array;
}

/** Below this share of the largest value a value is as good as zero: a factor of it would not come back from a division. */
const LEAST_FOR_FACTORS = 1e-9;

/**
 * Classical decomposition: means, by place in the cycle, of the ratios to (or differences from) the centred moving average.
 * Factors where all values are positive, and none is next to nothing; else amounts. A period of 1 has nothing to remove.
 * Source: M. G. Kendall and A. Stuart, "The Advanced Theory of Statistics", volume 3 (1983), as the benchmarks of the M4 competition use it.
 */
export function seasonalIndices(values: Float64Array, period: number): SeasonalIndices {
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  const mode = values.every((value) => value > 0 && value > LEAST_FOR_FACTORS * largest) ? 'factors' : 'amounts';
  const sums = new Float64Array(period);
  const counts = new Float64Array(period);
  const half = Math.floor(period / 2);
  if (period === 1) return { mode, indices: Float64Array.of(mode === 'factors' ? 1 : 0) };
  const averages = centredAverages(values, period);
  for (let t = half; t < values.length - half; t++) {
    const [value, average] = [values[t] ?? 0, averages[t] ?? 0];
    const place = t % period;
    sums[place] = (sums[place] ?? 0) + (mode === 'factors' ? value / average : value - average);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  const raw = sums.map((sum, place) => sum / Math.max(1, counts[place] ?? 0));
  const mean = raw.reduce((sum, value) => sum + value, 0) / period;
  return { mode, indices: raw.map((value) => (mode === 'factors' ? value / mean : value - mean)) };
}

/** A series without its season. */
export function withoutSeason(values: Float64Array, { mode, indices }: SeasonalIndices): Float64Array {
  return values.map((value, t) => {
    const index = indices[t % indices.length] ?? 0;
    return mode === 'factors' ? value / index : value - index;
  });
}

/** Gives the season back to values that follow `n` others. */
export function withSeason(ahead: Float64Array, { mode, indices }: SeasonalIndices, n: number): Float64Array {
  return ahead.map((value, j) => {
    const index = indices[(n + j) % indices.length] ?? 0;
    return mode === 'factors' ? value * index : value + index;
  });
}

/** Averages over one period; for even ones the two outermost values count half. NaN at the ends. */
function centredAverages(values: Float64Array, period: number): Float64Array {
  const half = Math.floor(period / 2);
  const even = period % 2 === 0;
  return values.map((_, t) => {
    if (t < half || t >= values.length - half) return Number.NaN;
    let sum = 0;
    for (let at = t - half; at <= t + half; at++) sum += values[at] ?? 0;
    return (even ? sum - ((values[t - half] ?? 0) + (values[t + half] ?? 0)) / 2 : sum) / period;
  });
}
