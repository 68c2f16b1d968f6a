import { describe, expect, it } from 'vitest';
import { deviations, SAMPLES } from './points.js';

const columnsOf = (count: number) => [...deviations(Array.from({ length: count }, (_, index) => `d${index}`)).values()];

const meanOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** With mean 0 and length 1: the correlation of two is their product. */
function standardised(values: Float64Array): Float64Array {
  const mean = meanOf(values);
  const length = Math.hypot(...values.map((value) => value - mean));
  return values.map((value) => (value - mean) / length);
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

describe('the points of an estimate', () => {
  it('are those of Halton, after the first 64: 65 is 1000001 in base 2, and 2102 in base 3, whose digits are doubled', () => {
    const [two, three] = columnsOf(2);
    // 1/2 + 1/128, and 1/3 + 0/9 + 2/27 + 1/81.
    const share = (value: number | undefined) => Math.round(1e4 * normal(value ?? 0)) / 1e4;
    expect(share(two?.[0])).toBe(0.5078);
    expect(share(three?.[0])).toBe(0.4198);
  });

  it('are spread evenly along each of 150 dimensions, which rise and fall apart from one another', () => {
    const columns = columnsOf(150);
    for (const column of columns) {
      expect(column).toHaveLength(SAMPLES);
      expect(Math.abs(meanOf(column))).toBeLessThan(0.05);
    }
    const all = columns.map(standardised);
    const correlations = all.flatMap((one, index) => all.slice(0, index).map((other) => Math.abs(product(one, other))));
    expect(Math.max(...correlations)).toBeLessThan(0.2);
  });
});

/** The standard normal distribution. Source: M. Abramowitz and I. A. Stegun, 26.2.17, to 7.5e-8. */
function normal(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const terms = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (terms * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
  return x < 0 ? tail : 1 - tail;
}
