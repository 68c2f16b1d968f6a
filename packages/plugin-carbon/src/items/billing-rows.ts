import type { Provider } from '@bylaw/core/workload';

/** What a row of a bill says about usage, in the terms of FOCUS. Texts are empty where the bill says nothing. */
export interface BillingRow {
  resource: string;
  provider: Provider | undefined;
  region: string;
  account: string;
  service: string;
  category: string;
  sku: string;
  instanceType: string;
  quantity: number;
  unit: string;
  cost: number;
  currency: string;
  tags: { readonly [name: string]: string };
}

/**
 * Usage that was really used: rows of the category Usage, without commitments that nobody used. FOCUS 1.0 to 1.4, and the Cost and Usage Report of
 * AWS. Rows that split the cost of a machine among pods (AllocatedMethodId) count by their ratio.
 */
export function billingRow(row: { readonly [column: string]: unknown }): BillingRow | undefined {
  const field = fieldsOf(row);
  return field('chargeperiodstart') !== '' ? focusRow(field) : field('lineitemlineitemtype') !== '' ? awsRow(field) : undefined;
}

type Field = (...names: string[]) => string;

/** Columns by name, without case and separators: `line_item_usage_amount` and `lineItem/UsageAmount` are the same. */
function fieldsOf(row: { readonly [column: string]: unknown }): Field {
  const values = new Map<string, string>();
  for (const [column, value] of Object.entries(row)) {
    if (value === null || value === undefined) continue;
    values.set(column.toLowerCase().replaceAll(/[^a-z0-9]/g, ''), typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return (...names) => names.map((name) => values.get(name) ?? '').find((value) => value !== '') ?? '';
}

function focusRow(field: Field): BillingRow | undefined {
  if (field('chargecategory') !== 'Usage' || field('commitmentdiscountstatus') === 'Unused') return undefined;
  const details = membersOf(field('skupricedetails'));
  const ratio = Number(field('allocatedratio') || '1');
  return {
    resource: field('resourceid'),
    provider: providerOf(field('serviceprovidername', 'providername')),
    region: field('regionid', 'regionname'),
    account: field('subaccountid', 'billingaccountid'),
    service: field('servicename'),
    category: field('servicecategory'),
    sku: `${field('skuid')} ${field('skumeter')} ${field('chargedescription')}`,
    instanceType: details['InstanceType'] ?? details['instanceType'] ?? field('xskuinstancetype', 'instancetype'),
    quantity: Number(field('consumedquantity', 'pricingquantity')) * (Number.isFinite(ratio) ? ratio : 1),
    unit: field('consumedunit', 'pricingunit'),
    cost: Number(field('effectivecost', 'billedcost') || '0'),
    currency: field('billingcurrency'),
    tags: membersOf(field('tags')),
  };
}

/** Types of line items that are usage: https://docs.aws.amazon.com/cur/latest/userguide/Lineitem-columns.html */
const AWS_USAGE = new Set(['Usage', 'DiscountedUsage', 'SavingsPlanCoveredUsage']);

function awsRow(field: Field): BillingRow | undefined {
  if (!AWS_USAGE.has(field('lineitemlineitemtype'))) return undefined;
  const product = membersOf(field('product'));
  return {
    resource: field('lineitemresourceid'),
    provider: 'aws',
    region: field('productregioncode', 'productregion') || (product['region_code'] ?? ''),
    account: field('lineitemusageaccountid'),
    service: field('lineitemproductcode'),
    category: '',
    sku: field('lineitemusagetype'),
    instanceType: field('productinstancetype') || (product['instance_type'] ?? ''),
    quantity: Number(field('lineitemusageamount')),
    unit: field('pricingunit'),
    cost: Number(field('lineitemunblendedcost') || '0'),
    currency: field('lineitemcurrencycode'),
    tags: membersOf(field('resourcetags')),
  };
}

function providerOf(name: string): Provider | undefined {
  if (/amazon|aws/i.test(name)) return 'aws';
  if (/microsoft|azure/i.test(name)) return 'azure';
  return /google|gcp/i.test(name) ? 'gcp' : undefined;
}

/** Members of a JSON object in a column; none where it is something else. */
function membersOf(text: string): { [name: string]: string } {
  if (!text.startsWith('{') || text.length > 65_536) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).flatMap(([name, member]) => (typeof member === 'string' ? [[name, member]] : [])));
  } catch {
    return {};
  }
}
