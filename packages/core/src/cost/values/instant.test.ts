import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInstant } from './instant.js';

describe('an instant', () => {
  it.each([
    ['2025-04-01T00:00:00Z', '2025-04-01T00:00:00Z'],
    ['2025-04-01T00:00Z', '2025-04-01T00:00:00Z'],
    ['2025-04-01T02:30:00+02:00', '2025-04-01T00:30:00Z'],
    ['2025-04-01T02:30:00.250-0530', '2025-04-01T08:00:00.250Z'],
    ['2025-04-01 13:00:00 UTC', '2025-04-01T13:00:00Z'],
    ['2025-04-01 13:00:00.000', '2025-04-01T13:00:00Z'],
    ['2025-04-01', '2025-04-01T00:00:00Z'],
    ['20250401', '2025-04-01T00:00:00Z'],
    ['5/1/25', '2025-05-01T00:00:00Z'],
    ['05/01/2025', '2025-05-01T00:00:00Z'],
    ['5/1/25 6:05', '2025-05-01T06:05:00Z'],
    ['2023-02-01T30:00:00Z', '2023-02-02T06:00:00Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z'],
    [' 2025-04-01 ', '2025-04-01T00:00:00Z'],
  ])('is read from %j', (text, at) => {
    expect(parseInstant(text)).toBe(Date.parse(at));
    expect(parseInstant(text)).toBe(Date.parse(at));
  });

  it.each([
    ...['', 'yesterday', '2025-02-29', '2025-13-01', '2025-04-31', '25/12/2025', '2025-04-01T00:60:00Z', '2025-04-01T48:00:00Z'],
    ...['2025-04-01T00:00:00+24:00', '2025-04-01T00:00:00-05:60', '2025-04-01T00:00:00+99:00'],
    ...['1969-12-31', '1743465600', '2025-04', `2025-04-01${' '.repeat(100_000)}Z`],
  ])('is none in %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('is the one that was written, for each instant', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.UTC(2200, 0) }), (at) => {
        expect(parseInstant(new Date(at).toISOString())).toBe(at);
      }),
    );
  });
});
