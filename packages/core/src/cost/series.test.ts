import { describe, expect, it } from 'vitest';
import { costTables, type PlainSeries } from './index.js';
import { plain } from './table.test-support.js';

const series = (more: Partial<PlainSeries> = {}): PlainSeries => ({
  id: 'a',
  granularity: 'day',
  start: '2026-03-01',
  values: [1, null, 3],
  ...more,
});
const failing = (code: string, message = '') => expect.objectContaining({ code, message: expect.stringContaining(message) });

describe('plain series', () => {
  it('become a table: a leaf for each, on the buckets of all of them', () => {
    const [table] = costTables({
      currency: 'EUR',
      series: [
        series({ id: 'b', start: '2026-03-03', values: [5], dimensions: { service: 'S3' } }),
        series({ dimensions: { account: '1' } }),
      ],
    });
    expect(table).toMatchObject({
      ...{ currency: 'EUR', granularity: 'day', timezone: 'UTC', buckets: ['2026-03-01', '2026-03-02', '2026-03-03'], provisionalFrom: 3 },
      ...{ dimensions: ['account', 'service'], excluded: { tax: 0, credit: 0, adjustment: 0, other: 0 }, rows: 4, warnings: [] },
    });
    expect(table?.leaves.map(({ id, dimensions, cost }) => [id, dimensions, plain(cost)])).toEqual([
      ['a', { account: '1', service: '' }, [1, null, 3]],
      ['b', { account: '', service: 'S3' }, [null, null, 5]],
    ]);
  });

  it('are the same table in any order', () => {
    const all = [series(), series({ id: 'b', values: [7] }), series({ id: 'c', start: '2026-02-27', values: [0, 0] })];
    expect(plain(costTables({ series: all.toReversed() }))).toEqual(plain(costTables({ series: all })));
  });

  it('have quantities, given or by the price of a unit', () => {
    const leaf = (more: Partial<PlainSeries>) => costTables({ series: [series({ values: [6, null, 3], ...more })] })[0]?.leaves[0];
    expect(plain(leaf({ quantity: [2, 1, null] })?.quantity)).toEqual([2, 1, null]);
    expect(plain(leaf({ unit_price: [2, 1, 0] })?.quantity)).toEqual([3, null, null]);
    expect(leaf({})?.quantity).toBeUndefined();
  });

  it('of a zone begin on the day of that zone', () => {
    const at = (start: string, timezone: string) => costTables({ timezone, series: [series({ start, values: [1] })] })[0]?.buckets;
    expect(at('2026-03-01', 'America/Los_Angeles')).toEqual(['2026-03-01']);
    expect(at('2026-03-01', 'Pacific/Auckland')).toEqual(['2026-03-01']);
    expect(at('2026-03-01T00:00:00Z', 'America/Los_Angeles')).toEqual(['2026-02-28']);
  });

  it('go over days of 23 and 25 hours without a hole', () => {
    const [table] = costTables({ timezone: 'Europe/Berlin', series: [series({ start: '2026-03-28', values: [1, 2, 3] })] });
    expect(table?.buckets).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
    expect(plain(table?.leaves[0]?.cost)).toEqual([1, 2, 3]);
  });

  it('are final unless the request says up to where the data is known', () => {
    const provisional = (as_of: string) => costTables({ as_of, series: [series({ values: [1, 2, 3, 4] })] })[0]?.provisionalFrom;
    expect(provisional('2026-03-05')).toBe(2);
    expect(provisional('2026-03-07')).toBe(4);
    expect(costTables({ settle_days: 1, series: [series({ values: [1, 2, 3, 4] })] })[0]?.provisionalFrom).toBe(3);
  });

  it.each([
    ['hour', '2026-03-01T05:00:00Z', ['2026-03-01T05:00:00Z', '2026-03-01T06:00:00Z', '2026-03-01T07:00:00Z']],
    ['week', '2026-03-04', ['2026-03-02', '2026-03-09', '2026-03-16']],
    ['month', '2026-01-31', ['2026-01-01', '2026-02-01', '2026-03-01']],
  ] as const)('may have buckets of a %s', (granularity, start, buckets) => {
    expect(costTables({ series: [series({ granularity, start })] })[0]?.buckets).toEqual(buckets);
  });

  it('may name dimensions as hostile as they like', () => {
    const dimensions: { [name: string]: string } = JSON.parse('{"__proto__":"x","constructor":"y"}');
    const [table] = costTables({ series: [series({ dimensions }), series({ id: 'b' })] });
    expect(table?.dimensions).toEqual(['__proto__', 'constructor']);
    expect(table?.leaves.map((leaf) => Object.entries(leaf.dimensions))).toEqual([
      [
        ['__proto__', 'x'],
        ['constructor', 'y'],
      ],
      [
        ['__proto__', ''],
        ['constructor', ''],
      ],
    ]);
  });

  it.each([
    ['no series', [], 'no-usable-rows', 'no series'],
    ['granularities that differ', [series(), series({ id: 'b', granularity: 'week' })], 'granularity-mixed', '/series/1/granularity'],
    ['names that stand twice', [series(), series({ id: 'b' }), series()], 'cost-row-invalid', '/series/2/id'],
    ['a start that is no day', [series({ start: '2026-02-31' })], 'cost-row-invalid', '/series/0/start'],
    ['quantities of other days', [series({ quantity: [1, 2] })], 'cost-row-invalid', '/series/0/quantity has 2 values, but `values` has 3'],
    ['prices of other days', [series(), series({ id: 'b', unit_price: [] })], 'cost-row-invalid', '/series/1/unit_price'],
    ['starts centuries apart', [series({ start: '1970-01-01' }), series({ id: 'b', start: '2900-01-01' })], 'cost-too-large', '200,000'],
  ])('are refused for %s', (_, all, code, message) => {
    expect(() => costTables({ series: all })).toThrow(failing(code, message));
  });

  it('are refused in a zone that does not exist', () => {
    expect(() => costTables({ timezone: 'Mars/Olympus', series: [series()] })).toThrow(failing('timezone-unknown'));
    expect(() => costTables({ timezone: 'Mars/Olympus', as_of: '2026-03-01', series: [series()] })).toThrow(failing('timezone-unknown'));
  });

  it('are refused where together they would not fit into memory', () => {
    const many = Array.from({ length: 1000 }, (_, index) => series({ id: `s${index}`, start: index === 0 ? '1900-01-01' : '2026-01-01' }));
    expect(() => costTables({ series: many })).toThrow(failing('cost-row-invalid', '/series/0/start'));
    const hours = many.map((one, index) => ({ ...one, granularity: 'hour' as const, start: index === 0 ? '2015-01-01' : '2026-01-01' }));
    expect(() => costTables({ series: hours })).toThrow(failing('cost-too-large', 'too many series'));
  });
});
