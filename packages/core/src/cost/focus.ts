import { parseAmount } from './amount.js';
import { CHARGE_CATEGORIES, type CostRow, METRICS, type Metric, type RowFault } from './cost-row.js';
import type { Dialect } from './dialect.js';
import { parseInstant } from './instant.js';

/**
 * FOCUS 1.0 to 1.4, by the presence of columns: 1.3 calls ProviderName ServiceProviderName, 1.0 has no SubAccountType, and so on.
 * Source: FinOps Open Cost and Usage Specification, chapter "Cost and Usage", https://focus.finops.org/focus-specification/.
 */
export const focus: Dialect = {
  name: 'FOCUS',
  recognises: (columns) => columns.has('chargeperiodstart') && METRICS.some((metric) => columns.has(COST_COLUMNS[metric])),
  columns: (metric) => [
    { name: 'chargeperiodstart', required: true },
    { name: COST_COLUMNS[metric], required: true },
    ...OPTIONAL.map((name) => ({ name, required: false })),
  ],
  dimension: (name) => DIMENSIONS.get(name),
  row: (field, metric) => readRow(field, COST_COLUMNS[metric], metric),
};

const COST_COLUMNS: { readonly [metric in Metric]: string } = {
  EffectiveCost: 'effectivecost',
  BilledCost: 'billedcost',
  ListCost: 'listcost',
  ContractedCost: 'contractedcost',
};

const OPTIONAL = [
  'chargeperiodend',
  'billingcurrency',
  'chargecategory',
  'chargeclass',
  'chargefrequency',
  'commitmentdiscountstatus',
  'consumedquantity',
  'consumedunit',
  'pricingquantity',
  'pricingunit',
  'resourceid',
];

const DIMENSIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['account', ['subaccountid', 'billingaccountid']],
  ['billing_account', ['billingaccountid']],
  ['category', ['servicecategory']],
  ['pricing', ['pricingcategory']],
  ['provider', ['serviceprovidername', 'providername']],
  ['publisher', ['publishername', 'hostprovidername']],
  ['region', ['regionid', 'regionname']],
  ['resource_type', ['resourcetype']],
  ['service', ['servicename']],
  ['sku', ['skuid', 'skupriceid']],
]);

const DAY = 86_400_000;

function readRow(field: (column: string) => string, costColumn: string, metric: Metric): Omit<CostRow, 'dimensions'> | RowFault {
  const start = parseInstant(field('chargeperiodstart'));
  if (start === undefined) return { column: 'ChargePeriodStart', problem: 'is no instant' };
  const endText = field('chargeperiodend');
  const end = endText === '' ? start + DAY : parseInstant(endText);
  if (end === undefined) return { column: 'ChargePeriodEnd', problem: 'is no instant' };
  const cost = parseAmount(field(costColumn));
  if (cost === undefined || cost === null) return { column: metric, problem: cost === null ? 'is empty' : 'is no number' };
  const category = categoryOf(field('chargecategory'));
  if (category === undefined) return { column: 'ChargeCategory', problem: `is none of ${CHARGE_CATEGORIES.join(', ')}` };
  return {
    start,
    end,
    currency: field('billingcurrency').trim().toUpperCase(),
    cost,
    category,
    correction: field('chargeclass') === 'Correction',
    oneTime: field('chargefrequency') === 'One-Time',
    ...quantityOf(field),
    commitment: COMMITMENT[field('commitmentdiscountstatus')] ?? 'none',
    resource: presentText(field('resourceid')),
  };
}

const COMMITMENT: { readonly [status: string]: CostRow['commitment'] } = { Used: 'used', Unused: 'unused' };

/** A row without a category counts as usage: some exports leave the column out. */
function categoryOf(text: string): CostRow['category'] | undefined {
  return text === '' ? 'Usage' : CHARGE_CATEGORIES.find((category) => category === text);
}

/** What was priced, else what was consumed. */
function quantityOf(field: (column: string) => string): Pick<CostRow, 'quantity' | 'unit'> {
  const priced = parseAmount(field('pricingquantity'));
  if (typeof priced === 'number') return { quantity: priced, unit: presentText(field('pricingunit')) };
  const consumed = parseAmount(field('consumedquantity'));
  return typeof consumed === 'number'
    ? { quantity: consumed, unit: presentText(field('consumedunit')) }
    : { quantity: Number.NaN, unit: '' };
}

/** Exports write `null` for an absent text, too. */
export function presentText(text: string): string {
  return text === 'null' || text === 'NULL' ? '' : text;
}
