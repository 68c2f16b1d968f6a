import { describe, expect, it } from 'vitest';
import { RecentSizes } from '../../series/recent-sizes.js';
import { boundsAround, residualOf, scaleOf } from './residual.js';

describe('a residual', () => {
  it('is the logarithm of a ratio, or a part of the expected amount', () => {
    expect(residualOf(200, 100, 1, 'factors')).toBeCloseTo(Math.log(2), 12);
    expect(residualOf(200, 100, 1, 'offsets')).toBe(1);
    expect(residualOf(-50, -100, 1, 'factors')).toBe(0.5);
  });

  it('does not grow with what is smaller than the unit', () => {
    expect(residualOf(0.001, 0.002, 1, 'factors')).toBe(0);
    expect(residualOf(0.5, 0, 10, 'offsets')).toBe(0.05);
  });

  it('has its width at both bounds', () => {
    for (const mode of ['factors', 'offsets'] as const) {
      const [lower, upper] = boundsAround(80, 0.3, 1, mode);
      expect(residualOf(lower, 80, 1, mode)).toBeCloseTo(-0.3, 12);
      expect(residualOf(upper, 80, 1, mode)).toBeCloseTo(0.3, 12);
    }
  });
});

describe('the usual size of residuals', () => {
  const sizes = (values: readonly number[]) => {
    const recent = new RecentSizes(60);
    for (const value of values) recent.add(value);
    return scaleOf(recent);
  };

  it('is assumed until there are ten', () => {
    expect(sizes(Array(9).fill(0.5))).toBe(0.15);
    expect(sizes(Array(10).fill(0.5))).toBeCloseTo(1.4826 * 0.5, 12);
  });

  it('follows the larger ones if there are many, and is never next to nothing', () => {
    expect(sizes([...Array(16).fill(0.1), ...Array(4).fill(-1)])).toBeCloseTo(1 / 1.645, 12);
    expect(sizes(Array(60).fill(0))).toBe(0.02);
  });
});
