import type { Spread } from '@bylaw/core/workload';

/** 95 % of the standard normal distribution lie below it: the ends of a range are the deviations of 5 and 95 %. */
const Z95 = 1.6448536269514722;

/**
 * A quantity at a deviation: the central value at 0, the ends of its range at the 5 and the 95 % points, and lognormal on either side.
 * Where the value can be 0, or the range is a point, it stays what it is.
 */
export function lognormal({ low, central, high }: Spread, deviation: number): number {
  const end = deviation < 0 ? low : high;
  if (central <= 0 || end <= 0 || end === central) return central + (end - central) * Math.min(1, Math.abs(deviation) / Z95);
  return central * (end / central) ** (Math.abs(deviation) / Z95);
}

/** The same for a share: it stays between 0 and 1, as its odds are lognormal. */
export function logitNormal(range: Spread, deviation: number): number {
  if (range.low <= 0 || range.high >= 1) return Math.min(1, lognormal(range, deviation));
  const odds = (share: number) => share / (1 - share);
  const at = lognormal({ low: odds(range.low), central: odds(range.central), high: odds(range.high) }, deviation);
  return at / (1 + at);
}

/** PUE, which is 1 at best: what is above 1 is lognormal. */
export function aboveOne(range: Spread, deviation: number): number {
  return 1 + lognormal({ low: range.low - 1, central: range.central - 1, high: range.high - 1 }, deviation);
}
