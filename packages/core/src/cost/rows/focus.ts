import { parseAmount } from '../values/amount.js';
import { parseInstant } from '../values/instant.js';
import { remembered } from '../values/own-text.js';
import { keysAndValues } from '../values/tags.js';
import { CHARGE_CATEGORIES, type CostRow, METRICS, type Metric, NO_DIMENSIONS, type RowFault } from './cost-row.js';
import { amountOrNaN, currencyName, type Dialect, type Fields, firstText, type PlaceOf, presentText } from './dialect.js';
import { gibOf, instanceOfUsageType, type UsageDetails } from './usage-row.js';

/**
 * FOCUS 1.0 to 1.4, by the presence of columns: 1.3 calls ProviderName ServiceProviderName, 1.0 has no SubAccountType, and so on.
 * Source: FinOps Open Cost and Usage Specification, chapter "Cost and Usage", https://focus.finops.org/focus-specification/.
 */
export const focus: Dialect = {
  name: 'FOCUS',
  recognises: (columns) => columns.has('chargeperiodstart') && METRICS.some((metric) => columns.has(COST_COLUMNS[metric])),
  required: (metric) => ['ChargePeriodStart', metric],
  dimension: (name) => DIMENSIONS.get(name),
  rows: rowsOf,
  usage: usageOf,
};

const COST_COLUMNS: { readonly [metric in Metric]: string } = {
  EffectiveCost: 'effectivecost',
  BilledCost: 'billedcost',
  ListCost: 'listcost',
  ContractedCost: 'contractedcost',
};

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

function rowsOf(place: PlaceOf, metric: Metric): (fields: Fields) => CostRow | RowFault {
  const [startAt, endAt, costAt] = [place('chargeperiodstart'), place('chargeperiodend'), place(COST_COLUMNS[metric])];
  const [currencyAt, categoryAt, classAt] = [place('billingcurrency'), place('chargecategory'), place('chargeclass')];
  const [frequencyAt, statusAt, resourceAt] = [place('chargefrequency'), place('commitmentdiscountstatus'), place('resourceid')];
  const [pricedAt, pricingUnitAt] = [place('pricingquantity'), place('pricingunit')];
  const [consumedAt, consumedUnitAt] = [place('consumedquantity'), place('consumedunit')];
  const [startOf, endOf, currencyOf] = [remembered(parseInstant), remembered(parseInstant), remembered(currencyName)];
  return (fields) => {
    const start = startOf(fields[startAt] ?? '');
    if (start === undefined) return { column: 'ChargePeriodStart', problem: 'must be a date or a timestamp' };
    const endText = fields[endAt] ?? '';
    const end = endText === '' ? start + DAY : endOf(endText);
    if (end === undefined) return { column: 'ChargePeriodEnd', problem: 'must be a date or a timestamp' };
    const cost = parseAmount(fields[costAt] ?? '');
    if (cost === undefined || cost === null) return { column: metric, problem: cost === null ? 'is empty' : 'must be a number' };
    const category = categoryOf(fields[categoryAt] ?? '');
    if (category === undefined) return { column: 'ChargeCategory', problem: `must be one of ${CHARGE_CATEGORIES.join(', ')}` };
    // What was priced, else what was consumed.
    const priced = parseAmount(fields[pricedAt] ?? '');
    const isPriced = typeof priced === 'number';
    const quantity = isPriced ? priced : amountOrNaN(parseAmount(fields[consumedAt] ?? ''));
    return {
      start,
      end,
      currency: currencyOf(fields[currencyAt] ?? ''),
      cost,
      category,
      correction: fields[classAt] === 'Correction',
      oneTime: fields[frequencyAt] === 'One-Time',
      quantity,
      unit: Number.isNaN(quantity) ? '' : presentText(fields[isPriced ? pricingUnitAt : consumedUnitAt] ?? ''),
      commitment: commitmentOf(fields[statusAt] ?? ''),
      resource: presentText(fields[resourceAt] ?? ''),
      dimensions: NO_DIMENSIONS,
    };
  };
}

/** A row without a category counts as usage: some exports leave the column out. */
function categoryOf(text: string): CostRow['category'] | undefined {
  return text === '' ? 'Usage' : CHARGE_CATEGORIES.find((category) => category === text);
}

function commitmentOf(status: string): CostRow['commitment'] {
  if (status === 'Used') return 'used';
  return status === 'Unused' ? 'unused' : 'none';
}

/**
 * Source for the keys of SkuPriceDetails: FOCUS 1.2, column "SKU Price Details"; keys of a provider's own begin with `x_`. Those of `x_SkuDetails`:
 * Microsoft, "FOCUS cost and usage details file schema". `x_UsageType`: AWS Data Exports, "FOCUS 1.0 with AWS columns".
 */
function usageOf(place: PlaceOf): (fields: Fields) => UsageDetails {
  const provider = firstText(place, ['hostprovidername', 'serviceprovidername', 'providername']);
  const region = firstText(place, ['regionid', 'regionname']);
  const meter = firstText(place, ['skumeter', 'xskumetername', 'xusagetype', 'chargedescription']);
  const account = firstText(place, DIMENSIONS.get('account') ?? []);
  const ownType = firstText(place, ['xinstancetype', 'xskuinstancetype']);
  const usageTypes = ['xusagetype', 'skumeter', 'skuid'].map(place);
  const [zoneAt, serviceAt, categoryAt, subcategoryAt] = [
    place('availabilityzone'),
    place('servicename'),
    place('servicecategory'),
    place('servicesubcategory'),
  ];
  const [detailsAt, azureAt, allocationAt] = [place('skupricedetails'), place('xskudetails'), place('allocatedmethoddetails')];
  const [consumedAt, consumedUnitAt] = [place('consumedquantity'), place('consumedunit')];
  const [pricedAt, pricingUnitAt] = [place('pricingquantity'), place('pricingunit')];
  return (fields) => {
    const details = keysAndValues(fields[detailsAt] ?? '');
    const azure = keysAndValues(fields[azureAt] ?? '');
    const detail = (...names: string[]) => names.map((name) => details.get(name) ?? azure.get(name)).find((text) => text) ?? '';
    return {
      provider: provider(fields),
      region: region(fields),
      zone: presentText(fields[zoneAt] ?? ''),
      service: presentText(fields[serviceAt] ?? ''),
      serviceCategory: presentText(fields[categoryAt] ?? ''),
      serviceSubcategory: presentText(fields[subcategoryAt] ?? ''),
      meter: meter(fields),
      instanceType:
        detail('InstanceType', 'x_InstanceType', 'x_instanceType', 'ServiceType', 'x_ServiceType') ||
        ownType(fields) ||
        (usageTypes.map((at) => instanceOfUsageType(fields[at] ?? '')).find((type) => type !== '') ?? ''),
      vcpu: amountOrNaN(parseAmount(detail('CoreCount', 'x_CoreCount', 'x_VCPUs', 'VCPUs', 'x_vcpu'))),
      memoryGib: gibOf(detail('MemorySize', 'x_MemorySize', 'x_memory')),
      gpu: amountOrNaN(parseAmount(detail('GpuCount', 'x_GpuCount', 'x_gpu'))),
      diskType: detail('DiskType', 'StorageClass', 'x_DiskType', 'x_storageClass'),
      consumed: amountOrNaN(parseAmount(fields[consumedAt] ?? '')),
      consumedUnit: presentText(fields[consumedUnitAt] ?? ''),
      priced: amountOrNaN(parseAmount(fields[pricedAt] ?? '')),
      pricingUnit: presentText(fields[pricingUnitAt] ?? ''),
      allocatedRatio: allocatedRatioOf(fields[allocationAt] ?? ''),
      account: account(fields),
    };
  };
}

/** `{"Elements":[{"AllocatedRatio":0.25,…}]}`: the first element tells. */
function allocatedRatioOf(text: string): number {
  if (presentText(text) === '') return Number.NaN;
  const ratio = ALLOCATED_RATIO.exec(text.slice(0, LONGEST_DETAILS))?.[1];
  return ratio === undefined ? Number.NaN : Number(ratio);
}

const ALLOCATED_RATIO = /"AllocatedRatio"\s?:\s?"?([0-9]+(?:\.[0-9]+)?)/;
const LONGEST_DETAILS = 2000;
