import { median } from '../../number/index.js';

export interface ChangePoint {
  /** Index of the first value after the change. */
  index: number;
  before: number;
  after: number;
  pValue: number;
}

/**
 * The place where the values before differ most from those after, and the chance that no change gives as large a difference.
 * Source: A. N. Pettitt, "A Non-Parametric Approach to the Change-Point Problem" (1979), equations 2.1 and 3.1.
 * @returns undefined for fewer than four values, or where all are equal
 */
export function changePoint(values: readonly number[]): ChangePoint | undefined {
  const n = values.length;
  if (n < 4) return undefined;
  let u = 0;
  let largest = 0;
  let index = 0;
  for (const [at, value] of values.slice(0, -1).entries()) {
    for (const other of values) u += Math.sign(other - value);
    if (Math.abs(u) > largest) {
      largest = Math.abs(u);
      index = at + 1;
    }
  }
  if (largest === 0) return undefined;
  const pValue = Math.min(1, 2 * Math.exp((-6 * largest * largest) / (n ** 3 + n ** 2)));
  return { index, before: median(values.slice(0, index)), after: median(values.slice(index)), pValue };
}
