import { parseAmount } from '../values/amount.js';
import { parseInstant } from '../values/instant.js';
import { remembered } from '../values/own-text.js';
import { keysAndValues } from '../values/tags.js';
import { type ChargeCategory, type CostRow, type Metric, NO_DIMENSIONS, type RowFault } from './cost-row.js';
import { amountOrNaN, currencyName, type Dialect, type Fields, firstText, type PlaceOf, presentText } from './dialect.js';
import type { UsageDetails } from './usage-row.js';

/**
 * Google Cloud Billing, the standard and the detailed usage cost export to BigQuery, as CSV or JSON with flattened names (`service.description`).
 * Effective cost takes the discounts among the credits off; promotions and free tiers are credits that are not part of the price.
 * Source: Google Cloud Billing documentation, "Structure of Standard data export" and "Structure of Detailed data export",
 * https://cloud.google.com/billing/docs/how-to/export-data-bigquery-tables/standard-usage.
 */
export const gcpExport: Dialect = {
  name: 'Google Cloud Billing export',
  recognises: (columns) => columns.has('usagestarttime') && columns.has('cost'),
  required: () => ['usage_start_time', 'cost'],
  dimension: (name) => DIMENSIONS.get(name),
  rows: rowsOf,
  usage: usageOf,
};

const DIMENSIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['account', ['projectid', 'projectnumber']],
  ['billing_account', ['billingaccountid']],
  ['region', ['locationregion', 'locationlocation']],
  ['service', ['servicedescription', 'serviceid']],
  ['sku', ['skuid', 'skudescription']],
]);

const DAY = 86_400_000;

function rowsOf(place: PlaceOf, metric: Metric): (fields: Fields) => CostRow | RowFault {
  const [startAt, endAt, costAt, listAt] = [place('usagestarttime'), place('usageendtime'), place('cost'), place('costatlist')];
  const [creditsAt, typeAt, currencyAt] = [place('credits'), place('costtype'), place('currency')];
  const [pricedAt, pricingUnitAt] = [place('usageamountinpricingunits'), place('usagepricingunit')];
  const [usedAt, unitAt] = [place('usageamount'), place('usageunit')];
  const resource = firstText(place, ['resourceglobalname', 'resourcename']);
  const [startOf, endOf, currencyOf] = [remembered(parseInstant), remembered(parseInstant), remembered(currencyName)];
  return (fields) => {
    const start = startOf(fields[startAt] ?? '');
    if (start === undefined) return { column: 'usage_start_time', problem: 'must be a date or a timestamp' };
    const cost = parseAmount(fields[costAt] ?? '');
    if (typeof cost !== 'number') return { column: 'cost', problem: cost === null ? 'is empty' : 'must be a number' };
    const discounts = discountsOf(fields[creditsAt] ?? '');
    if (discounts === undefined) return { column: 'credits', problem: 'must be a list of credits' };
    const type = fields[typeAt] ?? '';
    const priced = parseAmount(fields[pricedAt] ?? '');
    const isPriced = typeof priced === 'number';
    return {
      start,
      end: endOf(fields[endAt] ?? '') ?? start + DAY,
      currency: currencyOf(fields[currencyAt] ?? ''),
      cost: metric === 'ListCost' ? (parseAmount(fields[listAt] ?? '') ?? cost) : cost + discounts.amount,
      category: CATEGORIES.get(type) ?? 'Usage',
      correction: type === 'adjustment',
      oneTime: false,
      quantity: isPriced ? priced : amountOrNaN(parseAmount(fields[usedAt] ?? '')),
      unit: presentText(fields[isPriced ? pricingUnitAt : unitAt] ?? ''),
      commitment: discounts.committed ? 'used' : 'none',
      resource: resource(fields),
      dimensions: NO_DIMENSIONS,
    };
  };
}

const CATEGORIES: ReadonlyMap<string, ChargeCategory> = new Map([
  ['adjustment', 'Adjustment'],
  ['regular', 'Usage'],
  ['rounding_error', 'Adjustment'],
  ['tax', 'Tax'],
]);

/** Kinds of credits that are part of the price. */
const DISCOUNTS = new Set([
  'COMMITTED_USAGE_DISCOUNT',
  'COMMITTED_USAGE_DISCOUNT_DOLLAR_BASE',
  'DISCOUNT',
  'FEE_UTILIZATION_OFFSET',
  'RESELLER_MARGIN',
  'SUBSCRIPTION_BENEFIT',
  'SUSTAINED_USAGE_DISCOUNT',
]);

function discountsOf(text: string): { amount: number; committed: boolean } | undefined {
  if (presentText(text) === '' || text === '[]') return { amount: 0, committed: false };
  let amount = 0;
  let committed = false;
  try {
    const credits: unknown = JSON.parse(text);
    if (!Array.isArray(credits)) return undefined;
    for (const credit of credits) {
      if (!DISCOUNTS.has(String(credit?.type))) continue;
      const value = Number(credit.amount);
      if (!Number.isFinite(value)) return undefined;
      amount += value;
      committed ||= String(credit.type).startsWith('COMMITTED');
    }
  } catch {
    return undefined;
  }
  return { amount, committed };
}

/** Source for the labels: Google Cloud Billing documentation, "Available system labels". Memory comes in MiB. */
function usageOf(place: PlaceOf): (fields: Fields) => UsageDetails {
  const region = firstText(place, DIMENSIONS.get('region') ?? []);
  const service = firstText(place, DIMENSIONS.get('service') ?? []);
  const account = firstText(place, DIMENSIONS.get('account') ?? []);
  const meter = firstText(place, ['skudescription', 'skuid']);
  const [zoneAt, labelsAt] = [place('locationzone'), place('systemlabels')];
  const [usedAt, unitAt] = [place('usageamount'), place('usageunit')];
  const [pricedAt, pricingUnitAt] = [place('usageamountinpricingunits'), place('usagepricingunit')];
  return (fields) => {
    const labels = keysAndValues(fields[labelsAt] ?? '');
    const label = (name: string) => labels.get(`compute.googleapis.com/${name}`) ?? '';
    return {
      provider: 'Google Cloud',
      region: region(fields),
      zone: presentText(fields[zoneAt] ?? ''),
      service: service(fields),
      serviceCategory: '',
      serviceSubcategory: '',
      meter: meter(fields),
      instanceType: label('machine_spec'),
      vcpu: amountOrNaN(parseAmount(label('cores'))),
      memoryGib: amountOrNaN(parseAmount(label('memory'))) / MIB_PER_GIB,
      gpu: Number.NaN,
      diskType: '',
      consumed: amountOrNaN(parseAmount(fields[usedAt] ?? '')),
      consumedUnit: presentText(fields[unitAt] ?? ''),
      priced: amountOrNaN(parseAmount(fields[pricedAt] ?? '')),
      pricingUnit: presentText(fields[pricingUnitAt] ?? ''),
      allocatedRatio: Number.NaN,
      account: account(fields),
    };
  };
}

const MIB_PER_GIB = 1024;
