import { expect, it } from 'vitest';
import { falseAlarmsPerYear } from './false-alarms.js';

it('expects the fewer false alarms the higher the threshold is', () => {
  expect([1, 3, 4.5, 6, 100].map(falseAlarmsPerYear)).toEqual([0.37, 0.37, 0.012, 0.0034, 0.0034]);
  const between = falseAlarmsPerYear(3.75);
  expect(between).toBeGreaterThan(0.012);
  expect(between).toBeLessThan(0.37);
});
