import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { usageRows } from '@bylaw/core/cost';
import { describe, expect, it } from 'vitest';
import { BillingReader, type ItemContext } from './index.js';
import { usageUnitOf } from './usage-unit.js';

const CONTEXT: ItemContext = { provider: 'aws', region: 'eu-west-1', periodHours: 730, jobMinutes: { low: 1, central: 10, high: 60 } };

function read(bill: { focus_rows: object[] } | { focus_csv: string }, more: Partial<ItemContext> = {}) {
  const reader = new BillingReader({ ...CONTEXT, ...more }, '/focus_rows');
  // Rows are objects with any columns.
  usageRows(bill as Parameters<typeof usageRows>[0], [], (one) => reader.add(one));
  return reader.items();
}

const row = (more: object) => ({
  ...{ ChargePeriodStart: '2026-05-01T00:00:00Z', ChargeCategory: 'Usage', ProviderName: 'Amazon Web Services', RegionId: 'eu-west-1' },
  ...{ ServiceName: 'EC2', SubAccountId: '1', EffectiveCost: '1', BillingCurrency: 'USD', ConsumedQuantity: '1', ConsumedUnit: 'Hours' },
  ...more,
});
const instance = { ResourceId: 'i-1', SkuPriceDetails: '{"InstanceType":"m5.xlarge"}' };

describe('a bill', () => {
  it('adds up the hours of an instance, and what it costs', () => {
    const { items } = read({ focus_rows: [row(instance), row({ ...instance, ConsumedQuantity: 2.5 })] });
    expect(items).toEqual([
      expect.objectContaining({
        id: 'i-1/m5.xlarge/eu-west-1',
        hours: { low: 3.5, central: 3.5, high: 3.5 },
        cost: { amount: 2, currency: 'USD' },
      }),
    ]);
  });

  it('is the same in any order of its rows, to the last digit', () => {
    const days = Array.from({ length: 12 }, (_, day) => [
      row({ ...instance, ConsumedQuantity: 0.1 * (day + 1), EffectiveCost: 0.1 * day + 0.003, Tags: { team: day < 6 ? 'a' : 'b' } }),
      row({ ServiceName: 'Odd', ConsumedUnit: 'Requests', EffectiveCost: 0.1 * day + 0.007 }),
    ]).flat();
    const orders = [days, days.toReversed(), days.map((_, index) => days[(index * 7) % days.length] ?? {})];
    for (const spendBased of [false, true]) {
      const [first, ...others] = orders.map((focus_rows) => read({ focus_rows }, { spendBased }));
      expect(first?.items[0]?.groups).toMatchObject({ 'tag:team': 'a' });
      for (const other of others) expect(other).toEqual(first);
    }
  });

  it('keeps what is billed in one currency apart from what is billed in another', () => {
    const { items } = read({ focus_rows: [row(instance), row({ ...instance, BillingCurrency: 'EUR' })] });
    expect(items.map(({ cost }) => cost)).toEqual([
      { amount: 1, currency: 'USD' },
      { amount: 1, currency: 'EUR' },
    ]);
  });

  it('counts usage only, that somebody used', () => {
    const others = [row({ ...instance, ChargeCategory: 'Tax' }), row({ ...instance, CommitmentDiscountStatus: 'Unused' })];
    const warnings = [{ code: 'no-usage', message: 'The bill has no usage rows.', path: '/focus_rows' }];
    expect(read({ focus_rows: others })).toEqual({ items: [], unestimated: [], warnings });
    expect(read({ focus_csv: 'ChargePeriodStart,EffectiveCost\n' }).warnings).toEqual(warnings);
  });

  it('takes the quantity of a split charge as it is: the generator of the bill has split it', () => {
    const AllocatedMethodDetails = { Elements: [{ AllocatedRatio: 0.25, UsageUnit: 'vCPU' }] };
    const { items } = read({ focus_rows: [row({ ...instance, ConsumedQuantity: 6, AllocatedMethodDetails })] });
    expect(items[0]?.hours.central).toBe(6);
  });

  it('counts what was consumed, else what was priced, in units of any size', () => {
    const hoursOf = (more: object) => read({ focus_rows: [row({ ...instance, ...more })] }).items[0]?.hours.central;
    expect(hoursOf({ ConsumedQuantity: '24', PricingQuantity: '0.024', PricingUnit: '1000 Hours' })).toBe(24);
    expect(hoursOf({ ConsumedQuantity: '', ConsumedUnit: '', PricingQuantity: '0.024', PricingUnit: '1000 Hours' })).toBe(24);
    expect(hoursOf({ ConsumedQuantity: '7200', ConsumedUnit: 'seconds' })).toBe(2);
  });

  it('knows storage and transfer in GB of 10^9 bytes, functions in GiB; the GB of a cloud are GiB', () => {
    const { items } = read({
      focus_rows: [
        row({ ResourceId: 'vol', ConsumedUnit: 'GB-Months', ConsumedQuantity: '100' }),
        row({ ResourceId: 'cold', ConsumedUnit: 'GB-Mo', ConsumedQuantity: '10', SkuMeter: 'EUW1-EBS:VolumeUsage.sc1' }),
        row({ ResourceId: 'net', ConsumedUnit: 'GB', ConsumedQuantity: '7' }),
        row({ ResourceId: 'fn', ServiceName: 'AWS Lambda', ConsumedUnit: 'Lambda-GB-Second', ConsumedQuantity: '3600' }),
      ],
    });
    expect(
      items.map(({ unit, hours }) => [
        unit.ssdGb * hours.central,
        unit.hddGb * hours.central,
        unit.networkGb,
        unit.memoryGib * hours.central,
        unit.vcpu * hours.central,
      ]),
    ).toEqual([
      [107.3741824 * 730, 0, 0, 0, 0],
      [0, 10.73741824 * 730, 0, 0, 0],
      [0, 0, 7.516192768, 0, 0],
      [0, 0, 0, 1, 1024 / 1769],
    ]);
  });

  it('knows the GB of FOCUS, which is 10^9 bytes, where the bill is of no cloud', () => {
    const disks = (ConsumedUnit: string) =>
      row({ ProviderName: 'Our own', ResourceId: ConsumedUnit, ConsumedUnit, ConsumedQuantity: '100' });
    const { items } = read({ focus_rows: [disks('GB-Months'), disks('GiB-Months')] }, { provider: 'on-prem', region: 'DE' });
    expect(items.map(({ unit, hours }) => unit.ssdGb * hours.central)).toEqual([73_000, 107.3741824 * 730]);
  });

  it('puts the parts of a machine together that are billed apart', () => {
    const part = (SkuMeter: string, ConsumedUnit: string, ConsumedQuantity: string, more: object = {}) =>
      row({ ProviderName: 'Google Cloud', RegionId: 'europe-west1', ResourceId: 'vm', SkuMeter, ConsumedUnit, ConsumedQuantity, ...more });
    const { items, unestimated } = read({
      focus_rows: [
        part('N2 Instance Core running in Belgium', 'seconds', '14400'),
        part('N2 Instance Ram running in Belgium', 'gibibyte hour', '16'),
        part('Nvidia Tesla T4 GPU running in Belgium', 'hour', '2'),
        part('Storage PD Capacity', 'gibibyte month', '10'),
        part('Voodoo2 GPU running in Belgium', 'hour', '2'),
      ],
    });
    expect(items.map(({ id, unit, hours, gpuModel }) => [id, unit.vcpu, unit.memoryGib, unit.gpu, gpuModel, hours.central])).toEqual([
      ['vm/N2/europe-west1', 1, 4, 0, undefined, 4],
      ['vm/gpu T4/europe-west1', 0, 0, 1, 'T4', 2],
      ['vm/hdd/europe-west1', 0, 0, 0, undefined, 10.73741824 * 730],
    ]);
    expect(unestimated.map(({ reason }) => reason)).toEqual(['The power draw of the GPU is unknown.']);
  });

  it('counts a database in two zones twice, and what is charged on top of a machine not again', () => {
    const { items, unestimated } = read({
      focus_rows: [
        row({ ResourceId: 'db', SkuMeter: 'EUW1-Multi-AZUsage:db.m5.xlarge', SkuPriceDetails: '{"InstanceType":"db.m5.xlarge"}' }),
        row({ ...instance, SkuMeter: 'SoftwareUsage:m5.xlarge' }),
        row({ ...instance, ServiceName: 'ElasticMapReduce', SkuMeter: 'BoxUsage:m5.xlarge' }),
      ],
    });
    expect(items.map(({ id, count }) => [id, count.central])).toEqual([['db/db.m5.xlarge x 2/eu-west-1', 2]]);
    expect(unestimated.map(({ reason }) => reason)).toEqual(Array.from({ length: 2 }, () => expect.stringContaining('on top of machines')));
  });

  it('takes the size that it names where the type is not in the lists', () => {
    const SkuPriceDetails = '{"InstanceType":"z99.huge","CoreCount":8,"MemorySize":32}';
    const { items } = read({ focus_rows: [row({ ResourceId: 'odd', SkuPriceDetails })] });
    expect(items[0]?.id).toBe('odd/8 vCPU, 32 GiB/eu-west-1');
    expect(items[0]).toMatchObject({ unit: { vcpu: 8, memoryGib: 32 }, notes: [expect.stringContaining('typical machine')] });
    expect(items[0]?.instanceType).toBeUndefined();
  });

  it('names what has no model, with its cost', () => {
    const support = row({ ServiceName: 'Support', ConsumedUnit: 'Count' });
    const { unestimated } = read({ focus_rows: [support, { ...support, SubAccountId: '2' }] });
    expect(unestimated).toEqual([
      { id: 'Support/eu-west-1', reason: 'There is no physical model for this usage.', cost: { amount: 2, currency: 'USD' } },
    ]);
  });

  it('keeps it by account, where its money is to be made energy of', () => {
    const support = row({ ServiceName: 'Support', ConsumedUnit: 'Count' });
    const { items, unestimated } = read({ focus_rows: [support, support, { ...support, SubAccountId: '2' }] }, { spendBased: true });
    expect(unestimated).toEqual([]);
    expect(items.map(({ id, cost, spend, groups }) => [id, cost?.amount, spend?.reason, groups['account']])).toEqual([
      ['1/Support/eu-west-1', 2, 'There is no physical model for this usage.', '1'],
      ['2/Support/eu-west-1', 1, 'There is no physical model for this usage.', '2'],
    ]);
  });

  it('is no money of nobody: without a provider it stays unestimated', () => {
    const rows = [row({ ConsumedUnit: 'Requests', ProviderName: '' })];
    const { items, unestimated } = read({ focus_rows: rows }, { provider: undefined, spendBased: true });
    expect(items).toEqual([]);
    expect(unestimated).toEqual([expect.objectContaining({ reason: expect.stringContaining('provider') })]);
  });

  it('is read from CSV, of FOCUS, AWS, Google Cloud and Azure', () => {
    const aws =
      'lineItem/UsageStartDate,lineItem/LineItemType,lineItem/UsageAmount,product/instanceType,pricing/unit,product/regionCode,lineItem/UnblendedCost,lineItem/CurrencyCode,resourceTags/user:team\n2026-01-01T00:00:00Z,Usage,24,m5.large,Hrs,eu-west-1,2.3,USD,a\n2026-01-01T00:00:00Z,Tax,1,,,,9,USD,\n';
    expect(read({ focus_csv: aws }).items).toEqual([
      expect.objectContaining({
        instanceType: 'm5.large',
        hours: expect.objectContaining({ central: 24 }),
        groups: { service: '', account: '', 'tag:team': 'a' },
      }),
    ]);
    const azure =
      'Date,CostInBillingCurrency,BillingCurrency,MeterCategory,ResourceLocation,Quantity,UnitOfMeasure,AdditionalInfo,ResourceId\n01/02/2026,2.3,EUR,Virtual Machines,westeurope,2.4,10 Hours,"{""ServiceType"":""Standard_D4s_v5""}",vm\n';
    expect(read({ focus_csv: azure }).items).toEqual([
      expect.objectContaining({ provider: 'azure', instanceType: 'Standard_D4s_v5', hours: expect.objectContaining({ central: 24 }) }),
    ]);
    const gcp =
      'usage_start_time,cost,currency,service.description,sku.description,location.region,usage.amount,usage.unit\n2026-01-01 00:00:00 UTC,0.2,USD,Compute Engine,E2 Instance Core running in Belgium,europe-west1,7200,seconds\n';
    expect(read({ focus_csv: gcp }).items).toEqual([
      expect.objectContaining({
        provider: 'gcp',
        unit: expect.objectContaining({ vcpu: 1 }),
        hours: expect.objectContaining({ central: 2 }),
      }),
    ]);
  });

  it('says which quantities are no numbers, and where corrections take away more than was used', () => {
    const { items, unestimated, warnings } = read({
      focus_rows: [row({ ...instance, ConsumedQuantity: 'many' }), row({ ...instance, ResourceId: 'i-2', ConsumedQuantity: '-3' })],
    });
    expect(items).toEqual([]);
    expect(unestimated).toEqual([expect.objectContaining({ reason: 'The quantity is not a number.' })]);
    expect(warnings).toEqual([{ code: 'negative-usage', message: expect.stringContaining('1 resource'), path: '/focus_rows' }]);
    expect(read({ focus_rows: [row(instance), row({ ...instance, ConsumedQuantity: '-0.25' })] }).items[0]?.hours.central).toBe(0.75);
  });

  it.each([
    ['a cost that is no number', { focus_rows: [row({ EffectiveCost: 'NaN' })] }, 'cost-row-invalid'],
    ['columns of no form', { focus_csv: 'a,b\n1,2\n' }, 'cost-columns-missing'],
    ['no rows', { focus_rows: [] }, 'no-usable-rows'],
    ['a table that is cut off', { focus_csv: 'ChargePeriodStart,EffectiveCost\n2026-01-01,"1' }, 'cost-file-invalid'],
  ])('with %s is refused', (_, bill, code) => {
    expect(() => read(bill)).toThrow(expect.objectContaining({ code }));
  });
});

describe('the examples of the specification of FOCUS', () => {
  const folder = join(import.meta.dirname, '../../../core/src/cost/testing/focus-1.2');
  const names = readdirSync(folder).filter((name) => name.endsWith('.csv'));

  it.each(names)('%s: every row of usage is an item or has a reason, and no cost is lost', (name) => {
    const focus_csv = readFileSync(join(folder, name), 'utf8');
    let cost = 0;
    usageRows({ focus_csv }, [], (one) => {
      if (one.category === 'Usage' && one.commitment !== 'unused') cost += one.cost;
    });
    const { items, unestimated, warnings } = read({ focus_csv });
    expect(warnings.filter(({ code }) => code !== 'no-usage')).toEqual([]);
    expect([...items, ...unestimated].reduce((sum, one) => sum + (one.cost?.amount ?? 0), 0)).toBeCloseTo(cost, 8);
    for (const { reason } of unestimated) expect(reason).not.toBe('');
  });
});

describe('a unit of a bill', () => {
  const GIB = 1024 ** 3;

  it.each([
    ['Hrs', 'hours', 1],
    ['10 Hours', 'hours', 10],
    ['1,000 Hours', 'hours', 1000],
    ['vCPU-Hours', 'hours', 1],
    ['seconds', 'hours', 1 / 3600],
    ['GB-Mo', 'byte-hours', 730 * GIB],
    ['1 GB/Month', 'byte-hours', 730 * GIB],
    ['gibibyte hour', 'byte-hours', GIB],
    ['byte-seconds', 'byte-hours', 1 / 3600],
    ['50000 GB Seconds', 'byte-hours', (50_000 / 3600) * GIB],
    ['Lambda-GB-Second', 'byte-hours', GIB / 3600],
    ['TB-Mo', 'byte-hours', 1024 * 730 * GIB],
    ['GB', 'bytes', GIB],
    ['bytes', 'bytes', 1],
  ] as const)('of a cloud, whose kilobyte is 1,024 bytes: %s', (text, of, times) => {
    const unit = usageUnitOf(text, 1024);
    expect(unit?.of).toBe(of);
    expect((unit?.times ?? 0) / times).toBeCloseTo(1, 12);
  });

  it.each([
    ['GB-Months', 730e9],
    ['TB', 1e12],
    ['KB', 1e3],
    ['GiB', GIB],
    ['mebibytes', 1024 ** 2],
    ['bytes', 1],
  ] as const)('of others, whose kilobyte is 1,000 bytes: %s', (text, times) => {
    expect(usageUnitOf(text, 1000)?.times).toBe(times);
  });

  it.each(['', 'Requests', '10K', 'GB-Mo-Extra', 'constructor', '1e9 Hours', '9'.repeat(5000), ' '.repeat(5000)])(
    'that is none: %j',
    (text) => {
      expect(usageUnitOf(text, 1024)).toBeUndefined();
    },
  );
});
