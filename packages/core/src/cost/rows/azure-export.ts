import { parseAmount } from '../values/amount.js';
import { parseInstant } from '../values/instant.js';
import { remembered } from '../values/own-text.js';
import { keysAndValues } from '../values/tags.js';
import { type ChargeCategory, type CostRow, type Metric, NO_DIMENSIONS, type RowFault } from './cost-row.js';
import { amountOrNaN, currencyName, type Dialect, type Fields, firstText, type PlaceOf, presentText } from './dialect.js';
import type { UsageDetails } from './usage-row.js';

/**
 * Microsoft Cost Management exports, cost and usage details of enterprise (EA) and customer (MCA) agreements. An export of amortised costs is
 * the effective cost already; one of actual costs is the billed cost: the file does not say which it is.
 * Source: Microsoft Cost Management documentation, "Cost and usage details file schema",
 * https://learn.microsoft.com/azure/cost-management-billing/dataset-schema/cost-usage-details-ea.
 */
export const azureExport: Dialect = {
  name: 'Azure cost details',
  recognises: (columns) => columns.has('date') && (columns.has('costinbillingcurrency') || columns.has('pretaxcost')),
  required: () => ['Date'],
  dimension: (name) => DIMENSIONS.get(name),
  rows: rowsOf,
  usage: usageOf,
};

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

function rowsOf(place: PlaceOf, metric: Metric): (fields: Fields) => CostRow | RowFault {
  const [dateAt, typeAt, frequencyAt, modelAt] = [place('date'), place('chargetype'), place('frequency'), place('pricingmodel')];
  const cost = firstText(place, ['costinbillingcurrency', 'pretaxcost']);
  const currency = firstText(place, ['billingcurrency', 'billingcurrencycode', 'currency']);
  const [listAt, quantityAt, unitAt] = [place('paygcostinbillingcurrency'), place('quantity'), place('unitofmeasure')];
  const resource = firstText(place, ['resourceid', 'instancename']);
  const [startOf, currencyOf] = [remembered(parseInstant), remembered(currencyName)];
  return (fields) => {
    const start = startOf(fields[dateAt] ?? '');
    if (start === undefined) return { column: 'date', problem: 'must be a date' };
    const billed = parseAmount(cost(fields));
    if (typeof billed !== 'number') return { column: 'costInBillingCurrency', problem: billed === null ? 'is empty' : 'must be a number' };
    const type = fields[typeAt] ?? '';
    return {
      start,
      end: start + DAY,
      currency: currencyOf(currency(fields)),
      cost: metric === 'ListCost' ? (parseAmount(fields[listAt] ?? '') ?? billed) : billed,
      category: CATEGORIES.get(type) ?? 'Usage',
      correction: type === 'Refund',
      oneTime: fields[frequencyAt] === 'OneTime',
      quantity: amountOrNaN(parseAmount(fields[quantityAt] ?? '')),
      unit: presentText(fields[unitAt] ?? ''),
      commitment: type.startsWith('Unused') ? 'unused' : COMMITTED.has(fields[modelAt] ?? '') ? 'used' : 'none',
      resource: resource(fields),
      dimensions: NO_DIMENSIONS,
    };
  };
}

const COMMITTED = new Set(['Reservation', 'SavingsPlan']);

const CATEGORIES: ReadonlyMap<string, ChargeCategory> = new Map([
  ['Purchase', 'Purchase'],
  ['Refund', 'Adjustment'],
  ['RoundingAdjustment', 'Adjustment'],
  ['Tax', 'Tax'],
  ['UnusedReservation', 'Usage'],
  ['UnusedSavingsPlan', 'Usage'],
  ['Usage', 'Usage'],
] as const);

/** Source: the schema above, `additionalInfo`: what a virtual machine is, as JSON. */
function usageOf(place: PlaceOf): (fields: Fields) => UsageDetails {
  const service = firstText(place, DIMENSIONS.get('service') ?? []);
  const account = firstText(place, DIMENSIONS.get('account') ?? []);
  const [regionAt, familyAt, subcategoryAt, meterAt] = [
    place('resourcelocation'),
    place('servicefamily'),
    place('metersubcategory'),
    place('metername'),
  ];
  const [infoAt, quantityAt, unitAt] = [place('additionalinfo'), place('quantity'), place('unitofmeasure')];
  return (fields) => {
    const info = keysAndValues(fields[infoAt] ?? '');
    const quantity = amountOrNaN(parseAmount(fields[quantityAt] ?? ''));
    const unit = presentText(fields[unitAt] ?? '');
    return {
      provider: 'Microsoft',
      region: presentText(fields[regionAt] ?? ''),
      zone: '',
      service: service(fields),
      serviceCategory: presentText(fields[familyAt] ?? ''),
      serviceSubcategory: presentText(fields[subcategoryAt] ?? ''),
      meter: presentText(fields[meterAt] ?? ''),
      instanceType: info.get('ServiceType') ?? '',
      vcpu: amountOrNaN(parseAmount(info.get('VCPUs') ?? info.get('vCPUs') ?? '')),
      memoryGib: Number.NaN,
      gpu: Number.NaN,
      diskType: '',
      consumed: quantity,
      consumedUnit: unit,
      priced: quantity,
      pricingUnit: unit,
      allocatedRatio: Number.NaN,
      account: account(fields),
    };
  };
}
