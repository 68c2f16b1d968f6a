import { costTables } from '@bylaw/core/cost';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULTS, dayAt, forecastOf, noise, only, tableOf, workdays } from './forecast.test-support.js';
import { forecast } from './index.js';

const bound = (of: object, name: string) => Number(Object.entries(of).find(([key]) => key === name)?.[1]);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('a forecast of daily cost', () => {
  it('goes on with the week, month by month, and says how good it would have been', () => {
    const made = forecastOf(workdays(150), { until: '2026-06-30' });
    expect(made).toMatchObject({ id: 's0', currency: 'USD', method: 'combination', seasons: [7], reliability: 'high' });
    expect(made.history).toEqual({ start: '2026-01-01', end: '2026-05-30', buckets: 150, gaps: 0 });
    expect(made.points).toHaveLength(31);
    expect(made.points[0]?.start).toBe('2026-05-31');
    for (const [j, { mean }] of made.points.entries()) expect(Math.abs(mean - (dayAt(150 + j).weekend ? 70 : 100))).toBeLessThan(4);
    expect(made.totals.map(({ period, complete }) => [period, complete])).toEqual([
      ['2026-05', true],
      ['2026-06', true],
    ]);
    expect(Math.abs((made.totals[1]?.total ?? 0) - (22 * 100 + 8 * 70))).toBeLessThan(40);
    expect(made.backtest).toMatchObject({ origins: 6, horizon: 31, verdict: 'better than naive' });
    expect(sum(Object.values(made.weights))).toBeCloseTo(1, 5);
  });

  it('does not forecast a spike again, and says so', () => {
    const values = workdays(150);
    const calm = forecastOf(values);
    const spiked = forecastOf(values.map((value, t) => (t === 140 ? 900 : value)));
    expect(sum(spiked.points.map(({ mean }) => mean)) / sum(calm.points.map(({ mean }) => mean))).toBeCloseTo(1, 1);
    expect(spiked.notes).toContain('1 unusual bucket was replaced by its expected value');
    expect(calm.notes).toEqual([]);
  });

  it('goes on from a new level that has lasted', () => {
    const made = forecastOf(workdays(150).map((value, t) => (t >= 130 ? value * 1.6 : value)));
    for (const { start, mean } of made.points) if (new Date(start).getUTCDay() % 6 !== 0) expect(mean).toBeGreaterThan(150);
  });

  it('repeats a fee on its day of the month', () => {
    const made = forecastOf(
      workdays(151).map((value, t) => value + (dayAt(t).day === 1 ? 500 : 0)),
      { horizon: 40 },
    );
    const first = made.points.find(({ start }) => start === '2026-06-01');
    expect(first?.mean).toBeGreaterThan(560);
    for (const { start, mean } of made.points) if (!start.endsWith('-01')) expect(mean).toBeLessThan(110);
    expect(made.notes.join()).toMatch(/on 2026-06-01, as in previous months/);
  });

  it('fills gaps of a week at most, and starts after a longer one', () => {
    const values: (number | null)[] = workdays(120);
    for (const t of [60, 61, 62]) values[t] = null;
    expect(forecastOf(values).history).toMatchObject({ buckets: 120, gaps: 3 });
    for (let t = 20; t < 40; t++) values[t] = null;
    expect(forecastOf(values).history).toMatchObject({ start: '2026-02-10', buckets: 80, gaps: 3 });
  });

  it('takes no notice of buckets that may still change', () => {
    const series = { id: 'a', granularity: 'day' as const, start: '2026-01-01', values: [...workdays(100), 1, 1] };
    const [table] = costTables({ currency: 'USD', series: [series], as_of: '2026-04-13' });
    const made = only(forecast(table ?? tableOf(), [], DEFAULTS));
    expect(made.history.end).toBe('2026-04-10');
    expect(made.points[0]?.mean).toBeGreaterThan(60);
  });
});

describe('series that say little', () => {
  it('needs two values', () => {
    expect(() => forecastOf([5])).toThrowError(expect.objectContaining({ code: 'series-too-short' }));
    const { forecasts, warnings } = forecast(tableOf({ values: workdays(30) }, { values: [1] }), [], DEFAULTS);
    expect(forecasts.map(({ id }) => id)).toEqual(['s0']);
    expect(warnings).toEqual([{ code: 'series-too-short', message: 's1 has fewer than two values and is not forecast.' }]);
  });

  it('repeats the last of a few values, with twice their range around it', () => {
    const made = forecastOf([10, 14, 12], { horizon: 1 });
    expect(made).toMatchObject({ method: 'last-value', reliability: 'none', backtest: null });
    expect(made.points).toEqual([
      { start: '2026-01-04', mean: 12, lower_80: expect.any(Number), upper_80: expect.any(Number), lower_95: 4, upper_95: 20 },
    ]);
  });

  it('knows zeros and constants', () => {
    const { forecasts, warnings } = forecast(tableOf({ values: new Array(40).fill(0) }), [], DEFAULTS);
    expect(forecasts[0]?.points[0]).toEqual({ start: '2026-02-10', mean: 0, lower_80: 0, upper_80: 0, lower_95: 0, upper_95: 0 });
    expect(warnings[0]?.code).toBe('series-zero');
    expect(forecastOf(new Array(40).fill(7)).points[0]).toMatchObject({ mean: 7, lower_95: 6.99, upper_95: 7.01 });
  });

  it('takes the intermittent for what it is', () => {
    const made = forecastOf(Array.from({ length: 90 }, (_, t) => (t % 4 === 1 ? 40 : 0)));
    expect(Object.keys(made.weights).sort()).toEqual(['croston', 'ses', 'snaive']);
    expect(sum(made.points.map(({ mean }) => mean)) / made.points.length).toBeCloseTo(10, -1);
  });

  it('lets credits be negative', () => {
    const random = noise(3);
    const made = forecastOf(Array.from({ length: 90 }, () => -20 + 4 * random()));
    for (const { mean } of made.points) expect(Math.abs(mean + 20)).toBeLessThan(2);
  });

  it('has low reliability without backtests', () => {
    expect(forecastOf([3, 5, 4, 6, 5, 7, 6, 8, 7], { horizon: 4 })).toMatchObject({
      method: 'combination',
      reliability: expect.stringMatching(/low|medium/),
    });
  });

  it('goes no further than half the history, and says so', () => {
    const { horizon, warnings } = forecast(tableOf({ values: workdays(40) }), [], { ...DEFAULTS, horizon: 100 });
    expect(horizon).toBe(20);
    expect(warnings[0]?.code).toBe('horizon-cut');
    expect(warnings[0]?.message).toMatch(/^The forecast horizon is [\d,]+ buckets? instead of /);
    expect(() => forecastOf(workdays(40), { until: '2026-01-05' })).toThrowError(/before it starts/);
  });
});

describe('other granularities', () => {
  it('compares months by their days where cost follows them', () => {
    const starts = Array.from({ length: 48 }, (_, t) => new Date(Date.UTC(2022, t + 1, 0)).getUTCDate());
    const made = forecastOf(
      starts.map((days) => days * 10),
      { horizon: 3 },
      { granularity: 'month', start: '2022-01-01' },
    );
    expect(made.points.map(({ mean }) => Math.round(mean))).toEqual([310, 280, 310]);
    expect(made.notes).toContain('months are compared by cost per day');
    const fixed = forecastOf(
      starts.map((_, t) => 300 + (t % 2)),
      { horizon: 3 },
      { granularity: 'month', start: '2022-01-01' },
    );
    for (const { mean } of fixed.points) expect(Math.abs(mean - 300.5)).toBeLessThan(1);
    expect(fixed.totals[0]?.period).toBe('2026');
  });

  it('knows the hours of the day and of the week', () => {
    const random = noise(5);
    const values = Array.from({ length: 24 * 28 }, (_, t) => (t % 24 >= 8 && t % 24 < 18 && t % 168 < 120 ? 10 : 4) + 0.2 * random());
    const made = forecastOf(values, { horizon: 48, backtest: { origins: 2 } }, { granularity: 'hour', start: '2026-01-05' });
    expect(made.points[0]?.start).toBe('2026-02-02T00:00:00Z');
    for (const [j, { mean }] of made.points.entries()) expect(Math.abs(mean - (j % 24 >= 8 && j % 24 < 18 ? 10 : 4))).toBeLessThan(0.5);
  });
});

describe('budgets', () => {
  const history = workdays(165); // to 2026-06-14
  const outlook = (amount: number) => forecastOf(history, { until: '2026-07-31', budgets: [{ id: 'b', amount, period: 'month' }] }).budgets;

  it('are evaluated by what is spent and what is to come', () => {
    const [june, july] = outlook(2_500);
    expect(june).toMatchObject({ id: 'b', period: '2026-06', amount: 2500 });
    expect(june?.probability_over).toBeGreaterThan(0.95);
    expect(june?.likely_crossing).toMatch(/^2026-06-2\d$/);
    expect(june?.expected_over).toBeGreaterThan(200);
    expect(july?.period).toBe('2026-07');
    expect(outlook(3_500)[0]).toMatchObject({ expected_over: 0, likely_crossing: null });
    expect(outlook(3_500)[0]?.probability_over).toBeLessThan(0.05);
  });

  it('are surely passed once they are spent', () => {
    expect(outlook(500)[0]).toMatchObject({ probability_over: 1, likely_crossing: '2026-06-06' });
  });

  it('are the less likely passed the larger they are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2_000, max: 3_400 }), fc.integer({ min: 0, max: 300 }), (amount, more) => {
        const [small, large] = [outlook(amount)[1], outlook(amount + more)[1]];
        expect(large?.probability_over ?? 2).toBeLessThanOrEqual(small?.probability_over ?? -1);
        expect(large?.expected_over ?? 1e9).toBeLessThanOrEqual(small?.expected_over ?? -1);
      }),
      { numRuns: 8 },
    );
  });

  it('say when nothing can be said of them', () => {
    const budgets = [
      { id: 'year', amount: 1, period: 'year' as const },
      { id: 'none', amount: 1, period: 'month' as const, match: { service: 'x' } },
    ];
    const { warnings } = forecast(tableOf({ values: history }), [], { ...DEFAULTS, budgets });
    expect(warnings.map(({ code, path }) => [code, path])).toEqual([
      ['budget-uncovered', '/budgets/0'],
      ['budget-unmatched', '/budgets/1'],
    ]);
  });
});

describe('parts and total', () => {
  const [a, b] = [workdays(120, 1), workdays(120, 2).map((value) => value * 3)];
  const table = tableOf({ id: 'a', values: a, dimensions: { service: 'A' } }, { id: 'b', values: b, dimensions: { service: 'B' } });

  it('sum up when they are reconciled', () => {
    const { forecasts, reconciliation } = forecast(table, [], { ...DEFAULTS, reconcile: true });
    const [total, ...parts] = forecasts;
    expect(forecasts.map(({ id }) => id)).toEqual(['total', 'a', 'b']);
    expect(reconciliation?.method).toBe('bottom-up-scaled');
    expect(reconciliation?.max_adjustment_percent).toBeLessThan(5);
    for (const [j, { mean }] of (total?.points ?? []).entries())
      expect(sum(parts.map(({ points }) => points[j]?.mean ?? 0))).toBeCloseTo(mean, 4);
  });

  it('are each on their own where nobody says that they belong together', () => {
    expect(forecast(table, [], DEFAULTS).forecasts.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('that end at different times stay as they are, and that is said', () => {
    const apart = tableOf({ id: 'a', values: a }, { id: 'b', values: b.slice(0, 90) });
    const { reconciliation, warnings, forecasts } = forecast(apart, [], { ...DEFAULTS, reconcile: true, horizon: 5 });
    expect(reconciliation).toBeNull();
    expect(warnings.map(({ code }) => code)).toEqual(['not-reconciled']);
    expect(forecasts).toHaveLength(3);
  });

  it('are refused where the answer would be too large to hold', () => {
    const values = new Array(800).fill(1);
    const many = tableOf(...Array.from({ length: 1_251 }, () => ({ values })));
    expect(() => forecast(many, [], { ...DEFAULTS, horizon: 400 })).toThrowError(expect.objectContaining({ code: 'cost-too-large' }));
  });

  it('know of what is to come', () => {
    const known_changes = [
      { start: '2026-05-10', end: '2026-05-12', add: 50, match: { service: 'A' } },
      { start: '2026-05-20', multiply: 2 },
      { start: '2026-05-25', add: 7, match: { service: 'C' } },
    ];
    const plain = forecast(table, [], { ...DEFAULTS, reconcile: true }).forecasts;
    const changed = forecast(table, [], { ...DEFAULTS, reconcile: true, known_changes }).forecasts;
    const difference = (at: number, day: string) => {
      const find = (of: typeof plain) => of[at]?.points.find(({ start }) => start === day)?.mean ?? 0;
      return [find(plain), find(changed)] as const;
    };
    const [before, after] = difference(1, '2026-05-11');
    expect(after - before).toBeCloseTo(50, 4);
    const [wholeBefore, wholeAfter] = difference(0, '2026-05-11');
    expect(wholeAfter - wholeBefore).toBeCloseTo(50, 4);
    expect(difference(2, '2026-05-11')[0]).toBe(difference(2, '2026-05-11')[1]);
    expect(difference(2, '2026-05-21')[1]).toBeCloseTo(2 * difference(2, '2026-05-21')[0], 4);
    expect(difference(1, '2026-05-13')[0]).toBe(difference(1, '2026-05-13')[1]);
  });
});

describe('every forecast', () => {
  const values = fc.array(fc.double({ min: 0, max: 1e5, noNaN: true }), { minLength: 2, maxLength: 70 });

  it('has intervals within one another, totals that are the sum of its points, and nothing negative where nothing was', () => {
    fc.assert(
      fc.property(values, fc.boolean(), (history, negative) => {
        const signed = negative ? history.map((value, t) => (t % 3 === 0 ? -value : value)) : history;
        const made = forecastOf(signed, { horizon: 20, budgets: [{ id: 'b', amount: 1000, period: 'month' }] });
        for (const point of [...made.points, ...made.totals]) {
          const mean = 'mean' in point ? point.mean : point.total;
          const bounds = ['lower_95', 'lower_80'].map((name) => bound(point, name));
          const uppers = ['upper_80', 'upper_95'].map((name) => bound(point, name));
          const all = [...bounds, mean, ...uppers];
          for (const [at, value] of all.entries()) {
            expect(Number.isFinite(value)).toBe(true);
            if (at > 0) expect(value).toBeGreaterThanOrEqual((all[at - 1] ?? 0) - 1e-6);
            if (!negative) expect(value).toBeGreaterThanOrEqual(0);
          }
        }
        const rest = sum(made.totals.map(({ forecast_rest }) => forecast_rest));
        const points = sum(made.points.map(({ mean }) => mean));
        expect(Math.abs(rest - points)).toBeLessThan(1e-3);
        for (const { probability_over } of made.budgets) expect(probability_over >= 0 && probability_over <= 1).toBe(true);
      }),
      { numRuns: 120 },
    );
  });

  // What is next to nothing is a matter of cents, so small amounts are left out; powers of two scale without rounding.
  const amounts = fc.array(fc.double({ min: 1, max: 1e5, noNaN: true }), { minLength: 2, maxLength: 70 });

  it('grows with the values', () => {
    fc.assert(
      fc.property(amounts, fc.constantFrom(2, 64, 1024), (history, factor) => {
        const [plain, scaled] = [
          forecastOf(history, { horizon: 5 }),
          forecastOf(
            history.map((value) => value * factor),
            { horizon: 5 },
          ),
        ];
        const size = Math.max(1, ...history) * factor;
        for (const [j, { mean }] of scaled.points.entries())
          expect(Math.abs(mean - factor * (plain.points[j]?.mean ?? 0)) / size).toBeLessThan(0.02);
      }),
      { numRuns: 60 },
    );
  });

  it('moves with the start of the series, week by week', () => {
    const [early, late] = ['2026-01-01', '2027-02-04'].map((start) => forecastOf(workdays(60), { horizon: 7 }, { start }));
    expect(late?.points.map(({ mean }) => mean)).toEqual(early?.points.map(({ mean }) => mean));
  });

  it('is the same whatever the order of the rows', () => {
    const rows = workdays(60).flatMap((cost, t) =>
      ['A', 'B'].map((service) => ({
        ChargePeriodStart: new Date(Date.UTC(2026, 0, 1 + t)).toISOString(),
        ChargePeriodEnd: new Date(Date.UTC(2026, 0, 2 + t)).toISOString(),
        BillingCurrency: 'USD',
        EffectiveCost: service === 'A' ? cost : cost / 3,
        BilledCost: cost,
        ChargeCategory: 'Usage',
        ServiceName: service,
      })),
    );
    const [one, other] = [rows, rows.toReversed()].map((focus_rows) => {
      const [table] = costTables({ focus_rows });
      return table && forecast(table, ['service'], { ...DEFAULTS, reconcile: true });
    });
    expect(one?.forecasts.map(({ id }) => id)).toEqual(['total', 'service=A', 'service=B']);
    expect({ ...other, historyOf: undefined }).toEqual({ ...one, historyOf: undefined });
  });
});
