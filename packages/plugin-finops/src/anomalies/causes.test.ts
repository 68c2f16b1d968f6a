import type { CostLeaf } from '@bylaw/core/cost';
import { describe, expect, it } from 'vitest';
import { causesOf } from './causes.js';
import { leafOf } from './series.test-support.js';

const COUNT = 60;
const EVENT = { start: 50, end: 54 };

/** Values of 50 days before and 10 days from the event on. */
const column = (before: number, now: number) => Float64Array.from({ length: COUNT }, (_, at) => (at < EVENT.start ? before : now));

function causes(cost: readonly [number, number], more: Partial<CostLeaf>, expected = 5 * cost[0]) {
  const leaf = leafOf({ service: 'a' }, column(...cost), more);
  return causesOf([{ leaf, actual: 5 * cost[1], expected }], EVENT.start, EVENT.end, 'day');
}

describe('the causes of a difference', () => {
  it('are the quantity at the old price, and the price of the new quantity', () => {
    expect(causes([100, 300], { quantity: column(100, 150) })).toEqual([
      { kind: 'unit-price', amount: 750, share: 0.75 },
      { kind: 'usage', amount: 250, share: 0.25 },
    ]);
  });

  it('are not the season: at the usual price the expected cost is the usual quantity of these days', () => {
    // On a weekend 300 are expected instead of 500, and 60 units a day instead of 100.
    expect(causes([100, 120], { quantity: column(100, 120) }, 300)).toEqual([{ kind: 'usage', amount: 300, share: 1 }]);
  });

  it('are the cover by commitments where they cover less of the quantity, though nothing of an expired one is unused', () => {
    expect(causes([100, 200], { quantity: column(100, 100), committed: column(0.8, 0) })).toEqual([
      { kind: 'commitment-coverage', amount: 500, share: 1 },
    ]);
    expect(causes([200, 100], { quantity: column(100, 100), committed: column(0, 0.8) })).toEqual([
      { kind: 'commitment-coverage', amount: -500, share: 1 },
    ]);
  });

  it('are the price where commitments cover as much as before, or where what they cover moved the other way', () => {
    const quantity = column(100, 100);
    expect(causes([100, 200], { quantity, committed: column(0.8, 0.75) })).toMatchObject([{ kind: 'unit-price' }]);
    expect(causes([100, 200], { quantity, committed: column(0, 0.8) })).toMatchObject([{ kind: 'unit-price' }]);
  });

  it('are commitments that nothing uses, beside what is used and without it', () => {
    expect(causes([100, 140], { quantity: column(100, 80), unused: column(0, 60) })).toEqual([
      { kind: 'commitment-coverage', amount: 300, share: 1.5 },
      { kind: 'usage', amount: -100, share: -0.5 },
    ]);
    expect(causes([10, 90], { unused: column(10, 90) })).toEqual([{ kind: 'commitment-coverage', amount: 400, share: 1 }]);
  });

  it('are not known without quantities', () => {
    expect(causes([100, 300], {})).toEqual([]);
  });
});
