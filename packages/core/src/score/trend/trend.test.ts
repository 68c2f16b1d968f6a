import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalTail } from '../../number/index.js';
import { benjaminiHochberg } from './benjamini-hochberg.js';
import { changePoint } from './change-point.js';
import { mannKendall } from './mann-kendall.js';
import { theilSen } from './theil-sen.js';

// Reference values: SciPy 1.16 (scipy.stats.norm, theilslopes, kendalltau, false_discovery_control) and pymannkendall 1.4.
const points = (values: readonly number[]) => values.map((value, day) => ({ day, value }));

describe('the Theil–Sen line', () => {
  const days = [0, 1, 3, 4, 6, 9, 10, 13, 14, 15, 20, 22];
  const values = [70.1, 69.8, 71.2, 72.4, 71.9, 73, 74.2, 73.8, 75.5, 74.9, 76.1, 77.4];
  const uneven = values.map((value, index) => ({ value, day: days[index] ?? 0 }));

  it('has the slope on real time, and an interval around it', () => {
    const line = theilSen(uneven, 1.959963984540054 * Math.sqrt(212.66666666666666));
    expect(line.slope).toBeCloseTo(0.3256578947368418, 12);
    expect(line.low).toBeCloseTo(0.2777, 2);
    expect(line.high).toBeCloseTo(0.3909, 2);
  });

  it('moves with the values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 2, maxLength: 20 }),
        fc.integer({ min: -50, max: 50 }),
        (some, by) => {
          const line = theilSen(points(some), 0);
          expect(theilSen(points(some.map((value) => value + by)), 0).slope).toBeCloseTo(line.slope, 9);
          expect(theilSen(points(some.map((value) => -value)), 0).slope).toBeCloseTo(-line.slope, 9);
        },
      ),
    );
  });

  it('is flat for points of one time', () => {
    expect(
      theilSen(
        [
          { day: 1, value: 3 },
          { day: 1, value: 5 },
        ],
        1,
      ),
    ).toMatchObject({ slope: 0, low: 0, high: 0 });
  });
});

describe('the Mann–Kendall test', () => {
  it('takes ties into account', () => {
    const tied = mannKendall(points([50, 50, 51, 51, 51, 52, 52, 50, 53, 53, 54, 54, 54, 55]));
    expect(tied.s).toBe(70);
    expect(tied.tau).toBeCloseTo(0.820412654142367, 12);
    const inflation = (1 + tied.autocorrelation) / (1 - tied.autocorrelation);
    expect(tied.variance / inflation).toBeCloseTo(320.6666666666667, 9);
    expect(tied.pValue).toBeCloseTo(2 * normalTail(69 / Math.sqrt(tied.variance)), 12);
  });

  it('counts out the distribution of few values without ties', () => {
    expect(mannKendall(points([3, 1, 4, 1.5, 5, 9, 2.6]))).toMatchObject({
      autocorrelation: 0,
      pValue: expect.closeTo(0.3813492063492063, 12),
    });
    expect(mannKendall(points([1, 2, 3, 4]))).toMatchObject({ s: 6, tau: 1, pValue: expect.closeTo(2 / 24, 12) });
  });

  it('asks for more where successive values resemble each other', () => {
    const wave = points(Array.from({ length: 40 }, (_, index) => Math.round(10 * Math.sin(index / 6)) + index / 10));
    const { autocorrelation, s, variance, pValue } = mannKendall(wave);
    expect(autocorrelation).toBeGreaterThan(0.8);
    expect(pValue).toBeGreaterThan(
      2 * normalTail((Math.abs(s) - 1) / Math.sqrt((variance * (1 - autocorrelation)) / (1 + autocorrelation))),
    );
  });

  it('sees a trend in ten runs that rise one after another, however they bend', () => {
    expect(mannKendall(points([83.7, 86, 88, 89.5, 90.9, 92, 93, 94, 95, 95.7])).pValue).toBeLessThan(0.01);
    expect(mannKendall(points([83.7, 83.9, 84.2, 84.6, 85.2, 86, 87.5, 89.5, 92, 95.7])).pValue).toBeLessThan(0.01);
  });

  it('sees no trend where all values are equal, and turns with the time', () => {
    expect(mannKendall(points([5, 5, 5, 5, 5, 5]))).toMatchObject({ s: 0, tau: 0, pValue: 1 });
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 2, maxLength: 30 }), (values) => {
        const forth = mannKendall(points(values));
        const mirrored = mannKendall(points(values.map((value) => -value)));
        expect(mirrored.s).toBe(0 - forth.s);
        expect(mirrored.pValue).toBeCloseTo(forth.pValue, 12);
        expect(forth.pValue).toBeGreaterThan(0);
        expect(forth.pValue).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('the change point', () => {
  it('is where the values jump', () => {
    const found = changePoint([60, 61, 60, 59, 60, 61, 60, 80, 81, 79, 80, 80, 81, 80]);
    expect(found).toMatchObject({ index: 7, before: 60, after: 80 });
    expect(found?.pValue).toBeLessThan(0.01);
  });

  it('has the chance of Pettitt’s formula in a long series', () => {
    const long = changePoint([...Array.from({ length: 8 }, (_, i) => i), ...Array.from({ length: 8 }, (_, i) => 100 + i)]);
    // K = 8 * 8, p = 2 exp(-6 K^2 / (n^3 + n^2)).
    expect(long?.pValue).toBeCloseTo(2 * Math.exp((-6 * 64 ** 2) / (16 ** 3 + 16 ** 2)), 12);
  });

  it('has the share of all orders with as large a difference in a short one', () => {
    // Of the 252 ways to put five high values among ten, two have all of them on one side.
    expect(changePoint([83.7, 83.7, 83.7, 83.7, 83.7, 95.7, 95.7, 95.7, 95.7, 95.7])).toMatchObject({
      index: 5,
      pValue: expect.closeTo(2 / 252, 12),
    });
  });

  it('counts the orders as one who writes them all down', () => {
    const orders = (rest: number[]): number[][] =>
      rest.length === 0
        ? [[]]
        : rest.flatMap((one, at) => orders([...rest.slice(0, at), ...rest.slice(at + 1)]).map((more) => [one, ...more]));
    const largest = (values: readonly number[]) => {
      let u = 0;
      return Math.max(
        ...values.map((value) => {
          u += values.reduce((sum, other) => sum + Math.sign(other - value), 0);
          return Math.abs(u);
        }),
      );
    };
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 4, maxLength: 6 }), (values) => {
        const found = changePoint(values);
        fc.pre(found !== undefined);
        const all = orders(values);
        const share = all.filter((order) => largest(order) >= largest(values)).length / all.length;
        expect(found.pValue).toBeCloseTo(share, 9);
      }),
      { numRuns: 100 },
    );
  });

  it('is nowhere in few or equal values', () => {
    expect(changePoint([1, 2, 3])).toBeUndefined();
    expect(changePoint([4, 4, 4, 4, 4])).toBeUndefined();
  });
});

describe('adjusted p-values', () => {
  it('are those of Benjamini and Hochberg', () => {
    const adjusted = benjaminiHochberg([0.01, 0.04, 0.03, 0.2, 0.5]);
    expect(adjusted.map((p) => Number(p.toFixed(8)))).toEqual([0.05, 0.06666667, 0.06666667, 0.25, 0.5]);
    expect(benjaminiHochberg([])).toEqual([]);
  });
});
