import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alarmsOf, evaluatedDays, usualDays } from '../series.test-support.js';

const withFees = (count: number, on: readonly number[]) => usualDays(count).map((value, at) => (on.includes(at) ? value + 250 : value));

const changed = (values: Float64Array, changes: { [at: number]: number }) => values.map((value, at) => changes[at] ?? value);

describe('evaluating a cost series', () => {
  it('finds nothing where nothing happens, weekends and noise included', () => {
    const evaluated = evaluatedDays(usualDays(365));
    expect(alarmsOf(evaluated)).toEqual([]);
    expect([...evaluated.z.slice(56)].every((z) => Math.abs(z) < 4.5)).toBe(true);
  });

  it('finds a spike on its day, and is not misled afterwards', () => {
    const evaluated = evaluatedDays(changed(usualDays(120), { 90: 400 }));
    expect(alarmsOf(evaluated)).toEqual([90]);
    expect(evaluated.alarm[90]).toBe(1);
    expect(evaluated.expected[90]).toBeGreaterThan(90);
    expect(evaluated.expected[90]).toBeLessThan(110);
    expect(evaluated.clean[90]).toBeCloseTo(evaluated.expected[90] ?? 0, 9);
  });

  it('finds a day that costs nothing', () => {
    const evaluated = evaluatedDays(changed(usualDays(120), { 95: 0 }));
    expect(alarmsOf(evaluated)).toEqual([95]);
    expect(evaluated.alarm[95]).toBe(-1);
  });

  it('accepts a new level on its fourth day', () => {
    const evaluated = evaluatedDays(usualDays(140).map((value, at) => (at >= 90 ? value * 2 : value)));
    expect(alarmsOf(evaluated)).toEqual([90, 91, 92, 93]);
    expect(evaluated.accepted).toEqual([93]);
    expect(evaluated.returned).toEqual([]);
  });

  it('takes the way back to the level before for the end, not for an anomaly of its own', () => {
    const evaluated = evaluatedDays(usualDays(140).map((value, at) => (at >= 90 && at < 97 ? value * 2 : value)));
    expect(alarmsOf(evaluated)).toEqual([90, 91, 92, 93]);
    expect(evaluated.returned).toEqual([{ start: 90, end: 96 }]);
  });

  it('learns a fee on the first of the month from two months, and takes the second for the first again', () => {
    const firsts = [0, 31, 59, 90, 120, 151];
    const evaluated = evaluatedDays(withFees(180, firsts));
    expect(alarmsOf(evaluated)).toEqual([]);
    expect(evaluated.expected[151]).toBeGreaterThan(300);
    const missing = evaluatedDays(withFees(180, firsts.slice(0, 5)));
    expect(alarmsOf(missing)).toEqual([151]);
  });

  it('learns a fee on the last day of the month, however long it is', () => {
    const evaluated = evaluatedDays(withFees(185, [30, 58, 89, 119, 150, 180]));
    expect(alarmsOf(evaluated).filter((at) => at > 89)).toEqual([]);
  });

  it('takes a change of the week for a change after three weeks', () => {
    const evaluated = evaluatedDays(usualDays(240).map((value, at) => (at >= 120 && [2, 3].includes(at % 7) ? value * 0.3 : value)));
    expect(alarmsOf(evaluated).filter((at) => at > 145)).toEqual([]);
  });

  it('evaluates what is not final, and learns nothing from it', () => {
    const values = usualDays(120);
    const partial = evaluatedDays(changed(values, { 118: 30, 119: 400 }), { provisionalFrom: 118 });
    expect(alarmsOf(partial)).toEqual([118, 119]);
    expect(partial.expected.slice(0, 118)).toEqual(evaluatedDays(values).expected.slice(0, 118));
  });

  it('evaluates a series that is zero on most days, and one with credits, by amounts', () => {
    const rare = new Float64Array(150).map((_, at) => (at % 7 === 0 ? 50 : 0));
    expect(alarmsOf(evaluatedDays(changed(rare, { 120: 900 })))).toContain(120);
    const credits = usualDays(150).map((value, at) => (at === 60 ? -200 : value));
    expect(alarmsOf(evaluatedDays(changed(credits, { 140: 900 })))).toContain(140);
  });

  it('takes noise that comes again on the same day of a month for noise: nothing is expected after the event', () => {
    const values = usualDays(150);
    const { expected, z } = evaluatedDays(values);
    expect([...expected.keys()].filter((at) => expected[at] === values[at])).toEqual([]);
    expect([...z].filter((one) => one === 0)).toEqual([]);
  });

  it('evaluates amounts by the level, on days on which nothing is expected, too', () => {
    const noise = (at: number) => ((at * 7919) % 101) / 101 - 0.5;
    const weekdays = Float64Array.from(
      { length: 240 },
      (_, at) => ([2, 3].includes(at % 7) ? 80 : 2000) * noise(at) * 0.1 + ([2, 3].includes(at % 7) ? 0 : 2000),
    );
    expect(alarmsOf(evaluatedDays(weekdays))).toEqual([]);
    const [weekday, weekend] = [204, 205];
    const both = evaluatedDays(weekdays.map((value, at) => (at === weekday || at === weekend ? value + 900 : value)));
    expect(alarmsOf(both)).toEqual([weekday, weekend]);
  });

  it('goes over gaps', () => {
    const evaluated = evaluatedDays(usualDays(150).map((value, at) => (at % 11 === 5 ? Number.NaN : value)));
    expect(alarmsOf(evaluated)).toEqual([]);
    expect(evaluated.z[60]).toBeNaN();
  });

  it('evaluates a series by its own age, wherever in the table it begins', () => {
    const after = (before: number) => evaluatedDays(Float64Array.of(...new Float64Array(70).fill(before), ...usualDays(150)));
    const [zeros, gaps] = [after(0), after(Number.NaN)];
    expect(zeros.z).toEqual(gaps.z);
    expect(gaps.z.findIndex((z) => !Number.isNaN(z))).toBe(70 + 21);
    expect(alarmsOf(zeros)).toEqual([]);
  });

  it('takes the second of two fees for known where the first began the series', () => {
    const fees = new Float64Array(150);
    for (const at of [31, 59, 90, 120]) fees[at] = 240;
    expect(alarmsOf(evaluatedDays(fees))).toEqual([]);
  });

  const values = fc
    .array(fc.double({ min: 0, max: 1000, noNaN: true }), { minLength: 30, maxLength: 120 })
    .map((list) => Float64Array.from(list));

  it('has what is expected between its bounds, always', () => {
    fc.assert(
      fc.property(values, (list) => {
        const evaluated = evaluatedDays(list);
        for (const [at, expected] of evaluated.expected.entries()) {
          if (Number.isNaN(expected)) continue;
          expect(evaluated.lower[at]).toBeLessThanOrEqual(expected);
          expect(evaluated.upper[at]).toBeGreaterThanOrEqual(expected);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('says the same of a day whatever comes after it', () => {
    fc.assert(
      fc.property(values, fc.nat(119), (all, cut) => {
        const end = Math.min(all.length, Math.max(1, cut));
        const [whole, part] = [evaluatedDays(all), evaluatedDays(all.slice(0, end))];
        expect(part.alarm).toEqual(whole.alarm.slice(0, end));
        expect(part.expected).toEqual(whole.expected.slice(0, end));
        expect(part.z).toEqual(whole.z.slice(0, end));
      }),
      { numRuns: 300 },
    );
  });

  it('does not depend on the currency: a hundredfold amount gives the same distances', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 10, max: 1000, noNaN: true }), { minLength: 60, maxLength: 100 }), (list) => {
        const one = evaluatedDays(Float64Array.from(list));
        const other = evaluatedDays(Float64Array.from(list, (value) => value * 128));
        expect(other.alarm).toEqual(one.alarm);
        for (const [at, z] of one.z.entries()) if (!Number.isNaN(z)) expect(other.z[at]).toBeCloseTo(z, 6);
      }),
      { numRuns: 100 },
    );
  });
});
