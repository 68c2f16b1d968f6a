import { quantile, sorted } from '@bylaw/core/number';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rangeOf } from './order-statistics.js';
import { deviations, SAMPLES } from './points.js';

it('the range is that of the sorted values', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 200 }), (values) => {
      const ascending = sorted(values);
      const { p5, p95 } = rangeOf(Float64Array.from(values));
      expect(p5).toBeCloseTo(quantile(ascending, 0.05), 6);
      expect(p95).toBeCloseTo(quantile(ascending, 0.95), 6);
    }),
  );
});

it('points are spread evenly along every dimension, and no two dimensions move together', () => {
  const all = [...deviations(Array.from({ length: 40 }, (_, index) => `d${index}`)).values()];
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / SAMPLES;
  for (const values of all) {
    const { p5, p95 } = rangeOf(values.slice());
    expect(Math.abs(mean(values))).toBeLessThan(0.06);
    expect(Math.abs(p5 + 1.645)).toBeLessThan(0.12);
    expect(Math.abs(p95 - 1.645)).toBeLessThan(0.12);
  }
  for (const [index, values] of all.entries())
    for (const other of all.slice(index + 1)) {
      const product = values.map((value, at) => value * (other[at] ?? 0));
      expect(Math.abs(mean(product))).toBeLessThan(0.17);
    }
});
