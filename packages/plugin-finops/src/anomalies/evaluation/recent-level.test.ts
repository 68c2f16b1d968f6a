import { describe, expect, it } from 'vitest';
import { flat } from '../../series/seasons.js';
import { levelBefore } from './recent-level.js';

const none = flat('factors', 1);
const first = () => 0;

describe('the level before a bucket', () => {
  it('is taken from the last ten values, the last four weighing more', () => {
    const values = new Float64Array([...Array(10).fill(1000), ...Array(6).fill(100), ...Array(4).fill(200)]);
    expect(levelBefore(values, values.length, first, none, 0)).toBe(0.4 * 100 + 0.6 * 200);
  });

  it('passes over gaps, and does not look back further than twenty buckets or the start of the level', () => {
    const values = new Float64Array([100, ...Array(20).fill(Number.NaN)]);
    expect(levelBefore(values, 20, first, none, 0)).toBe(100);
    expect(levelBefore(values, 21, first, none, 0)).toBeNaN();
    expect(levelBefore(values, 20, first, none, 1)).toBeNaN();
  });

  it('is without season', () => {
    const week = { mode: 'factors' as const, slots: new Float64Array([1, 0.5]) };
    expect(levelBefore(new Float64Array([100, 50, 100, 50]), 4, (at) => at % 2, week, 0)).toBe(100);
  });
});
