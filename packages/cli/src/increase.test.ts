import { describe, expect, it } from 'vitest';
import { increaseLimits } from './increase.js';

const LIMITS = ['fail-on-cost-increase', 'fail-on-water-use-increase'];
const MEMBERS = ['cost', 'water_use'];

describe('the limit of an increase', () => {
  it.each(['much', '-1%', '', '%', '1e999', 'NaN', '10%%', '0x', '1,5%'])('is not %j', (limit) => {
    for (const flag of LIMITS)
      expect(() => increaseLimits({ [flag]: limit }, MEMBERS)).toThrow(`--${flag} must be a percentage of 0 or more.`);
  });

  it('is a percentage, with its sign or without', () => {
    const limits = (flags: object) => Object.fromEntries(increaseLimits({ ...flags }, MEMBERS));
    expect(limits({ 'fail-on-cost-increase': '10%', 'fail-on-water-use-increase': ' 2.5 % ' })).toEqual({ cost: 10, water_use: 2.5 });
    expect(limits({ 'fail-on-cost-increase': '0' })).toEqual({ cost: 0 });
  });
});
