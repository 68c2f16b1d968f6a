import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Driven, driverEffects } from './lmdi.js';

const size = fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 1e9, noNaN: true }));

/** Made of its three factors, any of which may be nothing: an item that is not there does not have one. */
const driven = fc.tuple(size, size, size).map(([activity, perUnit, perKwh]): Driven => {
  const energyKwh = activity * perUnit;
  return { activity, energyKwh, operational: energyKwh * perKwh };
});

const NOTHING: Driven = { activity: 0, energyKwh: 0, operational: 0 };

describe('the effects of activity, efficiency and grid', () => {
  it('add up to the difference, whatever is new, gone or nothing', () => {
    fc.assert(
      fc.property(driven, driven, (before, after) => {
        const { activity, efficiency, grid } = driverEffects(before, after);
        const delta = after.operational - before.operational;
        const largest = Math.max(Math.abs(activity), Math.abs(efficiency), Math.abs(grid), Math.abs(delta));
        expect(Math.abs(activity + efficiency + grid - delta)).toBeLessThanOrEqual(1e-12 * largest);
      }),
      { numRuns: 20_000 },
    );
  });

  it('are those of the other direction with the other sign', () => {
    fc.assert(
      fc.property(driven, driven, (before, after) => {
        const [there, back] = [driverEffects(before, after), driverEffects(after, before)];
        const largest = Math.max(...Object.values(there).map(Math.abs), before.operational, after.operational);
        for (const name of ['activity', 'efficiency', 'grid'] as const)
          expect(Math.abs(there[name] + back[name])).toBeLessThanOrEqual(1e-9 * largest);
      }),
      { numRuns: 5_000 },
    );
  });

  it('are of one factor alone where only that one changed', () => {
    const before = { activity: 10, energyKwh: 20, operational: 5 };
    expect(driverEffects(before, { activity: 20, energyKwh: 40, operational: 10 })).toMatchObject({ activity: 5, efficiency: 0 });
    expect(driverEffects(before, { activity: 10, energyKwh: 10, operational: 2.5 })).toMatchObject({ activity: 0, efficiency: -2.5 });
    expect(driverEffects(before, { activity: 10, energyKwh: 20, operational: 1 })).toEqual({ activity: 0, efficiency: 0, grid: -4 });
  });

  it('of what is new or gone are activity, and of a grid without emissions are grid', () => {
    const some = { activity: 10, energyKwh: 20, operational: 5 };
    expect(driverEffects(NOTHING, some)).toEqual({ activity: 5, efficiency: 0, grid: 0 });
    expect(driverEffects(some, NOTHING)).toEqual({ activity: -5, efficiency: 0, grid: 0 });
    expect(driverEffects({ ...some, operational: 0 }, some)).toEqual({ activity: 0, efficiency: 0, grid: 5 });
  });
});
