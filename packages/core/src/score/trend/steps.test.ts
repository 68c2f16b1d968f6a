import { describe, expect, it } from 'vitest';
import { stepPValue } from './steps.js';

describe('the sign test of steps', () => {
  it('counts out how one-sided the steps are', () => {
    expect(stepPValue([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toBeCloseTo(2 / 2 ** 9, 15);
    expect(stepPValue([10, 9, 8, 7, 6, 5])).toBeCloseTo(2 / 2 ** 5, 15);
    // 7 rises and 1 fall: 2 (1 + 8) / 256.
    expect(stepPValue([1, 2, 3, 4, 3.5, 5, 6, 7, 8])).toBeCloseTo(18 / 256, 15);
  });

  it('leaves equal values out, and sees nothing where nothing moves or both ways are alike', () => {
    expect(stepPValue([1, 1, 2, 2, 2, 3])).toBeCloseTo(2 / 4, 15);
    expect(stepPValue([5, 5, 5])).toBe(1);
    expect(stepPValue([1, 2, 1, 2, 1])).toBe(1);
    expect(stepPValue([])).toBe(1);
  });
});
