import { median } from '../../number/index.js';

export interface ChangePoint {
  /** Index of the first value after the change. */
  index: number;
  before: number;
  after: number;
  pValue: number;
}

/** Up to here the orders of the values are counted out; beyond, Pettitt's formula is close, and for fewer values it misses most jumps. */
const EXACT_UP_TO = 14;

/**
 * The place where the values before differ most from those after, and the chance that no change gives as large a difference: the share of all orders of
 * these values with one, up to 14 values, else by Pettitt's formula.
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
    u += signs(values, value);
    if (Math.abs(u) > largest) {
      largest = Math.abs(u);
      index = at + 1;
    }
  }
  if (largest === 0) return undefined;
  const pValue = n <= EXACT_UP_TO ? exactPValue(values, largest) : Math.min(1, 2 * Math.exp((-6 * largest * largest) / (n ** 3 + n ** 2)));
  return { index, before: median(values.slice(0, index)), after: median(values.slice(index)), pValue };
}

/** How many values are larger, less how many are smaller. */
function signs(values: readonly number[], value: number): number {
  return values.reduce((sum, other) => sum + Math.sign(other - value), 0);
}

/**
 * The share of all orders of the values in which some difference is as large. The difference after the first values depends on which they are, not on
 * their order, so the orders are counted set by set: a set is a number with a bit for each value.
 */
function exactPValue(values: readonly number[], largest: number): number {
  const each = values.map((value) => signs(values, value));
  const sets = 2 ** values.length;
  const difference = new Int16Array(sets);
  /** Orders of a set of which no beginning has such a difference. */
  const below = new Float64Array(sets);
  below[0] = 1;
  for (let set = 1; set < sets; set++) {
    const first = 31 - Math.clz32(set & -set);
    difference[set] = (difference[set & (set - 1)] ?? 0) + (each[first] ?? 0);
    if (Math.abs(difference[set] ?? 0) >= largest) continue;
    for (let rest = set; rest !== 0; rest &= rest - 1) below[set] = (below[set] ?? 0) + (below[set & ~(rest & -rest)] ?? 0);
  }
  let orders = 1;
  for (let count = 2; count <= values.length; count++) orders *= count;
  return 1 - (below[sets - 1] ?? 0) / orders;
}
