import { expect, it } from 'vitest';
import { NegligibleCost } from './negligible-cost.js';

it('a hundredth of the usual cost of the last ninety buckets is negligible, computed once a week', () => {
  const values = new Float64Array([...Array(14).fill(100), ...Array(200).fill(-300)]);
  const negligible = new NegligibleCost(0.01);
  const amounts = [...values.keys()].map((at) => negligible.before(values, at, at));
  expect(amounts.slice(0, 7)).toEqual(Array(7).fill(0.01));
  expect(amounts.slice(7, 29)).toEqual([...Array(21).fill(1), 2]);
  expect(amounts[28 + 7]).toBe(3);
});
