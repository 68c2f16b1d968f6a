import { costTables } from '@bylaw/core/cost';
import { describe, expect, it } from 'vitest';
import { DEFAULTS, dayAt, forecastOf, noise, only, workdays } from './forecast.test-support.js';
import { forecast } from './index.js';
import { atWallHours, leadsOf, wallHours } from './wall-hours.js';

const HOUR = 3_600_000;

/** The forecast of a series in Berlin, where clocks are put forward on 2026-03-29 and back on 2026-10-25. */
function inBerlin(granularity: 'day' | 'hour', start: string, values: readonly number[], horizon: number) {
  const [table] = costTables({ currency: 'EUR', timezone: 'Europe/Berlin', series: [{ id: 'a', granularity, start, values }] });
  if (!table) throw new Error('no table');
  return only(forecast(table, [], { ...DEFAULTS, horizon }));
}

describe('where clocks are changed', () => {
  it('a day costs what its hours cost', () => {
    const random = noise(2);
    const hours = (day: number) => (new Date(Date.UTC(2026, 0, 1 + day)).toISOString().startsWith('2026-03-29') ? 23 : 24);
    const values = Array.from({ length: 290 }, (_, day) => hours(day) * (10 + 0.1 * random())); // to 2026-10-17
    const made = inBerlin('day', '2026-01-01', values, 14);
    const before = made.points.find(({ start }) => start === '2026-10-24')?.mean ?? 0;
    const long = made.points.find(({ start }) => start === '2026-10-25')?.mean ?? 0;
    expect(before).toBeCloseTo(240, -1);
    expect(long / before).toBeCloseTo(25 / 24, 2);
    expect(made.history).toMatchObject({ buckets: 290, gaps: 0 });
  });

  it('hours go by the clock, forwards and back', () => {
    const local = (at: number) =>
      Number(new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', hour: 'numeric', hourCycle: 'h23' }).format(at));
    const usual = (at: number) => (local(at) >= 8 && local(at) < 18 ? 10 : 4);
    for (const begin of ['2026-03-02', '2026-09-28']) {
      const first = Date.parse(`${begin}T00:00:00Z`);
      const random = noise(7);
      // The clocks are changed in the fourth night; half of the forecast is after it.
      const values = Array.from({ length: 24 * 25 }, (_, t) => usual(first + t * HOUR) + 0.1 * random());
      const made = inBerlin('hour', `${begin}T00:00:00Z`, values, 24 * 6);
      expect(made.points).toHaveLength(24 * 6);
      expect(made.seasons).toContain(24);
      for (const { start, mean } of made.points) expect([start, Math.abs(mean - usual(Date.parse(start))) < 1]).toEqual([start, true]);
    }
  });

  it('an hour that the clock shows twice is one, and one that it skips a gap', () => {
    // Sunday in October from one o'clock, and Sunday in March: hours of the week.
    const back = wallHours(Uint16Array.of(145, 146, 146, 147, 148), 4);
    expect([...atWallHours(Float64Array.of(1, 2, 4, 5), back)]).toEqual([1, 3, 5]);
    expect([...leadsOf(back, 4)]).toEqual([0]);
    const forward = wallHours(Uint16Array.of(145, 147, 148, 149), 2);
    expect([...atWallHours(Float64Array.of(1, 2), forward)]).toEqual([1, Number.NaN, 2]);
    expect([...leadsOf(forward, 2)]).toEqual([0, 1]);
    expect([...leadsOf(wallHours(Uint16Array.of(167, 0, 1), 1), 1)]).toEqual([0, 1]);
  });
});

describe('what is unusual', () => {
  it('is not replaced where it lasts to the end, for it may stay; and that is said', () => {
    const values = workdays(150).map((value, t) => (t >= 148 ? value * 2 : value));
    const made = forecastOf(values);
    expect(made.notes).toEqual(['the last buckets are unusual, and it is too early to tell whether the change lasts']);
    expect(made.points[6]?.mean).toBeGreaterThan((forecastOf(workdays(150)).points[6]?.mean ?? 0) * 1.1);
  });

  it('is nothing that comes now and then, unless the calendar says when', () => {
    const random = noise(11);
    const rare = forecastOf(Array.from({ length: 200 }, () => (random() > 0.35 ? 100 : 0)));
    expect(rare.notes).toEqual([]);
    expect(rare.weights).toHaveProperty('croston');
    const mean = rare.points.reduce((sum, point) => sum + point.mean, 0) / rare.points.length;
    expect(mean).toBeGreaterThan(5);
    expect(mean).toBeLessThan(25);
    const monthly = forecastOf(Array.from({ length: 120 }, (_, t) => (dayAt(t).day === 3 ? 500 : 0)));
    expect(monthly.points.filter(({ mean: value }) => value > 1)).toEqual([expect.objectContaining({ start: '2026-05-03', mean: 500 })]);
  });

  it('is measured against the smallest unit of the currency', () => {
    const [yen, dinar] = ['JPY', 'KWD'].map((currency) => {
      const [table] = costTables({ currency, series: [{ id: 'a', granularity: 'day', start: '2026-01-01', values: Array(40).fill(7) }] });
      return table && only(forecast(table, [], DEFAULTS)).points[0];
    });
    expect(yen).toMatchObject({ mean: 7, lower_95: 6, upper_95: 8 });
    expect(dinar).toMatchObject({ mean: 7, lower_95: 6.999, upper_95: 7.001 });
  });
});
