/**
 * Writes the example bills under examples/cost: always the same bytes. Two accounts, a few services, weekends, a fee on the first of each month, a
 * commitment, and one incident: a job that nobody stopped.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DAYS = 120;
const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);

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
writeFileSync(join(import.meta.dirname, '..', 'examples', 'cost', 'focus.csv'), `${rows.join('\n')}\n`);

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
