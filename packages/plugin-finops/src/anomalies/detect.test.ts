import { describe, expect, it } from 'vitest';
import { detect } from './detect.js';
import type { AnomalyParameters } from './parameters.js';
import { days, leafOf, tableOf, usualDays } from './series.test-support.js';

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
});
