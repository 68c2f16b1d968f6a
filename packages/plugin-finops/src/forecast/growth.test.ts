import { describe, expect, it } from 'vitest';
import type { Backtest } from './backtest.js';
import { halfWidths, spreadOf } from './conformal.js';
import { grownErrors } from './growth.js';

const errors = [Float64Array.of(1, -2), Float64Array.of(2, 3)];
const candidates = { seasons: [], forecasts: new Map(), naive2: new Float64Array(2) };
const backtestAt = (...ends: number[]): Backtest => ({
  horizon: 2,
  intermittent: false,
  origins: ends.map((end) => ({ end, candidates, actual: new Float64Array(2) })),
});

describe('errors of a cost that has grown', () => {
  const doubling = Float64Array.from({ length: 8 }, (_, t) => 2 ** t);

  it('grow with it where the backtests reach far back', () => {
    const ahead = Float64Array.of(256, 512);
    const [newest, oldest] = grownErrors(errors, backtestAt(6, 5), doubling, ahead, 1);
    // From (64, 128) and (32, 64) to (256, 512): four and eight times, of which three are believed.
    expect(newest).toEqual(Float64Array.of(3, -6));
    expect(oldest).toEqual(Float64Array.of(6, 9));
  });

  it('stay as they are where they are all of the recent past, and where it has fallen', () => {
    const long = Float64Array.from([...new Float64Array(40).fill(1), ...doubling]);
    expect(grownErrors(errors, backtestAt(46, 45), long, Float64Array.of(256, 512), 1)).toBe(errors);
    expect(grownErrors(errors, backtestAt(6, 5), doubling.toReversed(), Float64Array.of(0.5, 0.25), 1)).toEqual(errors);
    expect(grownErrors(errors, backtestAt(6, 5), new Float64Array(8), Float64Array.of(1, 1), 1)).toEqual(errors);
  });

  it('are levels of whole seasons: a quiet weekend is no decline', () => {
    const week = Float64Array.from({ length: 28 }, (_, t) => (t % 7 < 5 ? 10 : 1));
    expect(grownErrors(errors, backtestAt(26, 12), week, Float64Array.of(10, 10), 7)).toEqual(errors);
  });
});

describe('the width of intervals', () => {
  it('is the wider the fewer errors there are', () => {
    const alike = (count: number) => spreadOf(Array.from({ length: count }, () => Float64Array.of(-1, 1)));
    const width = (count: number) => halfWidths(alike(count), 0.5, 1)[0] ?? 0;
    expect(width(3)).toBeGreaterThan(width(4));
    expect(width(4)).toBeGreaterThan(width(40));
  });
});
