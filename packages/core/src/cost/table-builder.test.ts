import { describe, expect, it } from 'vitest';
import { TableBuilder } from './table/table-builder.js';
import { costsOf, daysFrom, focusRow, plain, type Row, tableOf, tablesOf } from './table.test-support.js';

const failing = (code: string, message = '') => expect.objectContaining({ code, message: expect.stringContaining(message) });

function errorOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('a row', () => {
  it('that covers several days is spread over them by seconds', () => {
    const table = tableOf([
      {
        start: '2026-03-01T12:00:00Z',
        end: '2026-03-03T12:00:00Z',
        cost: 48,
        more: { ChargeFrequency: 'Recurring', PricingQuantity: 4, PricingUnit: 'GB' },
      },
    ]);
    expect(costsOf(table, table.leaves[0])).toEqual({ '2026-03-01': 12, '2026-03-02': 24, '2026-03-03': 12 });
    expect([...(table.leaves[0]?.quantity ?? [])]).toEqual([1, 2, 1]);
    expect(table.leaves[0]?.unit).toBe('GB');
  });

  it('that is charged one time stands on its first day', () => {
    const table = tableOf([
      { start: '2026-03-01', end: '2026-03-04T00:00:00Z', cost: 90, more: { ChargeFrequency: 'One-Time' } },
      { start: '2026-03-03', cost: 1 },
    ]);
    expect(costsOf(table, table.leaves[0])).toEqual({ '2026-03-01': 90, '2026-03-02': 0, '2026-03-03': 1 });
    expect(plain(table.leaves[0]?.oneTime)).toEqual([90, null, 0]);
  });

  it('belongs to its charge period, not to the period of its bill', () => {
    const table = tableOf([{ start: '2026-03-31', cost: 5, more: { BillingPeriodStart: '2026-04-01', BillingPeriodEnd: '2026-05-01' } }]);
    expect(table.buckets).toEqual(['2026-03-31']);
  });

  it('whose end is its start stands on its first day', () => {
    expect(tableOf([{ start: '2026-03-31', end: '2026-03-31', cost: 5 }]).buckets).toEqual(['2026-03-31']);
  });

  it('that stands twice counts twice: usage of one hour may come in equal parts', () => {
    const row = { start: '2026-03-01', cost: 2.5 };
    expect([...(tableOf([row, row]).leaves[0]?.cost ?? [])]).toEqual([5]);
  });

  it('may cost less than nothing, and nothing', () => {
    const table = tableOf([
      { start: '2026-03-01', cost: -3 },
      { start: '2026-03-02', cost: 0 },
      { start: '2026-03-03', cost: -0 },
    ]);
    expect(plain(table.leaves[0]?.cost)).toEqual([-3, 0, 0]);
  });

  it.each([
    ['a cost that is empty', { EffectiveCost: '' }, 'EffectiveCost is empty'],
    ['a cost of null', { EffectiveCost: null }, 'EffectiveCost is empty'],
    ['a cost that is no number', { EffectiveCost: 'secret' }, 'EffectiveCost must be a number'],
    ['a cost without bounds', { EffectiveCost: 'Infinity' }, 'EffectiveCost must be a number'],
    ['a start that is no instant', { ChargePeriodStart: 'secret' }, 'ChargePeriodStart must be a date or a timestamp'],
    ['an end that is no instant', { ChargePeriodEnd: 'secret' }, 'ChargePeriodEnd must be a date or a timestamp'],
    ['a category that FOCUS does not have', { ChargeCategory: 'secret' }, 'ChargeCategory must be one of Usage'],
    ['a cost that no bill has', { EffectiveCost: '1e16' }, 'The cost is too large'],
    ['a quantity that no bill has', { PricingQuantity: '1e31', PricingUnit: 'h' }, 'The quantity is too large'],
    ['a period of centuries', { ChargePeriodEnd: '2990-01-01' }, 'covers more than 100,000 buckets'],
  ])('is refused for %s, with its place and without its value', (_, more, message) => {
    const rows = [
      { start: '2026-03-01', cost: 1 },
      { start: '2026-03-02', cost: 1, more },
    ];
    const error = errorOf(() => tableOf(rows));
    expect(error).toMatchObject({
      code: 'cost-row-invalid',
      message: expect.stringMatching(/^focus_rows, row 2: /),
      path: '/focus_rows/1',
    });
    expect(error).toMatchObject({ message: expect.stringContaining(message) });
    expect(String(error)).not.toContain('secret');
  });
});

describe('a bucket without rows', () => {
  const on = (...days: string[]): Row[] => days.map((start) => ({ start, cost: 1 }));

  it('costs nothing within seven days of a row, and is a gap beyond', () => {
    const table = tableOf(on('2026-03-01', '2026-03-20'));
    const costs = costsOf(table, table.leaves[0]);
    expect(costs['2026-03-08']).toBe(0);
    expect(costs['2026-03-09']).toBe(null);
    expect(costs['2026-03-12']).toBe(null);
    expect(costs['2026-03-13']).toBe(0);
  });

  it('costs nothing in the month beside one with rows, and is a gap beyond', () => {
    const months = (granularity: 'week' | 'month') => {
      const table = tableOf(on('2026-01-10', '2026-05-10'), { granularity });
      return Object.values(costsOf(table, table.leaves[0])).map((cost) => (cost === null ? '-' : String(cost)));
    };
    expect(months('month').join('')).toBe('10-01');
    expect(months('week').join('')).toBe(`10${'-'.repeat(14)}01`);
  });

  it('costs nothing on the seventh day after a row, though the clock was changed between', () => {
    const table = tableOf(on('2026-10-20', '2026-11-20'), { timezone: 'Europe/Berlin' });
    // A day of UTC reaches into the next one of Berlin.
    expect(costsOf(table, table.leaves[0])).toMatchObject({ '2026-10-28': 0, '2026-10-29': null });
  });

  it('of a series that begins later or ends earlier than others is a gap, but for the week beside it', () => {
    const service = (ServiceName: string, start: string): Row => ({ start, cost: 1, more: { ServiceName } });
    const table = tableOf([...daysFrom('2026-03-01', 31).map((day) => service('A', day)), service('B', '2026-03-16')]);
    const costs = Object.values(costsOf(table, table.leaves[1]));
    expect(costs.map((cost) => (cost === null ? '-' : String(cost))).join('')).toBe(
      `${'-'.repeat(8)}${'0'.repeat(7)}1${'0'.repeat(7)}${'-'.repeat(8)}`,
    );
  });
});

describe('buckets whose data may still change', () => {
  const rows = daysFrom('2026-03-01', 10).map((start) => ({ start, cost: 1 }));

  it('are those of the last two days, where nothing else is told', () => {
    expect(tableOf(rows).provisionalFrom).toBe(8);
    expect([0, 0.5, 3].map((settle_days) => tableOf(rows, { settle_days }).provisionalFrom)).toEqual([10, 9, 7]);
  });

  it.each([
    ['2026-03-06', 3],
    ['2026-04-01', 10],
    ['2026-01-01', 0],
  ])('are counted back from what is known: %s', (as_of, index) => {
    expect(tableOf(rows, { as_of }).provisionalFrom).toBe(index);
  });

  it('are counted back from the start of a day of the zone', () => {
    const local = daysFrom('2026-03-01', 10).map((day) => ({ start: `${day}T08:00:00Z`, end: `${day}T09:00:00Z`, cost: 1 }));
    expect(tableOf(local, { as_of: '2026-03-06', timezone: 'America/Los_Angeles' }).provisionalFrom).toBe(3);
    expect(tableOf(local, { as_of: '2026-03-06', timezone: 'Pacific/Auckland' }).provisionalFrom).toBe(3);
  });

  it('begin after the last complete sector of time', () => {
    const recency = [
      { start: '2026-03-01', end: '2026-03-05', complete: true },
      { start: '2026-03-05', end: '2026-03-11', complete: false },
    ];
    expect(tableOf(rows, { recency }).provisionalFrom).toBe(4);
    expect(tableOf(rows, { recency: recency.slice(1) }).provisionalFrom).toBe(0);
    expect(tableOf(rows, { recency: [] }).provisionalFrom).toBe(tableOf(rows).provisionalFrom);
  });

  it('are none of months, and six of hours', () => {
    expect(tableOf(rows, { granularity: 'month' }).provisionalFrom).toBe(1);
    expect(tableOf(rows, { granularity: 'hour' }).provisionalFrom).toBe(240 - 6);
  });

  it.each([
    [{ as_of: 'tomorrow' }, '/as_of'],
    [{ recency: [{ start: '2026-03-01', end: '2026-02-31', complete: true }] }, '/recency/0/end'],
  ])('cannot be told by what is no time: %j', (input, path) => {
    expect(() => tableOf(rows, input)).toThrow(failing('instant-invalid', path));
  });
});

describe('what is left out of the series', () => {
  const rows: Row[] = [
    { start: '2026-03-01', cost: 100 },
    { start: '2026-03-01', cost: 19, more: { ChargeCategory: 'Tax' } },
    { start: '2026-03-01', cost: -10, more: { ChargeCategory: 'Credit' } },
    { start: '2026-03-01', cost: -5, more: { ChargeCategory: 'Adjustment' } },
    { start: '2026-03-01', cost: 7, more: { ChargeCategory: 'Purchase' } },
  ];

  it('is tax, credits and adjustments, each with its total', () => {
    const table = tableOf(rows);
    expect(plain(table.leaves[0]?.cost)).toEqual([107]);
    expect(table).toMatchObject({ excluded: { tax: 19, credit: -10, adjustment: -5, other: 0 }, rows: 5 });
  });

  it('is what the request does not include', () => {
    const table = tableOf(rows, { include_categories: ['Usage', 'Credit'] });
    expect(plain(table.leaves[0]?.cost)).toEqual([90]);
    expect(table.excluded).toEqual({ tax: 19, credit: 0, adjustment: -5, other: 7 });
  });

  it('may be everything, which is an error', () => {
    expect(() => tableOf(rows.slice(1, 4))).toThrow(failing('no-usable-rows', 'The input has 3 rows, but none in an included category.'));
    expect(() => tableOf(rows.slice(1, 2))).toThrow(failing('no-usable-rows', 'The input has 1 row, but none in'));
    expect(() => tablesOf([])).toThrow(failing('no-usable-rows', 'no rows'));
  });
});

describe('corrections', () => {
  it('adjust the period to which they belong, and are counted', () => {
    const table = tableOf([
      { start: '2026-03-01', cost: 100 },
      { start: '2026-03-02', cost: 100 },
      { start: '2026-03-01', cost: -40, more: { ChargeClass: 'Correction' } },
    ]);
    expect(plain(table.leaves[0]?.cost)).toEqual([60, 100]);
    expect(table.corrections).toEqual({ rows: 1, amount: -40 });
  });
});

describe('commitments', () => {
  it('tell which share of the cost they cover, and what of them nothing used', () => {
    const [leaf] = tableOf([
      { start: '2026-03-01', cost: 30, more: { CommitmentDiscountStatus: 'Used' } },
      { start: '2026-03-01', cost: 10, more: { CommitmentDiscountStatus: 'Unused' } },
      { start: '2026-03-01', cost: 60 },
      { start: '2026-03-02', cost: 5 },
    ]).leaves;
    expect(plain(leaf?.committed)).toEqual([30 / 90, 0]);
    expect(plain(leaf?.unused)).toEqual([10, 0]);
  });

  it('cover a share of the quantity, where the bill has one: what they cover is cheap', () => {
    const hours = (PricingQuantity: number, more: object = {}) => ({ PricingQuantity, PricingUnit: 'Hours', ...more });
    const [leaf] = tableOf([
      { start: '2026-03-01', cost: 30, more: hours(75, { CommitmentDiscountStatus: 'Used', ResourceId: 'vm-1' }) },
      { start: '2026-03-01', cost: 10, more: hours(20, { CommitmentDiscountStatus: 'Unused', ResourceId: 'plan' }) },
      { start: '2026-03-01', cost: 0, more: { ChargeCategory: 'Purchase', PricingQuantity: 1, PricingUnit: 'Years' } },
      { start: '2026-03-01', cost: 70, more: hours(25) },
      { start: '2026-03-03', cost: 5, more: hours(10) },
    ]).leaves;
    expect(plain(leaf?.committed)).toEqual([0.75, null, 0]);
    expect(plain(leaf?.quantity)).toEqual([100, null, 10]);
    expect(leaf?.unit).toBe('Hours');
    expect([...(leaf?.resources?.keys() ?? [])]).toEqual(['vm-1']);
  });

  it('make billed cost lumpy, which is a warning', () => {
    const rows: Row[] = [{ start: '2026-03-01', cost: 0, more: { ChargeCategory: 'Purchase', BilledCost: 1000 } }];
    expect(tableOf(rows, { metric: 'BilledCost' }).warnings).toMatchObject([{ code: 'lumpy-metric' }]);
    expect(tableOf(rows).warnings).toEqual([]);
  });
});

describe('currencies', () => {
  const rows: Row[] = [
    { start: '2026-03-01', cost: 10 },
    { start: '2026-03-01', cost: 5, more: { BillingCurrency: 'eur' } },
    { start: '2026-03-01', cost: 3, more: { BillingCurrency: 'GBP' } },
  ];

  it('are never added up: each has its table', () => {
    expect(tablesOf(rows).map(({ currency, leaves }) => [currency, ...(leaves[0]?.cost ?? [])])).toEqual([
      ['EUR', 5],
      ['GBP', 3],
      ['USD', 10],
    ]);
  });

  it('are known as far as one another', () => {
    const later: Row[] = [...rows, { start: '2026-03-09', cost: 10 }];
    expect(tablesOf(later).map(({ buckets, provisionalFrom }) => buckets.length - provisionalFrom)).toEqual([0, 0, 2]);
  });

  it('are converted by the rates that the request has, and by no others', () => {
    const tables = tablesOf(rows, { currency: 'USD', fx: { EUR: 1.1 } });
    expect(tables.map(({ currency, leaves }) => [currency, ...(leaves[0]?.cost ?? [])])).toEqual([
      ['GBP', 3],
      ['USD', 15.5],
    ]);
    expect(() => tablesOf(rows, { currency: 'USD', fx: { constructor: 2 } })).not.toThrow();
  });

  it('need a currency where there are rates', () => {
    expect(() => tablesOf(rows, { fx: { EUR: 1.1 } })).toThrow(failing('currency-mixed'));
  });

  it('that rows do not name are that of the request, or none, with a warning', () => {
    const unnamed: Row[] = [{ start: '2026-03-01', cost: 5, more: { BillingCurrency: '' } }];
    expect(tableOf(unnamed, { currency: 'JPY' })).toMatchObject({ currency: 'JPY', warnings: [] });
    expect(tableOf(unnamed)).toMatchObject({ currency: 'XXX', warnings: [{ code: 'currency-missing' }] });
  });
});

describe('leaves', () => {
  it('are split by account, region, service and what the request groups by, and sorted', () => {
    const row = (account: string, team: string, cost: number): Row => ({
      start: '2026-03-01',
      cost,
      more: { SubAccountId: account, Tags: { team } },
    });
    const table = tableOf([row('2', 'b', 1), row('1', 'b', 2), row('2', 'a', 4), row('2', 'b', 8)], { group_by: ['tag:team'] });
    expect(table.dimensions).toEqual(['account', 'region', 'service', 'tag:team']);
    expect(table.leaves.map(({ dimensions, cost }) => [dimensions['account'], dimensions['tag:team'], ...cost])).toEqual([
      ['1', 'b', 2],
      ['2', 'a', 4],
      ['2', 'b', 9],
    ]);
  });

  it('are empty in a standard dimension that the form does not have, and by a column of the table for any other name', () => {
    const table = tableOf([{ start: '2026-03-01', cost: 1, more: { x_CostCentre: '42', ['__proto__x']: 'y' } }], {
      group_by: ['publisher', 'x_CostCentre', '__proto__x'],
    });
    expect(table.leaves[0]?.dimensions).toMatchObject({ publisher: '', x_CostCentre: '42', ['__proto__x']: 'y' });
  });

  it('cannot be split by what is not there', () => {
    expect(() => tableOf([{ start: '2026-03-01', cost: 1, more: { x_CostCentre: '42' } }], { group_by: ['x_CostCenter'] })).toThrow(
      expect.objectContaining({ code: 'dimension-unknown', hint: expect.stringContaining('x_CostCentre') }),
    );
  });

  it('keep the cost of each resource by its bucket', () => {
    const row = (ResourceId: string, start: string, cost: number): Row => ({ start, cost, more: { ResourceId } });
    const table = tableOf([
      row('i-2', '2026-03-02', 1.5),
      row('i-1', '2026-03-01', 2),
      row('i-2', '2026-03-01', 1),
      row('null', '2026-03-01', 9),
    ]);
    expect(plain(table.leaves[0]?.resources)).toEqual([
      ['i-1', [[0, 2]]],
      [
        'i-2',
        [
          [0, 1],
          [1, 1.5],
        ],
      ],
    ]);
  });

  it('have no quantity where units differ, for hours and gigabytes have no sum', () => {
    const row = (PricingUnit: string): Row => ({ start: '2026-03-01', cost: 1, more: { PricingQuantity: 1, PricingUnit } });
    expect(tableOf([row('Hours'), row('GB')]).leaves[0]?.quantity).toBeUndefined();
    expect(plain(tableOf([row('GB'), row('GB')]).leaves[0]?.quantity)).toEqual([2]);
  });
});

describe('calendars', () => {
  const hours = (first: string, count: number): Row[] =>
    Array.from({ length: count }, (_, hour) => {
      const at = Date.parse(first) + hour * 3_600_000;
      return { start: new Date(at).toISOString(), end: new Date(at + 3_600_000).toISOString(), cost: 1 };
    });

  it.each([
    ['the day on which clocks go forward has 23 hours', '2026-03-28T23:00:00Z', ['2026-03-29', '2026-03-30', '2026-03-31'], [23, 24, 24]],
    ['the day on which they go back has 25', '2026-10-24T22:00:00Z', ['2026-10-25', '2026-10-26'], [25, 24]],
  ])('of a zone: %s', (_, first, buckets, counts) => {
    const table = tableOf(
      hours(
        first,
        counts.reduce((sum, count) => sum + count),
      ),
      { timezone: 'Europe/Berlin' },
    );
    expect(table.buckets).toEqual(buckets);
    expect([...(table.leaves[0]?.cost ?? [])]).toEqual(counts);
  });

  it('of a zone with half an hour begin the day where it begins there', () => {
    const table = tableOf([{ start: '2026-03-01T18:29:59Z', end: '2026-03-01T18:30:01Z', cost: 2 }], { timezone: 'Asia/Kolkata' });
    expect(costsOf(table, table.leaves[0])).toEqual({ '2026-03-01': 1, '2026-03-02': 1 });
  });

  it('of a zone whose clocks change at midnight have that day, too', () => {
    // In Beirut 2022-03-27 begins at 01:00.
    const table = tableOf(hours('2022-03-26T22:00:00Z', 23 + 24), { timezone: 'Asia/Beirut' });
    expect(costsOf(table, table.leaves[0])).toEqual({ '2022-03-27': 23, '2022-03-28': 24 });
  });

  it('have weeks from Monday, and months of their own length', () => {
    const days = daysFrom('2026-02-27', 5).map((start) => ({ start, cost: 1 }));
    const weeks = tableOf(days, { granularity: 'week' });
    expect(costsOf(weeks, weeks.leaves[0])).toEqual({ '2026-02-23': 3, '2026-03-02': 2 });
    const months = tableOf(days, { granularity: 'month' });
    expect(costsOf(months, months.leaves[0])).toEqual({ '2026-02-01': 2, '2026-03-01': 3 });
    const spread = tableOf([{ start: '2026-01-31', end: '2026-03-02', cost: 30 }], { granularity: 'month', timezone: 'America/New_York' });
    expect(Object.keys(costsOf(spread, spread.leaves[0]))).toEqual(['2026-01-01', '2026-02-01', '2026-03-01']);
  });

  it('of zones give weeks and months of the wall clock', () => {
    const rows = [{ start: '2026-03-01T23:30:00Z', end: '2026-03-01T23:40:00Z', cost: 1 }];
    expect(tableOf(rows, { granularity: 'week', timezone: 'Europe/Berlin' }).buckets).toEqual(['2026-03-02']);
    expect(tableOf(rows, { granularity: 'month', timezone: 'Pacific/Auckland' }).buckets).toEqual(['2026-03-01']);
    expect(tableOf(rows, { granularity: 'month', timezone: 'America/Los_Angeles' }).buckets).toEqual(['2026-03-01']);
    expect(tableOf(rows, { granularity: 'hour', timezone: 'Europe/Berlin' }).buckets).toEqual(['2026-03-01T23:00:00Z']);
  });

  it('of a zone that does not exist are refused', () => {
    expect(() => tableOf([{ start: '2026-03-01', cost: 1 }], { timezone: 'Mars/Olympus' })).toThrow(failing('timezone-unknown'));
  });
});

describe('limits', () => {
  it('drop the costs of all resources, in any order of rows, where there are too many', () => {
    const rows = ['i-1', 'i-2', 'i-1', 'i-3'].map((resource) => ({
      ...{
        start: Date.UTC(2026, 2, 1),
        end: Date.UTC(2026, 2, 2),
        currency: 'USD',
        cost: 1,
        category: 'Usage' as const,
        correction: false,
      },
      ...{ oneTime: false, quantity: Number.NaN, unit: '', commitment: 'none' as const, resource, dimensions: [] },
    }));
    const tableWith = (most: number, all: typeof rows) => {
      const options = {
        metric: 'EffectiveCost',
        granularity: 'day',
        timezone: 'UTC',
        dimensions: [],
        include: new Set(['Usage']),
      } as const;
      const builder = new TableBuilder(options, most);
      for (const row of all) builder.add(row);
      return builder.tables()[0];
    };
    expect(tableWith(3, rows)?.leaves[0]?.resources?.size).toBe(3);
    for (const all of [rows, rows.toReversed()]) {
      expect(tableWith(2, all)?.leaves[0]?.resources).toBeUndefined();
      expect(tableWith(2, all)).toMatchObject({ warnings: [{ code: 'resources-dropped' }] });
    }
  });

  it('hold more currencies than there are', () => {
    const rows = Array.from({ length: 301 }, (_, index) => ({ start: '2026-03-01', cost: 1, more: { BillingCurrency: `C${index}` } }));
    expect(tablesOf(rows.slice(1))).toHaveLength(300);
    expect(() => tablesOf(rows)).toThrow(failing('cost-row-invalid', 'The currency exceeds the limit of 300 currencies'));
  });

  it('hold dates that lie centuries apart', () => {
    const rows = [
      { start: '1970-01-01', cost: 1 },
      { start: '2990-01-01', cost: 1 },
    ];
    expect(() => tableOf(rows)).toThrow(failing('cost-too-large', '200,000 buckets'));
    expect(tableOf(rows, { granularity: 'month' }).buckets).toHaveLength(12_241);
  });

  it('hold more series and buckets than fit into memory', () => {
    const rows = Array.from({ length: 2000 }, (_, index) => ({
      start: index === 0 ? '2010-01-01' : '2026-01-01',
      cost: 1,
      more: { ServiceName: `s${index}` },
    }));
    expect(() => tableOf(rows, { granularity: 'hour' })).toThrow(failing('cost-too-large', 'too many'));
  });

  it('hold tables with too many columns', () => {
    const columns = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`c${index}`, 1]));
    expect(() => tableOf([{ start: '2026-01-01', cost: 1, more: columns }])).toThrow(failing('cost-file-invalid', '10,000 columns'));
    expect(focusRow({ start: '2026-01-01', cost: 1 })).toHaveProperty('EffectiveCost');
  });
});
