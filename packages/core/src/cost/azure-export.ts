import { parseAmount } from './amount.js';
import type { ChargeCategory, CostRow, Metric, RowFault } from './cost-row.js';
import type { Dialect } from './dialect.js';
import { presentText } from './focus.js';
import { parseInstant } from './instant.js';

/**
 * Microsoft Cost Management exports, cost and usage details of enterprise (EA) and customer (MCA) agreements. An export of amortised costs is
 * the effective cost already; one of actual costs is the billed cost: the file does not say which it is.
 * Source: Microsoft Cost Management documentation, "Cost and usage details file schema",
 * https://learn.microsoft.com/azure/cost-management-billing/dataset-schema/cost-usage-details-ea.
 */
export const azureExport: Dialect = {
  name: 'Azure cost details',
  recognises: (columns) => columns.has('date') && (columns.has('costinbillingcurrency') || columns.has('pretaxcost')),
  columns: () => [{ name: 'date', required: true }, ...OPTIONAL.map((name) => ({ name, required: false }))],
  dimension: (name) => DIMENSIONS.get(name),
  row: readRow,
};

const OPTIONAL = [
  'billingcurrency',
  'billingcurrencycode',
  'chargetype',
  'costinbillingcurrency',
  'currency',
  'frequency',
  'paygcostinbillingcurrency',
  'pretaxcost',
  'pricingmodel',
  'quantity',
  'resourceid',
  'unitofmeasure',
];

const DIMENSIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['account', ['subscriptionid', 'subscriptionguid', 'subscriptionname']],
  ['billing_account', ['billingaccountid']],
  ['category', ['servicefamily']],
  ['pricing', ['pricingmodel']],
  ['publisher', ['publishername']],
  ['region', ['resourcelocation']],
  ['service', ['metercategory', 'consumedservice']],
  ['sku', ['meterid', 'metername']],
]);

const DAY = 86_400_000;

function readRow(field: (column: string) => string, metric: Metric): Omit<CostRow, 'dimensions'> | RowFault {
  const start = parseInstant(field('date'));
  if (start === undefined) return { column: 'date', problem: 'is no day' };
  const billed = parseAmount(field('costinbillingcurrency')) ?? parseAmount(field('pretaxcost'));
  if (typeof billed !== 'number') return { column: 'costInBillingCurrency', problem: billed === null ? 'is empty' : 'is no number' };
  const list = parseAmount(field('paygcostinbillingcurrency'));
  const quantity = parseAmount(field('quantity'));
  const type = field('chargetype');
  return {
    start,
    end: start + DAY,
    currency: (field('billingcurrency') || field('billingcurrencycode') || field('currency')).trim().toUpperCase(),
    cost: metric === 'ListCost' && typeof list === 'number' ? list : billed,
    category: CATEGORIES[type] ?? 'Usage',
    correction: type === 'Refund',
    oneTime: field('frequency') === 'OneTime',
    quantity: typeof quantity === 'number' ? quantity : Number.NaN,
    unit: presentText(field('unitofmeasure')),
    commitment: type.startsWith('Unused') ? 'unused' : COMMITTED.has(field('pricingmodel')) ? 'used' : 'none',
    resource: presentText(field('resourceid')),
  };
}

const COMMITTED = new Set(['Reservation', 'SavingsPlan']);

const CATEGORIES: { readonly [type: string]: ChargeCategory } = {
  Purchase: 'Purchase',
  Refund: 'Adjustment',
  RoundingAdjustment: 'Adjustment',
  Tax: 'Tax',
  UnusedReservation: 'Usage',
  UnusedSavingsPlan: 'Usage',
  Usage: 'Usage',
};
