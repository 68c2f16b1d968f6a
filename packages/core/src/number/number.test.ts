import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactSum, median, money, quantile, roundDecimals, roundSignificant, sorted } from './index.js';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e200, max: 1e200 });

describe('an exact sum', () => {
  it('keeps what plain addition loses', () => {
    expect(exactSum([1, 1e100, 1, -1e100])).toBe(2);
    expect(exactSum(Array.from({ length: 10 }, () => 0.1))).toBe(1);
    expect(exactSum([1e16, 1, 1e-16])).toBe(10000000000000002);
    expect(exactSum([])).toBe(0);
    expect(Object.is(exactSum([-0, 0]), 0)).toBe(true);
  });

  it('does not depend on the order', () => {
    fc.assert(
      fc.property(fc.array(finite, { maxLength: 30 }), fc.nat(), (values, turn) => {
        const turned = values.map((_, index) => values[(index + turn) % values.length] ?? 0);
        expect(exactSum(turned)).toBe(exactSum(values));
        expect(exactSum(values.toReversed())).toBe(exactSum(values));
      }),
      { numRuns: 5000 },
    );
  });

  it('is the sum of whole numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n }), { maxLength: 40 }), (values) => {
        expect(exactSum(values.map(Number))).toBe(Number(values.reduce((sum, value) => sum + value, 0n)));
      }),
      { numRuns: 5000 },
    );
  });
});

describe('rounding', () => {
  it.each([
    [0.5, 0, 1],
    [-0.5, 0, -1],
    [2.5, 0, 3],
    [-2.5, 0, -3],
    [1.25, 1, 1.3],
    [-1.25, 1, -1.3],
    [-0.0000001, 6, 0],
    [1e300, 6, 1e300],
  ])('takes %d with %d decimals to %d: half away from zero', (value, decimals, rounded) => {
    expect(Object.is(roundDecimals(value, decimals), rounded)).toBe(true);
  });

  it('keeps six significant digits, and six decimals of money', () => {
    expect(roundSignificant(1234567.5)).toBe(1234570);
    expect(roundSignificant(-0.000123456789)).toBe(-0.000123457);
    expect(roundSignificant(0)).toBe(0);
    expect(money(1.23456789)).toBe(1.234568);
  });

  it('of what is rounded already changes nothing', () => {
    fc.assert(
      fc.property(finite, (value) => {
        expect(roundSignificant(roundSignificant(value))).toBe(roundSignificant(value));
      }),
    );
  });
});

describe('a quantile', () => {
  it('lies between order statistics', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(quantile(sorted([10, 20, 30, 40, 50]), 0.9)).toBe(46);
    expect(quantile(sorted([7]), 0.3)).toBe(7);
    expect(median([])).toBeNaN();
  });
});
