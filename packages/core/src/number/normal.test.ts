import { describe, expect, it } from 'vitest';
import { normalQuantile, normalTail } from './normal.js';

describe('the tail of the normal distribution', () => {
  it.each([
    [0, 0.5],
    [0.5, 0.3085375387259869],
    [1, 0.15865525393145707],
    [1.96, 0.024997895148220435],
    [2.999, 0.0013543365337271057],
    [3, 0.0013498980316300933],
    [4.5, 3.3976731247300535e-6],
    [8, 6.22096057427174e-16],
    [20, 2.7536241186061556e-89],
    [-1, 1 - 0.15865525393145707],
  ])('beyond %d is %d', (z, tail) => {
    expect(Math.abs(normalTail(z) / tail - 1)).toBeLessThan(1e-11);
  });

  it('has the quantile as its inverse', () => {
    const known = [
      [0.5, 0],
      [0.95, 1.6448536269514722],
      [0.975, 1.959963984540054],
      [0.025, -1.959963984540054],
      [0.001, -3.090232306167813],
      [0.99, 2.3263478740408408],
      [1e-9, -5.997807015007706],
    ] as const;
    for (const [p, z] of known) expect(normalQuantile(p)).toBeCloseTo(z, 12);
    for (let p = 0.0005; p < 0.5; p += 0.001) {
      expect(Math.abs(normalTail(-normalQuantile(p)) / p - 1)).toBeLessThan(1e-12);
      expect(normalQuantile(1 - p)).toBeCloseTo(-normalQuantile(p), 11);
    }
  });
});
