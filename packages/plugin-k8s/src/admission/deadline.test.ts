import { expect, it } from 'vitest';
import { deadlineOf } from './deadline.js';

it.each([
  [5000, undefined, 5000],
  [5000, '10s', 5000],
  [5000, '5s', 4000],
  [5000, '2s', 1000],
  [5000, '1s', 500],
  [28_000, '1m0s', 28_000],
  [28_000, '30s', 28_000],
  [5000, '', 5000],
  [5000, '0s', 5000],
  [5000, '10', 5000],
  [5000, '1e9s', 5000],
  [5000, '-1s', 5000],
])('of %i ms, the API server waits %s: %i ms', (configured, timeout, expected) => {
  expect(deadlineOf(configured, timeout)).toBe(expected);
});
