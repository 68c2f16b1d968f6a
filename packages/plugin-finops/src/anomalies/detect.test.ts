import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detect } from './detect.js';
import type { AnomalyParameters } from './parameters.js';
import { days, hours, leafOf, tableOf, usualDays, usualHours } from './series.test-support.js';

const PARAMETERS: AnomalyParameters = {
  threshold_z: 4.5,
  min_impact: { amount: 10, percent: 5 },
  direction: 'both',
  monitors: [['*'], ['service'], ['account']],
  max_drivers: 5,
  planned: [],
  history_days: 400,
  include_buckets: false,
};

const COUNT = 150;
const spiked = (at: number, by: number, level = 100) => usualDays(COUNT, level).map((value, index) => (index === at ? value + by : value));
const leaf = (service: string, account: string, cost: Float64Array, more = {}) => leafOf({ service, account }, cost, more);
const steady = [leaf('compute', 'a', usualDays(COUNT, 200)), leaf('storage', 'b', usualDays(COUNT, 50))];

describe('anomalies of a bill', () => {
  it('are reported once, by the monitor that says most, which covers the others', () => {
    const { anomalies, counts } = detect(tableOf([...steady, leaf('database', 'a', spiked(120, 500))]), PARAMETERS);
    expect(anomalies).toHaveLength(1);
    expect(anomalies[0]).toMatchObject({
      id: expect.stringMatching(/^an_[0-9a-f]{12}$/),
      monitor: ['service'],
      dimensions: { service: 'database' },
      start: days(COUNT)[120],
      end: days(COUNT)[120],
      status: 'closed',
      direction: 'up',
      kind: 'spike',
      severity: 'HIGH',
      covers: [expect.any(String), expect.any(String)],
    });
    expect(anomalies[0]?.impact).toBeGreaterThan(480);
    expect(anomalies[0]?.explanation).toContain('Cost of database');
    expect(counts.series).toBe(6);
  });

  it('name the part of the total that moved, and why', () => {
    const cost = spiked(120, 600);
    const quantity = cost.map((value) => value / 2);
    const { anomalies } = detect(tableOf([...steady, leaf('database', 'b', cost, { quantity, unit: 'h' })]), {
      ...PARAMETERS,
      monitors: [['*']],
    });
    expect(anomalies[0]?.drivers[0]).toMatchObject({ dimensions: { service: 'database' }, share: expect.closeTo(1, 1) });
    expect(anomalies[0]?.causes[0]).toMatchObject({ kind: 'usage', share: expect.closeTo(1, 1) });
  });

  it('are caused by the price where the quantity stays', () => {
    const quantity = usualDays(COUNT);
    const cost = quantity.map((value, at) => value * (at >= 120 ? 3 : 1));
    const { anomalies } = detect(tableOf([...steady, leaf('database', 'b', cost, { quantity, unit: 'h' })]), PARAMETERS);
    expect(anomalies[0]).toMatchObject({ kind: 'level-shift', causes: [{ kind: 'unit-price', share: expect.closeTo(1, 1) }] });
  });

  it('are caused by a new resource where one has appeared', () => {
    const cost = spiked(120, 500);
    const resources = new Map([
      ['vm-1', new Map([...usualDays(COUNT)].map((value, at) => [at, value] as const))],
      ['vm-2', new Map([[120, 500]])],
    ]);
    const { anomalies } = detect(tableOf([...steady, leaf('database', 'b', cost, { resources })]), PARAMETERS);
    expect(anomalies[0]?.causes[0]?.kind).toBe('new-resource');
    expect(anomalies[0]?.drivers[0]?.resources[0]).toEqual({ id: 'vm-2', amount: 500 });
  });

  it('are marked where they were planned, for what the plan touches', () => {
    const table = tableOf([...steady, leaf('database', 'a', spiked(120, 500))]);
    const day = days(COUNT)[120] ?? '';
    const status = (match: { [name: string]: string }) =>
      detect(table, { ...PARAMETERS, planned: [{ start: day, end: day, match, note: 'sale' }] }).anomalies[0];
    expect(status({ service: 'database' })).toMatchObject({ status: 'planned', planned: 'sale' });
    expect(status({})).toMatchObject({ status: 'planned' });
    expect(status({ service: 'compute' })?.status).toBe('closed');
  });

  it('of days that are not final are reported where they are too dear already, and not where they are too cheap', () => {
    const last = COUNT - 1;
    const dear = detect(tableOf([...steady, leaf('database', 'a', spiked(last, 500))], { provisionalFrom: COUNT - 2 }), PARAMETERS);
    expect(dear.anomalies.map(({ status }) => status)).toEqual(['provisional']);
    const cheap = detect(tableOf([...steady, leaf('database', 'a', spiked(last, -80))], { provisionalFrom: COUNT - 2 }), PARAMETERS);
    expect(cheap.anomalies).toEqual([]);
  });

  it('tell where a series begins, and where one ends', () => {
    const begun = usualDays(COUNT).map((value, at) => (at < 100 ? Number.NaN : value));
    const ended = usualDays(COUNT).map((value, at) => (at < 100 ? value : 0));
    const { anomalies } = detect(tableOf([...steady, leaf('queue', 'c', begun), leaf('cache', 'd', ended)]), {
      ...PARAMETERS,
      monitors: [['service']],
    });
    expect(anomalies.map(({ kind, dimensions: { service } }) => [kind, service]).sort()).toEqual([
      ['ended-series', 'cache'],
      ['new-series', 'queue'],
    ]);
  });

  it('may be rises only, and must be worth their while', () => {
    const table = tableOf([...steady, leaf('database', 'a', spiked(110, -90)), leaf('queue', 'a', spiked(130, 300))]);
    expect(detect(table, { ...PARAMETERS, direction: 'up' }).anomalies.map(({ direction }) => direction)).toEqual(['up']);
    expect(detect(table, { ...PARAMETERS, min_impact: { amount: 1000, percent: 5 } }).anomalies).toEqual([]);
  });

  it('that were planned are those that begin in the time of the plan', () => {
    const burst = usualDays(COUNT).map((value, at) => (at >= 120 && at < 126 ? value + 300 : value));
    const status = (start: number, end: number) => {
      const [from = '', to = ''] = [days(COUNT)[start], days(COUNT)[end]];
      return detect(tableOf([...steady, leaf('database', 'a', burst)]), {
        ...PARAMETERS,
        planned: [{ start: from, end: to }],
      }).anomalies.map((one) => one.status);
    };
    expect(status(120, 121)).toEqual(['planned']);
    expect(status(115, 119)).toEqual(['closed']);
    expect(status(121, 130)).toEqual(['closed']);
  });

  it('keep their identifier when days become final and when later ones arrive', () => {
    const cost = usualDays(COUNT).map((value, at) => (at >= 140 ? value + 400 : value));
    const until = (count: number, provisionalFrom: number) =>
      detect(
        tableOf([...steady.map((one) => ({ ...one, cost: one.cost.slice(0, count) })), leaf('database', 'a', cost.slice(0, count))], {
          provisionalFrom,
        }),
        PARAMETERS,
      ).anomalies;
    const [partial, settled, later] = [until(141, 139), until(143, 141), until(COUNT, COUNT)];
    expect([partial, settled, later].map(([one]) => one?.status)).toEqual(['provisional', 'open', 'closed']);
    expect(new Set([partial, settled, later].flatMap((all) => all.map(({ id }) => id)))).toHaveLength(1);
  });

  it('count no day that may still fill up to a fall', () => {
    const cost = usualDays(COUNT).map((value, at) => (at >= COUNT - 3 ? value * 0.2 : value));
    const { anomalies } = detect(tableOf([...steady, leaf('database', 'a', cost)], { provisionalFrom: COUNT - 2 }), PARAMETERS);
    expect(anomalies).toMatchObject([{ direction: 'down', start: days(COUNT)[COUNT - 3], end: days(COUNT)[COUNT - 3], status: 'open' }]);
  });

  it('say how much would have been usual: the bounds of their days, added up', () => {
    const cost = usualDays(COUNT).map((value, at) => (at === 120 || at === 121 ? value + 500 : value));
    const { anomalies, series } = detect(tableOf([leaf('database', 'a', cost)]), {
      ...PARAMETERS,
      monitors: [['*']],
      include_buckets: true,
    });
    const both = series[0]?.buckets.slice(120, 122) ?? [];
    const sum = (of: 'expected' | 'lower' | 'upper') => both.reduce((all, bucket) => all + (bucket[of] ?? 0), 0);
    for (const name of ['expected', 'lower', 'upper'] as const) expect(anomalies[0]?.[name]).toBeCloseTo(sum(name), 4);
    expect(anomalies[0]?.upper).toBeLessThan(anomalies[0]?.actual ?? 0);
  });

  it('come from their drivers whole, also where a new level was left again', () => {
    const burst = usualDays(COUNT).map((value, at) => (at >= 120 && at < 128 ? value * 3 : value));
    const [found] = detect(tableOf([...steady, leaf('database', 'b', burst)]), { ...PARAMETERS, monitors: [['*']] }).anomalies;
    const [driver] = found?.drivers ?? [];
    expect(found).toMatchObject({ kind: 'burst', end: days(COUNT)[127] });
    expect(((driver?.actual ?? 0) - (driver?.expected ?? 0)) / (found?.impact ?? 0)).toBeCloseTo(1, 1);
  });

  it('tell every time that a series fell silent, also where it began again', () => {
    const cost = usualDays(COUNT).map((value, at) => (at >= 80 && at < 100 ? 0 : value));
    const kinds = (count: number) =>
      detect(tableOf([leaf('queue', 'c', cost.slice(0, count))]), PARAMETERS).anomalies.map(({ kind, start, z }) => [kind, start, z]);
    const ended = ['ended-series', days(COUNT)[80], null];
    expect(kinds(95)).toEqual([ended]);
    expect(kinds(COUNT)[0]).toEqual(ended);
  });

  it('are found where cost creeps up, too slowly for an alarm', () => {
    const cost = usualDays(COUNT).map((value, at) => value * (at < 100 ? 1 : 1.012 ** (at - 100)));
    const { anomalies } = detect(tableOf([leaf('logs', 'a', cost)]), PARAMETERS);
    expect(anomalies.map(({ kind }) => kind)).toContain('ramp');
    expect(anomalies.every(({ direction, lower, expected, upper }) => direction === 'up' && lower < expected && expected < upper)).toBe(
      true,
    );
  });

  it('of groups too small to be worth one are those of all of them together', () => {
    const small = Array.from({ length: 40 }, (_, at) =>
      leaf(
        `job-${at}`,
        'a',
        usualDays(COUNT, 0.2).map((value, day) => (day === 120 ? value + 2 : value)),
      ),
    );
    const { anomalies, series } = detect(tableOf([...steady, ...small]), { ...PARAMETERS, monitors: [['service']], include_buckets: true });
    expect(series.map(({ dimensions: { service } }) => service)).toEqual(['compute', 'other', 'storage']);
    expect(anomalies).toMatchObject([{ dimensions: { service: 'other' }, start: days(COUNT)[120] }]);
  });

  it('of small groups stay what they were when one of them grows large', () => {
    const jobs = Array.from({ length: 20 }, (_, at) =>
      usualDays(COUNT, 0.2).map((value, day) => (day === 80 ? value + 3 : at < 3 && day >= 120 ? value + 40 : value)),
    );
    const until = (count: number) =>
      detect(tableOf([...steady.map(({ dimensions, cost }) => leafOf(dimensions, cost.slice(0, count))), ...jobsUntil(count)]), {
        ...PARAMETERS,
        monitors: [['service']],
        include_buckets: true,
      });
    const jobsUntil = (count: number) => jobs.map((cost, at) => leaf(`job-${at}`, 'a', cost.slice(0, count)));
    const [then, now] = [until(115), until(COUNT)];
    const other = ({ series }: typeof then) => series.find(({ dimensions: { service } }) => service === 'other')?.buckets ?? [];
    expect(then.anomalies).toMatchObject([{ dimensions: { service: 'other' }, start: days(COUNT)[80] }]);
    expect(other(now).slice(0, 115)).toEqual(other(then));
    expect(now.anomalies[0]).toEqual(then.anomalies[0]);
    // Each of the three is an event of its own, and the pool neither rises nor falls beside them.
    const others = now.anomalies.slice(1).map(({ dimensions: { service } }) => service);
    expect(others.sort()).toEqual(['job-0', 'job-1', 'job-2']);
  });

  it('of a group that was small for its first days only are its own, and the pool is without it', () => {
    const grown = usualDays(COUNT, 5).map((value, at) => (at < 60 ? Number.NaN : at === 120 ? value + 100 : value));
    const small = Array.from({ length: 5 }, (_, at) => leaf(`job-${at}`, 'a', usualDays(COUNT, 0.2)));
    const { anomalies, series } = detect(tableOf([...steady, ...small, leaf('queue', 'a', grown)]), {
      ...PARAMETERS,
      monitors: [['service']],
      include_buckets: true,
    });
    expect(anomalies).toMatchObject([{ dimensions: { service: 'queue' }, start: days(COUNT)[120] }]);
    const pool = series.find(({ dimensions: { service } }) => service === 'other')?.buckets ?? [];
    expect(Math.max(...pool.slice(70).map(({ actual }) => actual ?? 0))).toBeLessThan(2);
  });

  it('do not depend on what the smallest coin is, but for amounts below it', () => {
    const tiny = usualDays(COUNT, 0.4).map((value, at) => (at === 120 ? 30 : value));
    const of = (currency: string) => detect(tableOf([leaf('a', 'a', tiny)], { currency }), PARAMETERS).anomalies[0];
    expect(of('USD')?.z).toBeGreaterThan(100);
    // No yen is ever split: 0.4 and 30 of them are 1 and 30.
    expect(of('JPY')?.z).toBeLessThan(of('USD')?.z ?? 0);
  });

  it('are the same whatever the order of the leaves', () => {
    const leaves = [...steady, leaf('database', 'a', spiked(120, 500)), leaf('queue', 'b', spiked(90, 200))];
    expect(detect(tableOf(leaves.toReversed()), PARAMETERS).anomalies).toEqual(detect(tableOf(leaves), PARAMETERS).anomalies);
  });

  it('need some history, and none is invented for a short one', () => {
    const short = tableOf([leaf('a', 'a', usualDays(15)), leaf('b', 'a', Float64Array.of(...usualDays(14), 9000))]);
    expect(detect(short, PARAMETERS)).toMatchObject({ anomalies: [], counts: { too_short: 4 } });
    expect(detect(tableOf([leaf('a', 'a', new Float64Array(100))]), PARAMETERS).anomalies).toEqual([]);
    expect(detect(tableOf([leaf('a', 'a', Float64Array.of(5))]), PARAMETERS).anomalies).toEqual([]);
  });

  it('shows every bucket where it is asked to', () => {
    const { series } = detect(tableOf(steady), { ...PARAMETERS, monitors: [['*']], include_buckets: true });
    expect(series[0]?.buckets).toHaveLength(COUNT);
    expect(series[0]?.buckets[0]).toMatchObject({ expected: null, z: null, provisional: false });
  });

  it('are reported for the last days only, and evaluated by all', () => {
    const table = tableOf([
      ...steady,
      leaf(
        'database',
        'a',
        spiked(60, 500).map((value, at) => (at === 140 ? value + 500 : value)),
      ),
    ]);
    const [all, last] = [400, 28].map((history_days) => detect(table, { ...PARAMETERS, history_days, include_buckets: true }));
    expect(all?.anomalies).toHaveLength(2);
    expect(last?.anomalies).toEqual(all?.anomalies.slice(1));
    expect(last?.series[0]?.buckets).toEqual(all?.series[0]?.buckets.slice(-28));
  });
});

describe('what is said of the past', () => {
  /** Days within which alarms are one event. */
  const YOUNG = 3;
  const level = fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 2, 3, 0, Number.NaN);

  it('stays, whatever comes later', () => {
    fc.assert(
      fc.property(fc.array(level, { minLength: 100, maxLength: 100 }), fc.integer({ min: 40, max: 99 }), (factors, cut) => {
        const cost = usualDays(factors.length).map((value, at) => value * (factors[at] ?? 1));
        const until = (count: number) =>
          detect(tableOf([leaf('compute', 'a', cost.slice(0, count))]), { ...PARAMETERS, monitors: [['service']], include_buckets: true });
        const [then, now] = [until(cut), until(cost.length)];
        expect(now.series[0]?.buckets.slice(0, cut)).toEqual(then.series[0]?.buckets);
        const later = new Map(now.anomalies.map((one) => [one.id, one]));
        // An event that is over has its place for good; one that is young may still grow, and fall below the least impact by what it grows by.
        const over = then.anomalies.filter(({ end }) => end < (days(cut - YOUNG).at(-1) ?? ''));
        for (const { id, start, direction } of over) expect(later.get(id)).toMatchObject({ start, direction });
      }),
      { numRuns: 60 },
    );
  });

  it('of small groups stays, whatever they become later', () => {
    const size = fc.constantFrom(0.02, 0.1, 0.3, 0.5, 2);
    const group = fc.record({ size, begin: fc.nat(60), grows: fc.integer({ min: 40, max: 140 }), by: fc.constantFrom(1, 5, 50) });
    fc.assert(
      fc.property(fc.array(group, { minLength: 2, maxLength: 8 }), fc.integer({ min: 40, max: 119 }), (groups, cut) => {
        const until = (count: number) =>
          detect(
            tableOf([
              leafOf({ service: 'a', account: 'a' }, usualDays(count)),
              ...groups.map(({ size: level, begin, grows, by }, name) =>
                leaf(
                  `job-${name}`,
                  'a',
                  usualDays(count, level).map((value, at) => (at < begin ? Number.NaN : at < grows ? value : value * by)),
                ),
              ),
            ]),
            { ...PARAMETERS, monitors: [['service']], include_buckets: true },
          );
        const [then, now] = [until(cut), until(120)];
        const later = new Map(now.series.map((one) => [one.id, one.buckets]));
        for (const { id, buckets } of then.series) expect(later.get(id)?.slice(0, cut)).toEqual(buckets);
        const found = new Set(now.anomalies.flatMap(({ id, covers }) => [id, ...covers]));
        for (const { id, end } of then.anomalies) if (end < (days(cut - YOUNG).at(-1) ?? '')) expect(found).toContain(id);
      }),
      { numRuns: 60 },
    );
  });
});

describe('buckets other than days of UTC', () => {
  const quiet = { ...PARAMETERS, monitors: [['service']] };

  it('are hours, with the hours of the week as their season', () => {
    const count = 24 * 70;
    const table = (cost: Float64Array, from?: number) =>
      tableOf([leaf('compute', 'a', cost)], { granularity: 'hour', buckets: hours(count, from) });
    expect(detect(table(usualHours(count)), quiet).anomalies).toEqual([]);
    const at = 24 * 66 + 3;
    const { anomalies } = detect(table(usualHours(count).map((value, hour) => (hour === at ? value * 3 : value))), quiet);
    expect(anomalies).toMatchObject([{ kind: 'spike', start: hours(count)[at] }]);
  });

  it('are hours of a zone whose clock is changed: the night comes an hour earlier by UTC', () => {
    const [count, first] = [24 * 70, Date.UTC(2026, 0, 29, -1)];
    const clock = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', hour: 'numeric', hourCycle: 'h23' });
    const buckets = hours(count, first);
    const cost = usualHours(count).map((_, at) => {
      const hour = Number(clock.format(new Date(buckets[at] ?? 0)));
      return (hour < 8 ? 20 : 100) * (1 + 0.02 * (((at * 7919) % 101) / 101 - 0.5));
    });
    const of = (timezone: string) =>
      detect(tableOf([leaf('compute', 'a', cost)], { granularity: 'hour', timezone, buckets }), quiet).anomalies;
    expect(of('Europe/Berlin')).toEqual([]);
    expect(of('UTC')).not.toEqual([]);
  });

  it('are days of 23 and of 25 hours, which cost as much by the hour', () => {
    const buckets = days(COUNT);
    const at = buckets.indexOf('2026-03-29');
    const cost = usualDays(COUNT, 2400).map((value, day) => (day === at ? (value * 23) / 24 : value));
    const bucket = (timezone: string) =>
      detect(tableOf([leaf('compute', 'a', cost)], { timezone }), { ...quiet, include_buckets: true }).series[0]?.buckets[at];
    const [berlin, utc] = [bucket('Europe/Berlin'), bucket('UTC')];
    expect(berlin?.expected).toBeCloseTo(((utc?.expected ?? 0) * 23) / 24, 0);
    expect(Math.abs(berlin?.z ?? 9)).toBeLessThan(Math.abs(utc?.z ?? 0));
  });

  it('are months, of which one without cost ends a series only after half a year of cost', () => {
    const buckets = Array.from({ length: 24 }, (_, at) => new Date(Date.UTC(2024, at, 1)).toISOString().slice(0, 10));
    const ended = (costs: (at: number) => number) =>
      detect(
        tableOf(
          [
            leaf(
              'support',
              'a',
              Float64Array.from(buckets, (_, at) => costs(at)),
            ),
          ],
          { granularity: 'month', buckets },
        ),
        {
          ...quiet,
          history_days: 1200,
        },
      ).anomalies.flatMap(({ kind, start }) => (kind === 'ended-series' ? [start] : []));
    expect(ended((at) => (at % 3 === 0 ? 300 : 0))).toEqual([]);
    expect(ended((at) => (at < 8 ? 300 : 0))).toEqual([buckets[8]]);
  });

  it('are months, which cost by their days', () => {
    const count = 36;
    const buckets = Array.from({ length: count }, (_, at) => new Date(Date.UTC(2023, at, 1)).toISOString().slice(0, 10));
    const daysOf = (at: number) => new Date(Date.UTC(2023, at + 1, 0)).getUTCDate();
    const cost = Float64Array.from({ length: count }, (_, at) => 100 * daysOf(at));
    const { anomalies, series } = detect(tableOf([leaf('compute', 'a', cost)], { granularity: 'month', buckets }), {
      ...quiet,
      history_days: 1200,
      include_buckets: true,
    });
    expect(anomalies).toEqual([]);
    for (const { actual, expected, z } of series[0]?.buckets.slice(22) ?? []) {
      expect(expected).toBeCloseTo(actual ?? 0, 6);
      expect(z).toBeCloseTo(0, 6);
    }
  });
});
