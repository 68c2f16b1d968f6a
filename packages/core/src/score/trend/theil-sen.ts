import { quantile, sorted } from '../../number/index.js';

/** A point of a series: time in days, value in points of the score. */
export interface TrendPoint {
  day: number;
  value: number;
}

export interface Slope {
  /** Points per day: the median of the slopes of all pairs of points of different time. */
  slope: number;
  low: number;
  high: number;
  /** Value of the line at day 0. */
  intercept: number;
}

/**
 * The Theil–Sen line, and an interval of its slope from the ranks of the pairs' slopes.
 * Source: P. K. Sen, "Estimates of the Regression Coefficient Based on Kendall's Tau" (1968), section 4; the interval as in
 * R. O. Gilbert, "Statistical Methods for Environmental Pollution Monitoring" (1987), section 16.5.
 * @param halfWidth `z sqrt(Var S)`: how many ranks the interval goes to either side, counted twice
 */
export function theilSen(points: readonly TrendPoint[], halfWidth: number): Slope {
  const slopes = pairSlopes(points);
  const n = slopes.length;
  const slope = n === 0 ? 0 : quantile(slopes, 0.5);
  const rank = (at: number) => atRank(slopes, at) ?? slope;
  const intercept = quantile(sorted(points.map(({ day, value }) => value - slope * day)), 0.5);
  return { slope, low: rank((n - halfWidth) / 2 - 1), high: rank((n + halfWidth) / 2), intercept };
}

/** Ascending. */
function pairSlopes(points: readonly TrendPoint[]): Float64Array {
  const slopes = new Float64Array((points.length * (points.length - 1)) / 2);
  let count = 0;
  for (const [index, one] of points.entries())
    for (let next = index + 1; next < points.length; next++) {
      const other = points[next];
      if (other !== undefined && other.day !== one.day) slopes[count++] = (other.value - one.value) / (other.day - one.day);
    }
  return slopes.subarray(0, count).sort();
}

/** Between two ranks the line between them; beyond the ends the end. */
function atRank(ascending: Float64Array, rank: number): number | undefined {
  const last = ascending.length - 1;
  return last < 0 ? undefined : last === 0 ? ascending[0] : quantile(ascending, Math.min(Math.max(rank / last, 0), 1));
}
