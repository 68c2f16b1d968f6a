import { exactSum, normalTail } from '../../number/index.js';
import { stepPValue } from './steps.js';
import { type TrendPoint, theilSen } from './theil-sen.js';

export interface MannKendall {
  /** Pairs that rise less pairs that fall. */
  s: number;
  /** Kendall's tau-b. */
  tau: number;
  /** Of S, ties and serial correlation taken into account. */
  variance: number;
  /** Two-sided. */
  pValue: number;
  /** Lag-1 autocorrelation of the ranks about the trend, bias-corrected, 0 to 0.95. */
  autocorrelation: number;
}

/** Up to here the distribution of S is counted out. */
const EXACT_UP_TO = 10;

const MOST_AUTOCORRELATION = 0.95;

/**
 * The Mann–Kendall test for a monotone trend. Successive scores resemble each other, which makes the plain test see trends where none are:
 * the variance is inflated by `(1 + r) / (1 - r)`, with r the lag-1 autocorrelation of the ranks of what is left beside the Theil–Sen line.
 * Without ties and correlation, up to ten points, the p-value is exact; else it is that of the normal distribution, continuity-corrected. In a short
 * series that rises with almost every step the inflation would hide the trend: the sign test of the steps (`stepPValue`) then speaks instead.
 * Sources: M. G. Kendall, "Rank Correlation Methods" (1975), chapters 4 and 5; the inflation by an AR(1) factor: G. V. Bayley and
 * J. M. Hammersley, "The 'Effective' Number of Independent Observations in an Autocorrelated Time Series" (1946); the bias of r:
 * F. H. C. Marriott and J. A. Pope, "Bias in the Estimation of Autocorrelations" (1954).
 * @param points at least two, in the order of time
 */
export function mannKendall(points: readonly TrendPoint[]): MannKendall {
  const values = points.map(({ value }) => value);
  const n = values.length;
  const s = kendallS(values);
  const autocorrelation = rankAutocorrelation(points);
  const tied = tieSizes(values);
  const variance = (varianceOfS(n, tied) * (1 + autocorrelation)) / (1 - autocorrelation);
  const pairs = (n * (n - 1)) / 2;
  const untied = pairs - tied.reduce((sum, size) => sum + (size * (size - 1)) / 2, 0);
  const exact = n <= EXACT_UP_TO && tied.length === 0 && autocorrelation === 0;
  const pValue = exact ? exactPValue(n, s) : normalPValue(s, variance);
  return {
    s,
    tau: untied === 0 ? 0 : s / Math.sqrt(untied * pairs),
    variance,
    pValue: Math.min(pValue, stepPValue(values)),
    autocorrelation,
  };
}

function kendallS(values: readonly number[]): number {
  let s = 0;
  for (const [index, one] of values.entries())
    for (let next = index + 1; next < values.length; next++) s += Math.sign((values[next] ?? 0) - one);
  return s;
}

/** Sizes of the groups of equal values, those of one value left out. */
function tieSizes(values: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()].filter((count) => count > 1);
}

function varianceOfS(n: number, tied: readonly number[]): number {
  const term = (size: number) => size * (size - 1) * (2 * size + 5);
  return (term(n) - tied.reduce((sum, size) => sum + term(size), 0)) / 18;
}

function rankAutocorrelation(points: readonly TrendPoint[]): number {
  const n = points.length;
  if (n < 5) return 0;
  const { slope } = theilSen(points, 0);
  const ranks = ranksOf(points.map(({ day, value }) => value - slope * day));
  const mean = (n + 1) / 2;
  const deviations = ranks.map((rank) => rank - mean);
  const square = exactSum(deviations.map((deviation) => deviation * deviation));
  if (square === 0) return 0;
  const r = exactSum(deviations.slice(1).map((deviation, index) => deviation * (deviations[index] ?? 0))) / square;
  return Math.min(Math.max((r * n + 1) / (n - 4), 0), MOST_AUTOCORRELATION);
}

/** From 1; equal values share the mean of their ranks. */
function ranksOf(values: readonly number[]): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value || a.index - b.index);
  const ranks = new Array<number>(values.length).fill(0);
  for (let start = 0, end = 0; start < order.length; start = end) {
    while (end < order.length && order[end]?.value === order[start]?.value) end++;
    for (const { index } of order.slice(start, end)) ranks[index] = (start + 1 + end) / 2;
  }
  return ranks;
}

function normalPValue(s: number, variance: number): number {
  if (s === 0 || variance <= 0) return 1;
  return Math.min(1, 2 * normalTail((Math.abs(s) - 1) / Math.sqrt(variance)));
}

/** The share of the orders of n different values whose S is at least as far from 0. */
function exactPValue(n: number, s: number): number {
  // Orders by their number of inversions; S = n(n-1)/2 - 2 inversions.
  let counts = [1];
  for (let size = 2; size <= n; size++) {
    const next = new Array<number>(counts.length + size - 1).fill(0);
    for (const [inversions, count] of counts.entries())
      for (let more = 0; more < size; more++) next[inversions + more] = (next[inversions + more] ?? 0) + count;
    counts = next;
  }
  const pairs = (n * (n - 1)) / 2;
  const orders = counts.reduce((sum, count) => sum + count, 0);
  const far = counts.reduce((sum, count, inversions) => (Math.abs(pairs - 2 * inversions) >= Math.abs(s) ? sum + count : sum), 0);
  return far / orders;
}
