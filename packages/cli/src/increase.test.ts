import type { DifferenceWords } from '@bylaw/core/plugin';
import { describe, expect, it } from 'vitest';
import { checkIncreases, increaseLimits } from './increase.js';
import type { Difference } from './output/differences.js';

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

describe('an increase', () => {
  const words: DifferenceWords = { summary: [], items: [], unknown: [], unknownTotal: 0, warnings: [], sources: [] };
  const view = { description: 'Water.', schema: {}, column: 'Litres', words: () => words };
  const outcomeOf = (difference: Partial<Difference>) =>
    checkIncreases([{ member: 'water_use', noun: 'water use', plugin: 'acme', view, ...difference }], new Map([['water_use', 10]]));

  it('exceeds its limit only where it is above it', () => {
    expect(outcomeOf({ words: { ...words, increase: 10 } })).toEqual({ exceeded: false, unknown: false, notices: [] });
    expect(outcomeOf({ words: { ...words, increase: 10.5 } })).toEqual({
      exceeded: true,
      unknown: false,
      notices: ['water use rises by 10.5 %: --fail-on-water-use-increase allows 10 %.'],
    });
  });

  it.each([
    [{ words }, 'The plugin acme gives no percentage.'],
    [{ words: { ...words, increase: Number.NaN } }, 'The plugin acme gives no percentage.'],
    [{ words: { ...words, unknown: [{ id: 'a', reason: 'No meter.' }], unknownTotal: 1 } }, 'a: No meter.'],
    [{ unavailable: 'No data.' }, 'No data.'],
    [{}, 'The plugin acme is not installed where the comparison runs.'],
  ])('is unknown, never within its limit, where there is no number: %j', (difference, why) => {
    expect(outcomeOf(difference)).toEqual({
      exceeded: false,
      unknown: true,
      notices: [`error: --fail-on-water-use-increase cannot be checked: the difference is unknown. ${why}`],
    });
  });
});
