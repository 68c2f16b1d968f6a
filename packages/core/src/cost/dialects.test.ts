import { describe, expect, it } from 'vitest';
import { exactSum } from '../number/index.js';
import { type CostTable, costTables, type Metric } from './index.js';
import { plain } from './table.test-support.js';

function tableOf(
  header: string,
  rows: readonly string[],
  metric: Metric = 'EffectiveCost',
  group_by: readonly string[] = [],
): CostTable | undefined {
  return costTables({ focus_csv: [header, ...rows].join('\n'), metric, group_by })[0];
}

function totalOf(table: CostTable | undefined): number {
  return exactSum(table?.leaves.flatMap(({ cost }) => [...cost].filter((value) => !Number.isNaN(value))) ?? []);
}

describe('the AWS Cost and Usage Report', () => {
  const header = [
    ...[
      'line_item_usage_start_date',
      'line_item_usage_end_date',
      'line_item_line_item_type',
      'line_item_unblended_cost',
      'line_item_currency_code',
    ],
    ...['line_item_product_code', 'line_item_usage_account_id', 'product_region_code', 'line_item_usage_amount', 'pricing_unit'],
    ...['pricing_public_on_demand_cost', 'reservation_effective_cost', 'reservation_reservation_a_r_n', 'reservation_unused_recurring_fee'],
    ...['reservation_unused_amortized_upfront_fee_for_billing_period', 'savings_plan_savings_plan_effective_cost'],
    ...['savings_plan_total_commitment_to_date', 'savings_plan_used_commitment', 'resource_tags', 'bill_bill_type'],
  ].join(',');
  const row = (type: string, unblended: number, more: { [at: number]: string | number } = {}) => {
    const values: (string | number)[] = [
      '2026-03-01 00:00:00',
      '2026-03-02 00:00:00',
      type,
      unblended,
      'USD',
      'AmazonEC2',
      '111',
      'eu-west-1',
      24,
      'Hrs',
      '',
    ];
    for (let at = values.length; at < 20; at++) values.push('');
    for (const [at, value] of Object.entries(more)) values[Number(at)] = value;
    return values.join(',');
  };
  const rows = [
    row('Usage', 10, { 10: 12 }),
    row('DiscountedUsage', 0, { 10: 20, 11: 7, 12: 'arn:ri' }),
    row('RIFee', 50, { 12: 'arn:ri', 13: 3, 14: 2 }),
    row('SavingsPlanCoveredUsage', 9, { 10: 9, 15: 6 }),
    row('SavingsPlanNegation', -9),
    row('SavingsPlanRecurringFee', 8, { 16: 8, 17: 6 }),
    row('SavingsPlanUpfrontFee', 100),
    row('Fee', 500, { 12: 'arn:ri' }),
    row('Fee', 30),
    row('EdpDiscount', -1),
    row('Tax', 4),
    row('Credit', -2),
    row('Refund', -3),
  ];

  it('costs effectively what AWS calls amortised: commitments where they are used, and where nothing uses them', () => {
    // 10 usage, 7 reserved, 5 unused reservation, 6 under the plan, 2 unused plan, 30 other fee, -1 discount.
    const table = tableOf(header, rows);
    expect(totalOf(table)).toBe(59);
    expect(table?.excluded).toEqual({ tax: 4, credit: -2, adjustment: -3, other: 0 });
  });

  it('costs as billed what stands on the bill', () => {
    const table = tableOf(header, rows, 'BilledCost');
    expect(totalOf(table)).toBe(10 + 0 + 50 + 9 - 9 + 8 + 100 + 500 + 30 - 1);
    expect(table?.warnings).toMatchObject([{ code: 'lumpy-metric' }]);
  });

  it('costs by the list what it would on demand', () => {
    expect(totalOf(tableOf(header, rows.slice(0, 5), 'ListCost'))).toBe(12 + 20 + 50 + 9 + 0);
  });

  it('tells what commitments cover and leave unused', () => {
    const [leaf] = tableOf(header, rows)?.leaves ?? [];
    expect(plain(leaf?.unused)).toEqual([7]);
    // 24 hours each of plain, reserved and planned use; negations and discounts have them once more, and fees are not use.
    expect(plain(leaf?.quantity)).toEqual([72]);
    expect(plain(leaf?.committed)).toEqual([48 / 72]);
  });

  it('has the same table in its legacy form', () => {
    const legacy = header
      .replaceAll('line_item_', 'lineItem/')
      .replaceAll('savings_plan_', 'savingsPlan/')
      .replaceAll('reservation_', 'reservation/')
      .replaceAll('pricing_', 'pricing/')
      .replaceAll('bill_', 'bill/')
      .replaceAll('product_', 'product/');
    expect(plain(tableOf(legacy, rows))).toEqual(plain(tableOf(header, rows)));
  });

  it('has tags with the prefix that AWS gives them', () => {
    const tagged = [row('Usage', 1, { 18: '"{""user_team"":""search""}"' }), row('Usage', 2)];
    expect(
      tableOf(header, tagged, 'EffectiveCost', ['tag:team'])?.leaves.map(({ dimensions, cost }) => [dimensions['tag:team'], ...cost]),
    ).toEqual([
      ['', 2],
      ['search', 1],
    ]);
  });

  it('needs its columns', () => {
    expect(() => tableOf('line_item_usage_start_date,line_item_unblended_cost', ['2026-03-01,1'])).toThrow(
      expect.objectContaining({ code: 'cost-columns-missing', message: expect.stringContaining('line_item_line_item_type') }),
    );
  });
});

describe('the Google Cloud Billing export', () => {
  const row = (cost: number, more: { [column: string]: unknown } = {}) => ({
    ...{
      usage_start_time: '2026-03-01 00:00:00 UTC',
      usage_end_time: '2026-03-02 00:00:00 UTC',
      cost,
      currency: 'EUR',
      cost_type: 'regular',
    },
    ...{ service: { id: '6F81', description: 'Compute Engine' }, project: { id: 'shop' }, location: { region: 'europe-west1' } },
    ...more,
  });
  const total = (rows: readonly { [column: string]: unknown }[], metric: Metric = 'EffectiveCost') =>
    totalOf(costTables({ focus_rows: rows, metric })[0]);

  it('costs what discounts leave; promotions are no part of the price', () => {
    const credits = [
      { name: 'CUD', type: 'COMMITTED_USAGE_DISCOUNT', amount: -3 },
      { name: 'SUD', type: 'SUSTAINED_USAGE_DISCOUNT', amount: -1.5 },
      { name: 'Free trial', type: 'PROMOTION', amount: -5.5 },
    ];
    expect(total([row(10, { credits })])).toBe(5.5);
    expect(total([row(10, { credits: JSON.stringify(credits) })])).toBe(5.5);
    expect(total([row(10, { credits: [], cost_at_list: 14 })], 'ListCost')).toBe(14);
  });

  it('leaves tax and roundings out', () => {
    const [table] = costTables({ focus_rows: [row(10), row(2, { cost_type: 'tax' }), row(0.01, { cost_type: 'rounding_error' })] });
    expect(table).toMatchObject({ currency: 'EUR', excluded: { tax: 2, adjustment: 0.01 } });
    expect(table?.leaves.map(({ dimensions }) => dimensions)).toEqual([
      { account: 'shop', region: 'europe-west1', service: 'Compute Engine' },
    ]);
  });

  it('has labels as tags', () => {
    const focus_rows = [row(10, { labels: [{ key: 'team', value: 'search' }] })];
    expect(costTables({ focus_rows, group_by: ['tag:team'] })[0]?.leaves[0]?.dimensions['tag:team']).toBe('search');
  });

  it.each(['nonsense', '{"type":"DISCOUNT"}', '[{"type":"DISCOUNT","amount":"much"}]'])('is refused with credits such as %s', (credits) => {
    expect(() => total([row(10, { credits })])).toThrow(
      expect.objectContaining({ code: 'cost-row-invalid', message: expect.stringContaining('credits') }),
    );
  });
});

describe('the cost details of Azure', () => {
  const header =
    'Date,CostInBillingCurrency,BillingCurrency,ChargeType,Frequency,PricingModel,MeterCategory,ResourceLocation,SubscriptionId,Quantity,UnitOfMeasure,PayGCostInBillingCurrency,ResourceId,Tags';

  it('are read by day, with what is unused and what is no usage', () => {
    const table = tableOf(header, [
      '03/01/2026,10,EUR,Usage,UsageBased,OnDemand,Virtual Machines,westeurope,s1,24,1 Hour,12,/vm,"""team"": ""search"""',
      '03/01/2026,5,EUR,Usage,UsageBased,Reservation,Virtual Machines,westeurope,s1,24,1 Hour,12,/vm,',
      '03/01/2026,2,EUR,UnusedReservation,UsageBased,Reservation,Virtual Machines,westeurope,s1,6,1 Hour,0,,',
      '03/02/2026,-4,EUR,Refund,OneTime,OnDemand,Virtual Machines,westeurope,s1,1,1,-4,,',
      '03/02/2026,90,EUR,Purchase,OneTime,Reservation,Virtual Machines,westeurope,s1,1,1,90,,',
    ]);
    const [leaf] = table?.leaves ?? [];
    expect(table).toMatchObject({ currency: 'EUR', buckets: ['2026-03-01', '2026-03-02'], excluded: { adjustment: -4 } });
    expect(leaf?.dimensions).toEqual({ account: 's1', region: 'westeurope', service: 'Virtual Machines' });
    expect(plain(leaf?.cost)).toEqual([17, 90]);
    expect(plain(leaf?.unused)).toEqual([2, 0]);
    expect(plain(leaf?.oneTime)).toEqual([0, 90]);
  });

  it('have tags without braces', () => {
    const table = tableOf(
      header,
      ['2026-03-01,10,EUR,Usage,UsageBased,OnDemand,VM,westeurope,s1,24,1 Hour,12,/vm,"""team"": ""search"",""env"": ""prod"""'],
      'EffectiveCost',
      ['tag:env'],
    );
    expect(table?.leaves[0]?.dimensions['tag:env']).toBe('prod');
  });
});
