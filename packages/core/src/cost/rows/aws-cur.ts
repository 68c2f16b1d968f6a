import { parseAmount } from '../values/amount.js';
import { parseInstant } from '../values/instant.js';
import { remembered } from '../values/own-text.js';
import { keysAndValues } from '../values/tags.js';
import { type ChargeCategory, type CostRow, type Metric, NO_DIMENSIONS, type RowFault } from './cost-row.js';
import { amountOrNaN, currencyName, type Dialect, type Fields, firstText, type PlaceOf, presentText } from './dialect.js';
import { gibOf, instanceOfUsageType, type UsageDetails } from './usage-row.js';

/**
 * AWS Cost and Usage Report: the legacy report (`lineItem/UsageStartDate`) and CUR 2.0 (`line_item_usage_start_date`). Effective cost is what AWS
 * calls amortised: a commitment costs where it is used, and where nothing uses it.
 * Sources: AWS Data Exports User Guide, "Cost and Usage Report (CUR) 2.0" and its data dictionary; "Understanding your amortized
 * reservation data" and "Understanding your Savings Plans data" of the legacy guide, https://docs.aws.amazon.com/cur/latest/userguide/.
 */
export const awsCur: Dialect = {
  name: 'AWS Cost and Usage Report',
  recognises: (columns) => columns.has('lineitemusagestartdate') && columns.has('lineitemunblendedcost'),
  required: () => ['line_item_usage_start_date', 'line_item_unblended_cost', 'line_item_line_item_type'],
  dimension: (name) => DIMENSIONS.get(name),
  rows: rowsOf,
  usage: usageOf,
};

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

function rowsOf(place: PlaceOf, metric: Metric): (fields: Fields) => CostRow | RowFault {
  const [startAt, endAt] = [place('lineitemusagestartdate'), place('lineitemusageenddate')];
  const [typeAt, unblendedAt, currencyAt] = [place('lineitemlineitemtype'), place('lineitemunblendedcost'), place('lineitemcurrencycode')];
  const [billAt, quantityAt, unitAt] = [place('billbilltype'), place('lineitemusageamount'), place('pricingunit')];
  const resourceAt = place('lineitemresourceid');
  const [startOf, endOf, currencyOf] = [remembered(parseInstant), remembered(parseInstant), remembered(currencyName)];
  const costOf = costsOf(place, metric);
  return (fields) => {
    const start = startOf(fields[startAt] ?? '');
    if (start === undefined) return { column: 'line_item_usage_start_date', problem: 'must be a date or a timestamp' };
    const type = fields[typeAt] ?? '';
    const unblended = parseAmount(fields[unblendedAt] ?? '');
    if (typeof unblended !== 'number')
      return { column: 'line_item_unblended_cost', problem: unblended === null ? 'is empty' : 'must be a number' };
    return {
      start,
      end: endOf(fields[endAt] ?? '') ?? start + DAY,
      currency: currencyOf(fields[currencyAt] ?? ''),
      cost: costOf(fields, type, unblended),
      category: CATEGORIES.get(type) ?? 'Usage',
      correction: fields[billAt] === 'Refund' || type === 'Refund',
      oneTime: ONE_TIME.has(type),
      quantity: QUANTIFIED.has(type) ? amountOrNaN(parseAmount(fields[quantityAt] ?? '')) : Number.NaN,
      unit: presentText(fields[unitAt] ?? ''),
      commitment: type === 'DiscountedUsage' || type === 'SavingsPlanCoveredUsage' ? 'used' : UNUSED.has(type) ? 'unused' : 'none',
      resource: presentText(fields[resourceAt] ?? ''),
      dimensions: NO_DIMENSIONS,
    };
  };
}

const CATEGORIES: ReadonlyMap<string, ChargeCategory> = new Map([
  ['BundledDiscount', 'Usage'],
  ['Credit', 'Credit'],
  ['Discount', 'Usage'],
  ['DiscountedUsage', 'Usage'],
  ['EdpDiscount', 'Usage'],
  ['Fee', 'Purchase'],
  ['PrivateRateDiscount', 'Usage'],
  ['RIFee', 'Purchase'],
  ['Refund', 'Adjustment'],
  ['SavingsPlanCoveredUsage', 'Usage'],
  ['SavingsPlanNegation', 'Usage'],
  ['SavingsPlanRecurringFee', 'Purchase'],
  ['SavingsPlanUpfrontFee', 'Purchase'],
  ['Tax', 'Tax'],
  ['Usage', 'Usage'],
]);

/** What was used. A negation has the quantity of the row that it takes back, and discounts that of the usage they belong to: it would count twice. */
const QUANTIFIED = new Set(['Usage', 'DiscountedUsage', 'SavingsPlanCoveredUsage']);

const ONE_TIME = new Set(['Fee', 'SavingsPlanUpfrontFee']);
const UNUSED = new Set(['RIFee', 'SavingsPlanRecurringFee']);

function costsOf(place: PlaceOf, metric: Metric): (fields: Fields, type: string, unblended: number) => number {
  const amountOf = (column: string) => {
    const at = place(column);
    return (fields: Fields) => parseAmount(fields[at] ?? '') ?? 0;
  };
  const list = amountOf('pricingpublicondemandcost');
  const reserved = amountOf('reservationeffectivecost');
  const unusedUpfront = amountOf('reservationunusedamortizedupfrontfeeforbillingperiod');
  const unusedRecurring = amountOf('reservationunusedrecurringfee');
  const planned = amountOf('savingsplansavingsplaneffectivecost');
  const [committed, used] = [amountOf('savingsplantotalcommitmenttodate'), amountOf('savingsplanusedcommitment')];
  const reservationAt = place('reservationreservationarn');
  if (metric === 'ListCost') return (fields, type, unblended) => (type === 'SavingsPlanNegation' ? 0 : list(fields) || unblended);
  if (metric !== 'EffectiveCost') return (_, __, unblended) => unblended;
  return (fields, type, unblended) => {
    switch (type) {
      case 'DiscountedUsage':
        return reserved(fields);
      case 'SavingsPlanCoveredUsage':
        return planned(fields);
      case 'SavingsPlanNegation':
      case 'SavingsPlanUpfrontFee':
        return 0;
      case 'SavingsPlanRecurringFee':
        return committed(fields) - used(fields);
      case 'RIFee':
        return unusedUpfront(fields) + unusedRecurring(fields);
      case 'Fee':
        // The upfront fee of a reservation is spread over its use; any other fee costs when it is charged.
        return (fields[reservationAt] ?? '') === '' ? unblended : 0;
      default:
        return unblended;
    }
  };
}

/** The legacy report has a column for each attribute of a product, CUR 2.0 few, and a map of the others. */
function usageOf(place: PlaceOf): (fields: Fields) => UsageDetails {
  const region = firstText(place, DIMENSIONS.get('region') ?? []);
  const category = firstText(place, ['productservicename', 'productproductname']);
  const account = firstText(place, DIMENSIONS.get('account') ?? []);
  const [zoneAt, serviceAt, familyAt] = [place('lineitemavailabilityzone'), place('lineitemproductcode'), place('productproductfamily')];
  const [meterAt, quantityAt, unitAt] = [place('lineitemusagetype'), place('lineitemusageamount'), place('pricingunit')];
  const typeAt = place('lineitemlineitemtype');
  const [productAt, instanceTypeAt, vcpuAt, memoryAt] = [
    place('product'),
    place('productinstancetype'),
    place('productvcpu'),
    place('productmemory'),
  ];
  const [gpuAt, volumeAt] = [place('productgpu'), place('productvolumetype')];
  return (fields) => {
    const product = keysAndValues(fields[productAt] ?? '');
    const either = (at: number, key: string) => presentText(fields[at] ?? '') || (product.get(key) ?? '');
    const meter = presentText(fields[meterAt] ?? '');
    const isUse = QUANTIFIED.has(fields[typeAt] ?? '');
    const consumed = isUse ? amountOrNaN(parseAmount(fields[quantityAt] ?? '')) : Number.NaN;
    const unit = isUse ? presentText(fields[unitAt] ?? '') : '';
    return {
      provider: 'AWS',
      region: region(fields),
      zone: presentText(fields[zoneAt] ?? ''),
      service: presentText(fields[serviceAt] ?? ''),
      serviceCategory: category(fields),
      serviceSubcategory: presentText(fields[familyAt] ?? ''),
      meter,
      instanceType: either(instanceTypeAt, 'instance_type') || instanceOfUsageType(meter),
      vcpu: amountOrNaN(parseAmount(either(vcpuAt, 'vcpu'))),
      memoryGib: gibOf(either(memoryAt, 'memory')),
      gpu: amountOrNaN(parseAmount(either(gpuAt, 'gpu'))),
      diskType: either(volumeAt, 'volume_type'),
      consumed,
      consumedUnit: unit,
      priced: consumed,
      pricingUnit: unit,
      allocatedRatio: Number.NaN,
      account: account(fields),
    };
  };
}
