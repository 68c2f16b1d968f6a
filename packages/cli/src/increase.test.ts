import { describe, expect, it } from 'vitest';
import { increaseLimits } from './increase.js';

const LIMITS = ['fail-on-cost-increase', 'fail-on-carbon-increase'] as const;

describe('the limit of an increase', () => {
  it.each(['much', '-1%', '', '%', '1e999', 'NaN', '10%%', '0x', '1,5%'])('is not %j', (limit) => {
    for (const flag of LIMITS) expect(() => increaseLimits({ [flag]: limit })).toThrow(`--${flag} must be a percentage of 0 or more.`);
  });

  it('is a percentage, with its sign or without', () => {
    expect(increaseLimits({ 'fail-on-cost-increase': '10%', 'fail-on-carbon-increase': ' 2.5 % ' })).toEqual({ cost: 10, carbon: 2.5 });
    expect(increaseLimits({ 'fail-on-cost-increase': '0' })).toEqual({ cost: 0, carbon: undefined });
  });
});
