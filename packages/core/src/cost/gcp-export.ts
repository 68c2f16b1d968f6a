import { parseAmount } from './amount.js';
import type { ChargeCategory, CostRow, Metric, RowFault } from './cost-row.js';
import type { Dialect } from './dialect.js';
import { presentText } from './focus.js';
import { parseInstant } from './instant.js';

/**
 * Google Cloud Billing, the standard and the detailed usage cost export to BigQuery, as CSV or JSON with flattened names (`service.description`).
 * Effective cost takes the discounts among the credits off; promotions and free tiers are credits that are not part of the price.
 * Source: Google Cloud Billing documentation, "Structure of Standard data export" and "Structure of Detailed data export",
 * https://cloud.google.com/billing/docs/how-to/export-data-bigquery-tables/standard-usage.
 */
export const gcpExport: Dialect = {
  name: 'Google Cloud Billing export',
  recognises: (columns) => columns.has('usagestarttime') && columns.has('cost'),
  columns: () => [
    { name: 'usagestarttime', required: true },
    { name: 'cost', required: true },
    ...OPTIONAL.map((name) => ({ name, required: false })),
  ],
  dimension: (name) => DIMENSIONS.get(name),
  row: readRow,
};

const OPTIONAL = [
  'costatlist',
  'costtype',
  'credits',
  'currency',
  'resourcename',
  'usageamount',
  'usageamountinpricingunits',
  'usageendtime',
  'usagepricingunit',
  'usageunit',
];

const DIMENSIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['account', ['projectid', 'projectnumber']],
  ['billing_account', ['billingaccountid']],
  ['region', ['locationregion', 'locationlocation']],
  ['service', ['servicedescription', 'serviceid']],
  ['sku', ['skuid', 'skudescription']],
]);

const DAY = 86_400_000;

function readRow(field: (column: string) => string, metric: Metric): Omit<CostRow, 'dimensions'> | RowFault {
  const start = parseInstant(field('usagestarttime'));
  if (start === undefined) return { column: 'usage_start_time', problem: 'is no instant' };
  const cost = parseAmount(field('cost'));
  if (typeof cost !== 'number') return { column: 'cost', problem: cost === null ? 'is empty' : 'is no number' };
  const discounts = discountsOf(field('credits'));
  if (discounts === undefined) return { column: 'credits', problem: 'is no list of credits' };
  const priced = parseAmount(field('usageamountinpricingunits'));
  const used = parseAmount(field('usageamount'));
  const list = parseAmount(field('costatlist'));
  return {
    start,
    end: parseInstant(field('usageendtime')) ?? start + DAY,
    currency: field('currency').trim().toUpperCase(),
    cost: metric === 'ListCost' ? (typeof list === 'number' ? list : cost) : cost + discounts.amount,
    category: CATEGORIES[field('costtype')] ?? 'Usage',
    correction: field('costtype') === 'adjustment',
    oneTime: false,
    quantity: typeof priced === 'number' ? priced : typeof used === 'number' ? used : Number.NaN,
    unit: presentText(typeof priced === 'number' ? field('usagepricingunit') : field('usageunit')),
    commitment: discounts.committed ? 'used' : 'none',
    resource: presentText(field('resourcename')),
  };
}

const CATEGORIES: { readonly [type: string]: ChargeCategory } = {
  adjustment: 'Adjustment',
  regular: 'Usage',
  rounding_error: 'Adjustment',
  tax: 'Tax',
};

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
