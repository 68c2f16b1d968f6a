/**
 * Writes the example bills under examples/cost: always the same bytes. `focus.csv`: two accounts, a few services, weekends, a fee on the first of each
 * month, and one incident: a job that nobody stopped. The others: two weeks in the forms of AWS, Google Cloud and Azure.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DAYS = 120;
const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const TWO_WEEKS = 14;

const SERVICES = [
  {
    service: 'Amazon Elastic Compute Cloud',
    category: 'Compute',
    region: 'eu-west-1',
    account: '111111111111',
    team: 'shop',
    daily: 96,
    weekend: 0.7,
    sku: 'BoxUsage:m5.xlarge',
    unit: 'Hours',
    price: 0.214,
  },
  {
    service: 'Amazon Elastic Compute Cloud',
    category: 'Compute',
    region: 'us-east-1',
    account: '222222222222',
    team: 'search',
    daily: 150,
    weekend: 0.9,
    sku: 'BoxUsage:m5.xlarge',
    unit: 'Hours',
    price: 0.192,
  },
  {
    service: 'Amazon Simple Storage Service',
    category: 'Storage',
    region: 'eu-west-1',
    account: '111111111111',
    team: 'shop',
    daily: 18,
    weekend: 1,
    sku: 'TimedStorage-ByteHrs',
    unit: 'GB-Months',
    price: 0.023,
  },
  {
    service: 'Amazon Relational Database Service',
    category: 'Databases',
    region: 'eu-west-1',
    account: '111111111111',
    team: 'shop',
    daily: 42,
    weekend: 1,
    sku: 'InstanceUsage:db.m5.large',
    unit: 'Hours',
    price: 0.19,
  },
  {
    service: 'AWS Data Transfer',
    category: 'Networking',
    region: 'us-east-1',
    account: '222222222222',
    team: 'search',
    daily: 25,
    weekend: 0.6,
    sku: 'DataTransfer-Out-Bytes',
    unit: 'GB',
    price: 0.09,
  },
];

const HEADER =
  'BillingAccountId,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ChargeClass,ChargeFrequency,ChargeDescription,BilledCost,EffectiveCost,PricingQuantity,PricingUnit,ConsumedQuantity,ConsumedUnit,ServiceProviderName,RegionId,ServiceName,ServiceCategory,SkuId,SubAccountId,ResourceId,Tags';

// mulberry32, a public-domain generator: the noise is the same on every machine.
let state = 20260101;
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
}

const rows = [HEADER];
for (let day = 0; day < DAYS; day++) {
  for (const [index, one] of SERVICES.entries()) {
    const weekday = new Date(START + day * DAY).getUTCDay();
    const usual = one.daily * (weekday === 0 || weekday === 6 ? one.weekend : 1) * (1 + 0.001 * day) * (0.97 + 0.06 * random());
    // The incident: from 6 to 10 April a batch of the search team runs on and on.
    const incident = index === 1 && day >= 95 && day < 100 ? 2.6 : 1;
    rows.push(usageRow(day, one, usual * incident, `i-${one.team}${index}`));
  }
  if (new Date(START + day * DAY).getUTCDate() === 1) rows.push(feeRow(day));
}
write('focus.csv', rows);
write('aws-cur.csv', awsRows());
write('gcp-export.jsonl', gcpRows());
write('azure-export.csv', azureRows());

function write(name: string, lines: readonly string[]): void {
  writeFileSync(join(import.meta.dirname, '..', 'examples', 'cost', name), `${lines.join('\n')}\n`);
}

function usageRow(day: number, one: (typeof SERVICES)[number], cost: number, resource: string): string {
  const quantity = (cost / one.price).toFixed(4);
  const tags = `"{""team"":""${one.team}""}"`;
  return [
    ...['999999999999', 'USD', month(day, 0), month(day, 1), instant(day), instant(day + 1), 'Usage', '', 'Usage-Based', one.sku],
    ...[cost.toFixed(6), cost.toFixed(6), quantity, one.unit, quantity, one.unit, 'AWS', one.region, one.service, one.category, one.sku],
    ...[one.account, resource, tags],
  ].join(',');
}

function feeRow(day: number): string {
  return [
    ...['999999999999', 'USD', month(day, 0), month(day, 1), instant(day), month(day, 1), 'Usage', '', 'One-Time', 'Business support'],
    ...[
      '240.000000',
      '240.000000',
      '1',
      'Months',
      '1',
      'Months',
      'AWS',
      '',
      'AWS Support',
      'Management and Governance',
      'Support',
      '111111111111',
      '',
      '"{}"',
    ],
  ].join(',');
}

function instant(day: number): string {
  return new Date(START + day * DAY).toISOString().replace('.000Z', 'Z');
}

function month(day: number, later: number): string {
  const at = new Date(START + day * DAY);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later, 1)).toISOString().replace('.000Z', 'Z');
}

/** CUR 2.0: an instance on demand, one under a reservation with what nobody used of it, storage, tax and a credit. */
function awsRows(): string[] {
  const header =
    'bill_bill_type,line_item_usage_start_date,line_item_usage_end_date,line_item_line_item_type,line_item_product_code,line_item_usage_type,line_item_usage_account_id,line_item_resource_id,line_item_usage_amount,line_item_unblended_cost,line_item_currency_code,pricing_unit,pricing_public_on_demand_cost,product_region_code,product_instance_type,reservation_reservation_a_r_n,reservation_effective_cost,reservation_unused_recurring_fee,resource_tags';
  const lines = [header];
  for (let day = 0; day < TWO_WEEKS; day++) {
    const period = `Anniversary,${sqlInstant(day)},${sqlInstant(day + 1)}`;
    const amount = (0.192 * (24 + 2 * (day % 7))).toFixed(6);
    lines.push(
      `${period},Usage,AmazonEC2,BoxUsage:m5.xlarge,111111111111,i-shop0,${24 + 2 * (day % 7)},${amount},USD,Hrs,${amount},us-east-1,m5.xlarge,,,,"{""user_team"":""shop""}"`,
      `${period},DiscountedUsage,AmazonEC2,BoxUsage:c5.large,222222222222,i-search1,20,0,USD,Hrs,1.7,us-east-1,c5.large,arn:aws:ec2:us-east-1:222222222222:reserved-instances/r1,1.06,,"{""user_team"":""search""}"`,
      `${period},RIFee,AmazonEC2,HeavyUsage:c5.large,222222222222,,24,1.272,USD,Hrs,,us-east-1,c5.large,arn:aws:ec2:us-east-1:222222222222:reserved-instances/r1,,0.212,`,
      `${period},Usage,AmazonS3,TimedStorage-ByteHrs,111111111111,shop-pictures,26.5,0.6095,USD,GB-Mo,0.6095,us-east-1,,,,,"{""user_team"":""shop""}"`,
    );
  }
  lines.push(`Anniversary,${sqlInstant(0)},${sqlInstant(TWO_WEEKS)},Tax,AmazonEC2,,111111111111,,,8.12,USD,,,,,,,,`);
  lines.push(`Anniversary,${sqlInstant(0)},${sqlInstant(TWO_WEEKS)},Credit,AmazonS3,,111111111111,,,-2.00,USD,,,,,,,,`);
  return lines;
}

/** The detailed export of BigQuery, a line of JSON per row. */
function gcpRows(): string[] {
  return Array.from({ length: TWO_WEEKS }, (_, day) => {
    const common = {
      ...{
        usage_start_time: `${sqlInstant(day)} UTC`,
        usage_end_time: `${sqlInstant(day + 1)} UTC`,
        currency: 'EUR',
        cost_type: 'regular',
      },
      ...{
        project: { id: 'shop-prod' },
        location: { region: 'europe-west1', zone: 'europe-west1-b' },
        labels: [{ key: 'team', value: 'shop' }],
      },
    };
    const credit = { name: 'Committed use discount', type: 'COMMITTED_USAGE_DISCOUNT', amount: -1.1 };
    const machine = [
      { key: 'compute.googleapis.com/machine_spec', value: 'n2-standard-4' },
      { key: 'compute.googleapis.com/cores', value: '4' },
      { key: 'compute.googleapis.com/memory', value: '16384' },
    ];
    const usage = { amount: 345_600, unit: 'seconds', amount_in_pricing_units: 96, pricing_unit: 'hour' };
    return [
      {
        ...common,
        service: { description: 'Compute Engine' },
        sku: { description: 'N2 Instance Core' },
        cost: 3.06,
        usage,
        system_labels: machine,
        credits: [credit],
      },
      {
        ...common,
        service: { description: 'Cloud Storage' },
        sku: { description: 'Standard Storage' },
        cost: 0.52 + 0.01 * day,
        credits: [],
      },
    ].map((row) => JSON.stringify(row));
  }).flat();
}

/** Usage details of a customer agreement. */
function azureRows(): string[] {
  const header =
    'Date,ChargeType,Frequency,PricingModel,CostInBillingCurrency,PayGCostInBillingCurrency,BillingCurrency,Quantity,UnitOfMeasure,MeterCategory,MeterSubCategory,MeterName,ServiceFamily,ResourceLocation,SubscriptionId,ResourceId,AdditionalInfo,Tags';
  const lines = [header];
  for (let day = 0; day < TWO_WEEKS; day++) {
    const [year, monthOfYear, date] = new Date(START + day * DAY).toISOString().slice(0, 10).split('-');
    const subscription = '00000000-0000-0000-0000-000000000001';
    lines.push(
      `${monthOfYear}/${date}/${year},Usage,UsageBased,OnDemand,${(4.6 + 0.1 * (day % 7)).toFixed(4)},4.6,EUR,24,1 Hour,Virtual Machines,Dsv5 Series,D4s v5,Compute,westeurope,${subscription},/subscriptions/1/shop-vm,"{""ServiceType"":""Standard_D4s_v5"",""VCPUs"":4}","""team"": ""shop"""`,
      `${monthOfYear}/${date}/${year},UnusedReservation,UsageBased,Reservation,0.35,0,EUR,2,1 Hour,Virtual Machines,Dsv5 Series,D4s v5,Compute,westeurope,${subscription},,,`,
    );
  }
  return lines;
}

function sqlInstant(day: number): string {
  return new Date(START + day * DAY).toISOString().slice(0, 19).replace('T', ' ');
}
