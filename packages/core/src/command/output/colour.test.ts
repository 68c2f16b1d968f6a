import { describe, expect, it } from 'vitest';
import { useColour } from './colour.js';

describe('colours', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [false, { FORCE_COLOR: '3', NO_COLOR: '1' }, true],
  ])('on a terminal: %s, with %j: %s', (isTTY, env, expected) => {
    expect(useColour({ isTTY }, env)).toBe(expected);
  });
});
