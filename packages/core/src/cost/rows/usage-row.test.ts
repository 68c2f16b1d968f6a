import { describe, expect, it } from 'vitest';
import { keysAndValues, type UsageRow, usageFiles, usageRows } from '../index.js';

function usageOf(focus_csv: string, dimensions: readonly string[] = []): UsageRow[] {
  const rows: UsageRow[] = [];
  usageRows({ focus_csv }, dimensions, (row) => rows.push(row));
  return rows;
}

describe('a row as usage', () => {
  it('of FOCUS has the machine of its SkuPriceDetails', () => {
    const [row] = usageOf(
      [
        'ChargePeriodStart,ChargePeriodEnd,EffectiveCost,BillingCurrency,ChargeCategory,ServiceProviderName,RegionId,AvailabilityZone,ServiceName,ServiceCategory,ServiceSubcategory,SkuMeter,SkuPriceDetails,ConsumedQuantity,ConsumedUnit,PricingQuantity,PricingUnit,ResourceId,SubAccountId,CommitmentDiscountStatus,Tags',
        '2026-01-01T00:00:00Z,2026-01-02T00:00:00Z,4.608,USD,Usage,AWS,us-east-1,use1-az1,Amazon EC2,Compute,Virtual Machines,Compute time,"{""CoreCount"":4,""InstanceType"":""m5.xlarge"",""MemorySize"":16,""GpuCount"":0,""DiskType"":""SSD""}",24,Hours,0.024,1000 Hours,i-1,111,Used,"{""team"":""a""}"',
      ].join('\n'),
      ['tag:team', 'account'],
    );
    expect(row).toMatchObject({
      ...{ provider: 'AWS', region: 'us-east-1', zone: 'use1-az1', service: 'Amazon EC2', serviceCategory: 'Compute' },
      ...{ serviceSubcategory: 'Virtual Machines', meter: 'Compute time', instanceType: 'm5.xlarge', vcpu: 4, memoryGib: 16, gpu: 0 },
      ...{ diskType: 'SSD', consumed: 24, consumedUnit: 'Hours', priced: 0.024, pricingUnit: '1000 Hours', allocatedRatio: Number.NaN },
      ...{ category: 'Usage', commitment: 'used', resource: 'i-1', account: '111', cost: 4.608, currency: 'USD', dimensions: ['a', '111'] },
      ...{ start: Date.UTC(2026, 0, 1), end: Date.UTC(2026, 0, 2) },
    });
  });

  it.each([
    ['keys of a provider of its own', 'SkuPriceDetails', '{"x_VCPUs":"8","x_ServiceType":"Standard_D8s_v5"}', 'Standard_D8s_v5', 8],
    ['x_SkuDetails of Microsoft', 'x_SkuDetails', '{"VCPUs":2,"ServiceType":"Standard_B2s"}', 'Standard_B2s', 2],
    ['x_UsageType of AWS', 'x_UsageType', 'EUW1-BoxUsage:c6g.large', 'c6g.large', Number.NaN],
    ['a SKU that is a usage type', 'SkuId', 'InstanceUsage:db.m5.large', 'db.m5.large', Number.NaN],
    ['nothing', 'SkuId', 'TimedStorage-ByteHrs', '', Number.NaN],
    ['details that are no JSON', 'SkuPriceDetails', 'InstanceType=m5', '', Number.NaN],
  ])('of FOCUS has the machine by %s', (_, column, value, instanceType, vcpu) => {
    const rows: UsageRow[] = [];
    usageRows({ focus_rows: [{ ChargePeriodStart: '2026-01-01', EffectiveCost: 1, [column]: value }] }, [], (row) => rows.push(row));
    expect(rows).toMatchObject([{ instanceType, vcpu }]);
  });

  it('of FOCUS 1.3 tells of which part of a split charge it is, and who hosts it; its quantity is split already', () => {
    const rows: UsageRow[] = [];
    const row = {
      ...{ ChargePeriodStart: '2026-01-01', EffectiveCost: 1, ConsumedQuantity: 6, ConsumedUnit: 'Hours', HostProviderName: 'AWS' },
      ...{ ServiceProviderName: 'Some SaaS', AllocatedMethodDetails: { Elements: [{ AllocatedRatio: 0.25, UsageUnit: 'vCPU' }] } },
      SkuPriceDetails: { InstanceType: 'm5.xlarge' },
    };
    usageRows({ focus_rows: [row, { ...row, AllocatedMethodDetails: 'null' }] }, [], (one) => rows.push(one));
    expect(rows).toMatchObject([
      { allocatedRatio: 0.25, consumed: 6, provider: 'AWS', instanceType: 'm5.xlarge' },
      { allocatedRatio: Number.NaN, consumed: 6 },
    ]);
  });

  it('of the legacy AWS report and of CUR 2.0 is the same', () => {
    const legacy = usageOf(
      [
        'lineItem/UsageStartDate,lineItem/UsageEndDate,lineItem/LineItemType,lineItem/UnblendedCost,lineItem/CurrencyCode,lineItem/ProductCode,lineItem/UsageType,lineItem/UsageAmount,lineItem/UsageAccountId,lineItem/AvailabilityZone,product/region,product/instanceType,product/vcpu,product/memory,product/productFamily,pricing/unit,lineItem/ResourceId',
        '2026-01-01T00:00:00Z,2026-01-01T01:00:00Z,Usage,0.192,USD,AmazonEC2,BoxUsage:m5.xlarge,1,111,us-east-1a,us-east-1,m5.xlarge,4,16 GiB,Compute Instance,Hrs,i-1',
      ].join('\n'),
    );
    const cur2 = usageOf(
      [
        'line_item_usage_start_date,line_item_usage_end_date,line_item_line_item_type,line_item_unblended_cost,line_item_currency_code,line_item_product_code,line_item_usage_type,line_item_usage_amount,line_item_usage_account_id,line_item_availability_zone,product_region_code,product,product_product_family,pricing_unit,line_item_resource_id',
        '2026-01-01 00:00:00.000,2026-01-01 01:00:00.000,Usage,0.192,USD,AmazonEC2,BoxUsage:m5.xlarge,1,111,us-east-1a,us-east-1,"{""vcpu"":""4"",""memory"":""16 GiB""}",Compute Instance,Hrs,i-1',
      ].join('\n'),
    );
    expect(cur2).toEqual(legacy);
    expect(legacy).toMatchObject([
      {
        ...{ provider: 'AWS', region: 'us-east-1', zone: 'us-east-1a', service: 'AmazonEC2', serviceSubcategory: 'Compute Instance' },
        ...{ instanceType: 'm5.xlarge', vcpu: 4, memoryGib: 16, consumed: 1, consumedUnit: 'Hrs', account: '111', resource: 'i-1' },
      },
    ]);
  });

  it('of Google Cloud has the machine of its system labels', () => {
    const rows: UsageRow[] = [];
    const labels = [
      { key: 'compute.googleapis.com/machine_spec', value: 'n2-standard-4' },
      { key: 'compute.googleapis.com/cores', value: '4' },
      { key: 'compute.googleapis.com/memory', value: '16384' },
    ];
    const row = {
      ...{ usage_start_time: '2026-01-01 00:00:00 UTC', usage_end_time: '2026-01-01 01:00:00 UTC', cost: 0.2, currency: 'USD' },
      ...{ service: { id: '6F81', description: 'Compute Engine' }, sku: { id: 'A', description: 'N2 Instance Core' } },
      ...{ project: { id: 'shop' }, location: { region: 'europe-west1', zone: 'europe-west1-b' }, system_labels: labels },
      usage: { amount: 14_400, unit: 'seconds', amount_in_pricing_units: 4, pricing_unit: 'hour' },
    };
    usageRows({ focus_rows: [row] }, [], (one) => rows.push(one));
    expect(rows).toMatchObject([
      {
        ...{
          provider: 'Google Cloud',
          region: 'europe-west1',
          zone: 'europe-west1-b',
          service: 'Compute Engine',
          meter: 'N2 Instance Core',
        },
        ...{ instanceType: 'n2-standard-4', vcpu: 4, memoryGib: 16, consumed: 14_400, consumedUnit: 'seconds', priced: 4 },
        ...{ pricingUnit: 'hour', account: 'shop' },
      },
    ]);
  });

  it('of Azure has the machine of its additional information', () => {
    const [row] = usageOf(
      [
        'Date,CostInBillingCurrency,BillingCurrency,MeterCategory,MeterSubCategory,MeterName,ServiceFamily,ResourceLocation,Quantity,UnitOfMeasure,AdditionalInfo,SubscriptionId,ResourceId',
        '01/02/2026,2.3,EUR,Virtual Machines,Dsv5 Series,D4s v5,Compute,westeurope,24,1 Hour,"{""ServiceType"":""Standard_D4s_v5"",""VCPUs"":4}",sub-1,/subscriptions/1/vm',
      ].join('\n'),
    );
    expect(row).toMatchObject({
      ...{ provider: 'Microsoft', region: 'westeurope', service: 'Virtual Machines', serviceCategory: 'Compute', meter: 'D4s v5' },
      ...{ instanceType: 'Standard_D4s_v5', vcpu: 4, consumed: 24, consumedUnit: '1 Hour', account: 'sub-1', start: Date.UTC(2026, 0, 2) },
    });
  });

  it('has all of its tags, from one column or from many', () => {
    const one = usageOf('ChargePeriodStart,EffectiveCost,Tags\n2026-01-01,1,"{""team"":""a"",""env"":""prod""}"\n2026-01-01,1,null\n');
    const many = usageOf(
      'lineItem/UsageStartDate,lineItem/LineItemType,lineItem/UnblendedCost,resourceTags/user:team,resourceTags/user:env\n2026-01-01T00:00:00Z,Usage,1,a,prod\n2026-01-01T00:00:00Z,Usage,1,,\n',
    );
    for (const rows of [one, many])
      expect(rows.map(({ tags }) => [...keysAndValues(tags)])).toEqual([
        [
          ['team', 'a'],
          ['env', 'prod'],
        ],
        [],
      ]);
  });

  it('comes from files as from a request, and of every category of charges', async () => {
    const text = 'ChargePeriodStart,EffectiveCost,ChargeCategory\n2026-01-01,1,Usage\n2026-01-02,-1,Credit\n';
    async function* pieces() {
      yield text.slice(0, 50);
      yield text.slice(50);
    }
    const rows: UsageRow[] = [];
    await usageFiles([{ name: 'bill.csv', form: 'csv', text: pieces() }], [], (row) => rows.push(row));
    expect(rows).toEqual(usageOf(text));
    expect(rows.map(({ category }) => category)).toEqual(['Usage', 'Credit']);
  });
});
