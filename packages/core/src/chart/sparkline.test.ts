import { describe, expect, it } from 'vitest';
import { sparkline } from './index.js';

describe('a line of blocks', () => {
  it('rises and falls with the values; a gap is a space', () => {
    expect(sparkline([0, 1, 2, 3, null, 7, 0], { width: 10 })).toBe('▁▂▃▄ █▁');
  });

  it('stands in the middle where all values are equal, unless a range is given', () => {
    expect(sparkline([5, 5], { width: 10 })).toBe('▅▅');
    expect(sparkline([100, 0, 50], { width: 10, low: 0, high: 100 })).toBe('█▁▅');
  });

  it('shows means where there are more values than columns', () => {
    expect(sparkline([0, 0, 10, 10], { width: 2 })).toBe('▁█');
    expect(sparkline([null, null, 1, 2], { width: 2 })).toBe(' ▅');
    expect([
      ...sparkline(
        Array.from({ length: 1000 }, (_, at) => at),
        { width: 60 },
      ),
    ]).toHaveLength(60);
  });

  it('is empty without values', () => {
    expect(sparkline([], { width: 10 })).toBe('');
  });
});
