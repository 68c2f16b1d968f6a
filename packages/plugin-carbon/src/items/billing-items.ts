import { keysAndValues, type UsageRow } from '@bylaw/core/cost';
import { ExactSum } from '@bylaw/core/number';
import { plural } from '@bylaw/core/plural';
import { exactly, type Provider } from '@bylaw/core/workload';
import { machineOf } from '../factors/index.js';
import { type BilledUsage, billedUsage, UNKNOWN_TYPE } from './billed-usage.js';
import type { CarbonItem } from './carbon-item.js';
import { type ItemContext, NO_UNIT, type ReadItems } from './item-context.js';
import { instanceItem } from './usage-items.js';

/**
 * Reads the usage of a bill row by row: memory grows with resources, not with rows. Only what somebody used counts: no taxes, credits and purchases,
 * and no commitments that nobody used. Rows without a physical model stay unestimated, with what they cost, summed by service and reason.
 * The order of the rows changes nothing: sums are exact.
 */
export class BillingReader {
  readonly #usages = new Map<string, Usage>();
  readonly #left = new Map<string, LeftOver>();
  #rows = 0;

  /** @param path JSON Pointer of the rows, or name of the file */
  constructor(
    private readonly context: ItemContext,
    private readonly path: string,
  ) {}

  add(row: UsageRow): void {
    if (row.category !== 'Usage' || row.commitment === 'unused') return;
    this.#rows += 1;
    const provider = providerOf(row.provider) ?? this.context.provider;
    const used = provider === undefined ? 'Neither the rows nor the request specify a provider.' : billedUsage(row, provider);
    if (typeof used === 'string') this.#leave(row, provider, used);
    else addUsage(this.#usages, row, provider ?? 'on-prem', used);
  }

  items(): ReadItems {
    const usages = [...this.#usages.values()];
    const left = [...this.#left.values()];
    const items = usages.flatMap((usage) => (amountOf(usage) > 0 ? [itemOf(usage, this.context)] : []));
    const warnings = this.#warnings(usages.filter((usage) => amountOf(usage) < 0).length);
    // Whose machines the money has bought must be known: without it there is neither a building nor a line of the inventory.
    const [spent, unknown] = this.context.spendBased === true ? parted(left) : [[], left];
    for (const one of spent) items.push(spendItem(one, this.context));
    const unestimated = unknown.map(({ id, reason, cost, currency }) => ({ id, reason, cost: { amount: cost.value(), currency } }));
    return { items, unestimated, warnings };
  }

  #warnings(corrected: number): ReadItems['warnings'] {
    const path = this.path;
    return [
      ...(this.#rows === 0 ? [{ code: 'no-usage', message: 'The bill has no usage rows.', path }] : []),
      ...(corrected > 0
        ? [
            {
              code: 'negative-usage',
              message: `Corrections exceed the usage of ${plural(corrected, 'resource')}, which the estimate leaves out.`,
              path,
            },
          ]
        : []),
      ...([...this.#left.values()].some(({ reason }) => reason === UNKNOWN_TYPE)
        ? [{ code: 'unknown-instance-type', message: 'The bill has unknown instance types.', path }]
        : []),
    ];
  }

  /** With `spend_based` each account is on its own, as its other rows say what its money buys. */
  #leave({ service, region, account, cost, currency }: UsageRow, provider: Provider | undefined, reason: string): void {
    const id = `${service || 'unnamed service'}/${region || 'no region'}`;
    const of = this.context.spendBased === true ? `${account}/${id}` : id;
    const key = `${of} ${reason} ${currency} ${provider}`;
    const known = this.#left.get(key) ?? { id: of, reason, cost: new ExactSum(), currency, service, region, account, provider };
    known.cost.add(cost);
    this.#left.set(key, known);
  }
}

/** Rows of one resource, usage, region and currency. */
interface Usage {
  id: string;
  provider: Provider;
  region: string;
  currency: string;
  used: BilledUsage;
  owner: Owner;
  /** Of all rows; of parts of machines, the vCPU-hours. */
  quantity: ExactSum;
  /** Of parts of machines: GiB-hours. */
  memory: ExactSum;
  cost: ExactSum;
}

type Owner = Pick<UsageRow, 'account' | 'service' | 'tags'>;

interface LeftOver {
  id: string;
  reason: string;
  cost: ExactSum;
  currency: string;
  service: string;
  region: string;
  account: string;
  provider: Provider | undefined;
}

function addUsage(usages: Map<string, Usage>, row: UsageRow, provider: Provider, used: BilledUsage): void {
  const { region, currency } = row;
  const id = `${row.resource || `${row.account}/${row.service}`}/${nameOf(used)}/${region}`;
  const key = `${provider} ${currency} ${id}`;
  let usage = usages.get(key);
  if (usage === undefined) {
    usage = {
      ...{ id, provider, region, currency, used, owner: row },
      quantity: new ExactSum(),
      memory: new ExactSum(),
      cost: new ExactSum(),
    };
    usages.set(key, usage);
  }
  usage[used.kind === 'compute' && used.part === 'memory' ? 'memory' : 'quantity'].add(used.quantity);
  usage.cost.add(row.cost);
  if (isBefore(row, usage.owner)) usage.owner = row;
}

/** A resource whose tags change within the bill has those that come first in the alphabet, as long as it has any: any choice would do but the first row. */
function isBefore(one: Owner, other: Owner): boolean {
  for (const part of ['tags', 'service', 'account'] as const) {
    if (one[part] !== other[part]) return other[part] === '' || (one[part] !== '' && one[part] < other[part]);
  }
  return false;
}

function amountOf({ quantity, memory }: Usage): number {
  return quantity.value() + memory.value();
}

function nameOf(used: BilledUsage): string {
  switch (used.kind) {
    case 'instance':
      return used.copies === 1 ? used.instanceType : `${used.instanceType} x ${used.copies}`;
    case 'sized':
      return `${used.vcpu} vCPU, ${used.memoryGib} GiB`;
    case 'gpu':
      return `gpu ${used.model}`;
    case 'compute':
      return used.family;
    default:
      return used.kind;
  }
}

/** A function of 1,769 MB has one vCPU: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const LAMBDA_GIB_PER_VCPU = 1769 / 1024;

function itemOf(usage: Usage, context: ItemContext): CarbonItem {
  const { id, used, provider, region, owner } = usage;
  const quantity = usage.quantity.value();
  const notes =
    used.kind === 'sized' ? ['The instance type is unknown, so the estimate uses a typical machine of the size given in the bill.'] : [];
  const { unit, ...more } = unitsOf(usage);
  const common = {
    ...{ id, source: 'focus' as const, provider, region: region || (context.region ?? ''), groups: groupsOf(owner) },
    cost: { amount: usage.cost.value(), currency: usage.currency },
  };
  if (used.kind === 'instance') {
    const item = instanceItem({ ...common, instance_type: used.instanceType, hours: quantity, count: used.copies }, context);
    if (item !== undefined) return { ...item, ...common };
  }
  return { ...common, hours: exactly(quantity), unit: { ...NO_UNIT, ...unit }, count: exactly(1), shared: false, notes, ...more };
}

type Units = Pick<CarbonItem, 'gpuModel' | 'instanceType'> & { unit: Partial<CarbonItem['unit']>; hours?: CarbonItem['hours'] };

/** What is used for an hour; transfer is used once, and has no hours. */
function unitsOf({ used, provider, ...sums }: Usage): Units {
  const [quantity, memory] = [sums.quantity.value(), sums.memory.value()];
  switch (used.kind) {
    case 'sized':
      return { unit: { vcpu: used.vcpu, memoryGib: used.memoryGib } };
    case 'gpu':
      return { unit: { gpu: 1 }, gpuModel: used.model };
    case 'compute': {
      const type = machineOf(provider, used.family) === undefined ? {} : { instanceType: used.family };
      if (quantity <= 0) return { ...type, unit: { memoryGib: 1 }, hours: exactly(memory) };
      return { ...type, unit: { vcpu: 1, memoryGib: Math.max(0, memory) / quantity } };
    }
    case 'function':
      return { unit: { memoryGib: 1, vcpu: 1 / LAMBDA_GIB_PER_VCPU } };
    case 'network':
      return { unit: { networkGb: quantity }, hours: exactly(1) };
    case 'hdd':
      return { unit: { hddGb: 1 } };
    default:
      return { unit: { ssdGb: 1 } };
  }
}

function parted(left: readonly LeftOver[]): [(LeftOver & { provider: Provider })[], LeftOver[]] {
  const isPlaced = (one: LeftOver): one is LeftOver & { provider: Provider } => one.provider !== undefined;
  return [left.filter(isPlaced), left.filter((one) => !isPlaced(one))];
}

/** What a row without a physical model costs; how much energy that stands for, the other rows of the account say. */
function spendItem(left: LeftOver & { provider: Provider }, context: ItemContext): CarbonItem {
  const { id, reason, cost, currency, service, account, region, provider } = left;
  return {
    ...{ id, source: 'focus', provider, region: region || (context.region ?? ''), groups: { service, account } },
    ...{ hours: exactly(1), count: exactly(1), unit: NO_UNIT, shared: false, cost: { amount: cost.value(), currency } },
    spend: { reason },
    notes: [],
  };
}

function groupsOf({ tags, service, account }: Owner): CarbonItem['groups'] {
  const all = [...keysAndValues(tags)].map(([name, value]) => [`tag:${name}`, value] as const);
  return { ...Object.fromEntries(all), service, account };
}

function providerOf(name: string): Provider | undefined {
  if (/amazon|aws/i.test(name)) return 'aws';
  if (/microsoft|azure/i.test(name)) return 'azure';
  return /google|gcp/i.test(name) ? 'gcp' : undefined;
}
