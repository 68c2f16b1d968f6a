import { parseAmount } from './amount.js';
import type { ChargeCategory, CostRow, Metric, RowFault } from './cost-row.js';
import type { Dialect } from './dialect.js';
import { presentText } from './focus.js';
import { parseInstant } from './instant.js';

/**
 * AWS Cost and Usage Report: the legacy report (`lineItem/UsageStartDate`) and CUR 2.0 (`line_item_usage_start_date`). Effective cost is what AWS
 * calls amortised: a commitment costs where it is used, and where nothing uses it.
 * Sources: AWS Data Exports User Guide, "Cost and Usage Report (CUR) 2.0" and its data dictionary; "Understanding your amortized
 * reservation data" and "Understanding your Savings Plans data" of the legacy guide, https://docs.aws.amazon.com/cur/latest/userguide/.
 */
export const awsCur: Dialect = {
  name: 'AWS Cost and Usage Report',
  recognises: (columns) => columns.has('lineitemusagestartdate') && columns.has('lineitemunblendedcost'),
  columns: () => [
    { name: 'lineitemusagestartdate', required: true },
    { name: 'lineitemunblendedcost', required: true },
    { name: 'lineitemlineitemtype', required: true },
    ...OPTIONAL.map((name) => ({ name, required: false })),
  ],
  dimension: (name) => DIMENSIONS.get(name),
  row: readRow,
};

const OPTIONAL = [
  'billbilltype',
  'lineitemcurrencycode',
  'lineitemresourceid',
  'lineitemusageamount',
  'lineitemusageenddate',
  'pricingpublicondemandcost',
  'pricingunit',
  'reservationeffectivecost',
  'reservationreservationarn',
  'reservationunusedamortizedupfrontfeeforbillingperiod',
  'reservationunusedrecurringfee',
  'savingsplansavingsplaneffectivecost',
  'savingsplantotalcommitmenttodate',
  'savingsplanusedcommitment',
];

const DIMENSIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['account', ['lineitemusageaccountid']],
  ['billing_account', ['billpayeraccountid']],
  ['pricing', ['pricingterm']],
  ['region', ['productregioncode', 'productregion']],
  ['resource_type', ['productproductfamily']],
  ['service', ['lineitemproductcode', 'productproductname']],
  ['sku', ['productsku', 'lineitemusagetype']],
]);

const DAY = 86_400_000;

function readRow(field: (column: string) => string, metric: Metric): Omit<CostRow, 'dimensions'> | RowFault {
  const start = parseInstant(field('lineitemusagestartdate'));
  if (start === undefined) return { column: 'line_item_usage_start_date', problem: 'is no instant' };
  const end = parseInstant(field('lineitemusageenddate')) ?? start + DAY;
  const type = field('lineitemlineitemtype');
  const unblended = parseAmount(field('lineitemunblendedcost'));
  if (typeof unblended !== 'number')
    return { column: 'line_item_unblended_cost', problem: unblended === null ? 'is empty' : 'is no number' };
  const quantity = parseAmount(field('lineitemusageamount'));
  return {
    start,
    end,
    currency: field('lineitemcurrencycode').trim().toUpperCase(),
    cost: costOf(field, type, unblended, metric),
    category: CATEGORIES[type] ?? 'Usage',
    correction: field('billbilltype') === 'Refund' || type === 'Refund',
    oneTime: ONE_TIME.has(type),
    quantity: typeof quantity === 'number' ? quantity : Number.NaN,
    unit: presentText(field('pricingunit')),
    commitment: type === 'DiscountedUsage' || type === 'SavingsPlanCoveredUsage' ? 'used' : UNUSED.has(type) ? 'unused' : 'none',
    resource: presentText(field('lineitemresourceid')),
  };
}

const CATEGORIES: { readonly [type: string]: ChargeCategory } = {
  BundledDiscount: 'Usage',
  Credit: 'Credit',
  Discount: 'Usage',
  DiscountedUsage: 'Usage',
  EdpDiscount: 'Usage',
  Fee: 'Purchase',
  PrivateRateDiscount: 'Usage',
  RIFee: 'Purchase',
  Refund: 'Adjustment',
  SavingsPlanCoveredUsage: 'Usage',
  SavingsPlanNegation: 'Usage',
  SavingsPlanRecurringFee: 'Purchase',
  SavingsPlanUpfrontFee: 'Purchase',
  Tax: 'Tax',
  Usage: 'Usage',
};

const ONE_TIME = new Set(['Fee', 'SavingsPlanUpfrontFee']);
const UNUSED = new Set(['RIFee', 'SavingsPlanRecurringFee']);

function costOf(field: (column: string) => string, type: string, unblended: number, metric: Metric): number {
  const amount = (column: string) => parseAmount(field(column)) ?? 0;
  if (metric === 'ListCost') return type === 'SavingsPlanNegation' ? 0 : amount('pricingpublicondemandcost') || unblended;
  if (metric !== 'EffectiveCost') return unblended;
  switch (type) {
    case 'DiscountedUsage':
      return amount('reservationeffectivecost');
    case 'SavingsPlanCoveredUsage':
      return amount('savingsplansavingsplaneffectivecost');
    case 'SavingsPlanNegation':
    case 'SavingsPlanUpfrontFee':
      return 0;
    case 'SavingsPlanRecurringFee':
      return amount('savingsplantotalcommitmenttodate') - amount('savingsplanusedcommitment');
    case 'RIFee':
      return amount('reservationunusedamortizedupfrontfeeforbillingperiod') + amount('reservationunusedrecurringfee');
    case 'Fee':
      // The upfront fee of a reservation is spread over its use; any other fee costs when it is charged.
      return field('reservationreservationarn') === '' ? unblended : 0;
    default:
      return unblended;
  }
}
