import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CostFile, type CostInput, costFiles, costTables } from './index.js';
import { focusRow, plain } from './table.test-support.js';

/** Rows of every kind that a table treats in its own way. */
const row = fc
  .record({
    day: fc.integer({ min: 0, max: 40 }),
    hours: fc.constantFrom(1, 24, 36, 24 * 9),
    cents: fc.oneof(fc.integer({ min: -1e6, max: 1e9 }), fc.double({ min: -1e9, max: 1e9, noNaN: true })),
    currency: fc.constantFrom('USD', 'USD', 'EUR', ''),
    category: fc.constantFrom('Usage', 'Usage', 'Purchase', 'Tax', 'Credit'),
    frequency: fc.constantFrom('Usage-Based', 'One-Time'),
    correction: fc.boolean(),
    status: fc.constantFrom('', 'Used', 'Unused'),
    service: fc.constantFrom('EC2', 'S3, "cold"', 'Zürich\nzwei', ''),
    resource: fc.constantFrom('', 'i-1', 'arn:aws:ec2:eu-west-1:111:instance/i-2'),
    unit: fc.constantFrom('Hours', 'GB'),
    quantity: fc.option(fc.integer({ min: 0, max: 1000 })),
    team: fc.constantFrom('a', 'b', undefined),
  })
  .map((one) => {
    const start = Date.UTC(2026, 1, 20) + one.day * 86_400_000;
    return focusRow({
      start: new Date(start).toISOString(),
      end: new Date(start + one.hours * 3_600_000).toISOString(),
      cost: one.cents / 100,
      more: {
        ...{
          BillingCurrency: one.currency,
          ChargeCategory: one.category,
          ChargeFrequency: one.frequency,
          CommitmentDiscountStatus: one.status,
        },
        ...{ ChargeClass: one.correction ? 'Correction' : null, ServiceName: one.service, ResourceId: one.resource },
        ...{ PricingQuantity: one.quantity, PricingUnit: one.unit, Tags: one.team === undefined ? null : { team: one.team } },
      },
    });
  });

const rows = fc.array(row, { minLength: 1, maxLength: 30 });
const reading = fc.record({
  granularity: fc.constantFrom('day', 'week', 'month', 'hour'),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns'),
  group_by: fc.constant(['tag:team']),
} satisfies { [member in keyof CostInput]?: unknown });

type Row = { readonly [column: string]: unknown };

function csvOf(all: readonly Row[]): string {
  const header = Object.keys(all[0] ?? {});
  const text = (value: unknown) =>
    `"${(value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)).replaceAll('"', '""')}"`;
  return [header.join(','), ...all.map((one) => header.map((name) => text(one[name])).join(','))].join('\n');
}

/** The tables, or the code of the error, as a value. */
function outcome(read: () => unknown): unknown {
  try {
    return plain(read());
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}

function fileOf(text: string, cuts: readonly number[]): CostFile {
  const at = [0, ...cuts.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  async function* pieces() {
    for (const [index, end] of at.slice(1).entries()) yield text.slice(at[index], end);
  }
  return { name: 'bill.csv', form: 'csv', text: pieces() };
}

describe('cost tables', () => {
  it('do not depend on the order of rows', () => {
    fc.assert(
      fc.property(rows, reading, fc.nat(), (all, input, turn) => {
        const expected = outcome(() => costTables({ ...input, focus_rows: all }));
        const turned = [...all.slice(turn % all.length), ...all.slice(0, turn % all.length)];
        expect(outcome(() => costTables({ ...input, focus_rows: turned }))).toEqual(expected);
        expect(outcome(() => costTables({ ...input, focus_rows: all.toReversed() }))).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  it('do not depend on the interface, on pieces of files, or on how rows are divided among them', async () => {
    await fc.assert(
      fc.asyncProperty(rows, reading, fc.array(fc.nat(), { maxLength: 6 }), async (all, input, cuts) => {
        const expected = outcome(() => costTables({ ...input, focus_rows: all }));
        expect(outcome(() => costTables({ ...input, focus_csv: csvOf(all) }))).toEqual(expected);
        const half = Math.ceil(all.length / 2);
        const parts = [all.slice(0, half), all.slice(half)].filter((part) => part.length > 0);
        const read = await costFiles(
          parts.map((part) => fileOf(csvOf(part), cuts)),
          input,
        ).catch((error) => error.code);
        expect(plain(read)).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  it('are those of series, where rows say the same', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e6, max: 1e9 }), { minLength: 1, maxLength: 40 }), (cents) => {
        const values = cents.map((amount) => amount / 100);
        const focus_rows = values.map((cost, day) => focusRow({ start: new Date(Date.UTC(2026, 1, 1 + day)).toISOString(), cost }));
        const dimensions = { account: '111', region: 'eu-west-1', service: 'EC2' };
        const [ofRows] = costTables({ focus_rows, as_of: '2026-03-01' });
        const [ofSeries] = costTables({
          currency: 'USD',
          as_of: '2026-03-01',
          series: [{ id: 'a', dimensions, granularity: 'day', start: '2026-02-01', values }],
        });
        const { id, ...leaf } = ofSeries?.leaves[0] ?? {};
        expect(id).toBe('a');
        expect(plain({ ...ofSeries, leaves: [leaf] })).toEqual(plain(ofRows));
      }),
      { numRuns: 50 },
    );
  });

  it('hold as much as the rows cost, however they are spread', () => {
    fc.assert(
      fc.property(rows, reading, (all, input) => {
        const usd = all.map((one) => ({ ...one, BillingCurrency: 'USD', ChargeCategory: 'Usage' }));
        const [table] = costTables({ ...input, focus_rows: usd });
        const total = table?.leaves.reduce((sum, { cost }) => cost.reduce((all, value) => all + (value || 0), sum), 0) ?? Number.NaN;
        const expected = all.reduce((sum, one) => sum + Number(one['EffectiveCost']), 0);
        const size = all.reduce((sum, one) => sum + Math.abs(Number(one['EffectiveCost'])), 1);
        expect(Math.abs(total - expected) / size).toBeLessThan(1e-12);
      }),
      { numRuns: 50 },
    );
  });
});

describe('rows as objects', () => {
  it('may leave out what they do not have', () => {
    const { Tags, ...plainRow } = focusRow({ start: '2026-03-01', cost: 1, more: { Tags: 0 } });
    expect(Tags).toBe(0);
    const [table] = costTables({ group_by: ['tag:team'], focus_rows: [plainRow, { ...plainRow, Tags: { team: 'a' } }] });
    expect(table?.leaves.map(({ dimensions }) => dimensions['tag:team'])).toEqual(['', 'a']);
  });

  it('may have members of hostile names', () => {
    const hostile: Row = JSON.parse('{"__proto__":{"x":1},"constructor":"y","hasOwnProperty":1}');
    const [table] = costTables({
      group_by: ['constructor'],
      focus_rows: [focusRow({ start: '2026-03-01', cost: 1 }), { ...focusRow({ start: '2026-03-01', cost: 1 }), ...hostile }],
    });
    expect(table?.leaves.map(({ dimensions }) => dimensions['constructor'])).toEqual(['', 'y']);
  });
});

describe('columns', () => {
  const csv = (header: string) => `${header}\n2026-03-01,5,EUR\n`;

  it.each([
    'ChargePeriodStart,EffectiveCost,BillingCurrency',
    'charge_period_start,effective_cost,billing_currency',
    ' CHARGEPERIODSTART ,"EffectiveCost",BillingCurrency',
  ])('are found under names written as %j', (header) => {
    expect(costTables({ focus_csv: csv(header) })).toMatchObject([{ currency: 'EUR', rows: 1 }]);
  });

  it.each([
    ['ServiceProviderName,ProviderName', 'new,old', 'new'],
    ['ServiceProviderName,ProviderName', ',old', 'old'],
    ['ProviderName,Other', 'old,x', 'old'],
  ])('of several versions are known: %s', (header, values, provider) => {
    const [table] = costTables({
      group_by: ['provider'],
      focus_csv: `ChargePeriodStart,EffectiveCost,${header}\n2026-03-01,1,${values}\n`,
    });
    expect(table?.leaves[0]?.dimensions['provider']).toBe(provider);
  });

  it('of tags may stand alone, as in the legacy AWS report', () => {
    const focus_csv =
      'lineItem/UsageStartDate,lineItem/LineItemType,lineItem/UnblendedCost,resourceTags/user:team\n2026-03-01T00:00:00Z,Usage,1,search\n';
    expect(costTables({ group_by: ['tag:team'], focus_csv })[0]?.leaves[0]?.dimensions['tag:team']).toBe('search');
  });
});

describe('a row that says two things', () => {
  const csv = (focus_csv: string) => costTables({ focus_csv });

  it('by two columns of one name is refused, where the column is read', () => {
    const two = (name: string) => csv(`ChargePeriodStart,EffectiveCost,${name},${name}\n2026-03-01,1,2,3\n`);
    expect(() => two('EffectiveCost')).toThrow('two columns for the same field');
    expect(() => two('ServiceName')).toThrow('two columns for the same field');
    expect(two('x_Note')[0]?.rows).toBe(1);
  });

  it('by a period that ends before it starts is refused, with its line', () => {
    const period = (start: string, end: string) => csv(`ChargePeriodStart,ChargePeriodEnd,EffectiveCost\n${start},${end},1\n`);
    expect(() => period('2026-03-02', '2026-03-01')).toThrow('The period ends before it starts.');
    expect(period('2026-03-02', '2026-03-02')[0]?.buckets).toEqual(['2026-03-02']);
  });

  it('in a list of a request is named by the place of the list', () => {
    const focus_rows = [{ ChargePeriodStart: '2026-03-01', Cost: 1 }];
    expect(() => costTables({ focus_rows })).toThrow(expect.objectContaining({ path: '/focus_rows', location: undefined }));
  });
});

it('refuses dates that no bill has, wherever they begin', () => {
  const values = Array.from({ length: 400 }, () => 1);
  const far = (start: string) => costTables({ series: [{ id: 'a', granularity: 'month', start, values }] });
  expect(() => far('2980-01-01')).toThrow('A date is after the year 2999.');
  expect(far('2026-01-01')[0]?.buckets).toHaveLength(400);
});
