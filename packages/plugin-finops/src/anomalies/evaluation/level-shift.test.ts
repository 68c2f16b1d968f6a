import { describe, expect, it } from 'vitest';
import { isFromOrToNothing, isSum, shiftOf } from './level-shift.js';

const WEEK = { mode: 'factors' as const, slots: new Float64Array([1, 1, 1, 1, 1, 0.5, 0.5]) };
const slotOf = (index: number) => index % 7;
const week = (change: (usual: number) => number) => new Float64Array(7).map((_, at) => change(100 * (WEEK.slots[at] ?? 0)));

describe('a shift of level', () => {
  it('is as large as its first buckets are above the level before', () => {
    const shift = shiftOf(
      week((usual) => usual + 40),
      70,
      100,
      slotOf,
      WEEK,
    );
    expect(shift).toMatchObject({ start: 70, at: 76, level: 100, sign: 1, by: 40, isAdded: false });
    expect(
      shiftOf(
        week((usual) => usual * 0.5),
        70,
        100,
        slotOf,
        WEEK,
      ),
    ).toMatchObject({ sign: -1, by: -50 });
  });

  it('is a sum if its weekends show it', () => {
    const shift = shiftOf(new Float64Array(4).fill(140), 70, 100, slotOf, WEEK);
    expect(
      isSum(
        week((usual) => usual + 40),
        shift,
        slotOf,
      ),
    ).toBe(true);
    expect(
      isSum(
        week((usual) => usual * 1.4),
        shift,
        slotOf,
      ),
    ).toBe(false);
  });

  it('begins or ends at nothing if one level is below a hundredth of the other', () => {
    expect([isFromOrToNothing(100, 1), isFromOrToNothing(1, 100), isFromOrToNothing(100, 2), isFromOrToNothing(0, 50)]).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });
});
