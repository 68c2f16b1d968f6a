import type { Provider } from '@bylaw/core/workload';
import { exactly } from '@bylaw/core/workload';
import { type BillingRow, billingRow } from './billing-rows.js';
import type { CarbonItem } from './carbon-item.js';
import { type ItemContext, NO_UNIT, type ReadItems } from './item-context.js';
import { instanceItem } from './usage-items.js';

/** Rows of one resource, usage and region are one item. */
interface Usage {
  row: BillingRow;
  kind: 'instance' | 'storage' | 'network' | 'function';
  quantity: number;
  cost: number;
}

/**
 * Reads the usage of a bill row by row: memory grows with resources, not with rows. Rows without a physical model stay unestimated, with what they
 * cost, summed by service and reason.
 */
export class BillingReader {
  readonly #usages = new Map<string, Usage>();
  readonly #left = new Map<string, LeftOver>();
  #unread = 0;

  /** @param path JSON Pointer of the rows, or name of the file */
  constructor(
    private readonly context: ItemContext,
    private readonly path: string,
  ) {}

  add(raw: { readonly [column: string]: unknown }): void {
    const row = billingRow(raw);
    if (row === undefined) return;
    if (!Number.isFinite(row.quantity) || row.quantity < 0 || !Number.isFinite(row.cost)) this.#unread += 1;
    else addUsage(this.#usages, this.#left, row, this.context);
  }

  items(): ReadItems {
    const message = `${this.#unread} rows have a quantity or a cost that is no usable number, and are left out.`;
    return {
      items: [...this.#usages].map(([id, usage]) => itemOf(id, usage, this.context)),
      unestimated: [...this.#left.values()].map(({ id, reason, cost, currency }) => ({ id, reason, cost: { amount: cost, currency } })),
      warnings: this.#unread > 0 ? [{ code: 'malformed', message, path: this.path }] : [],
    };
  }
}

interface LeftOver {
  id: string;
  reason: string;
  cost: number;
  currency: string;
}

function addUsage(usages: Map<string, Usage>, left: Map<string, LeftOver>, row: BillingRow, context: ItemContext): void {
  const usage = usageOf(row, context);
  if (typeof usage === 'string') {
    const id = `${row.service || 'unnamed service'}/${row.region || 'no region'}`;
    const known = left.get(`${id} ${usage} ${row.currency}`) ?? { id, reason: usage, cost: 0, currency: row.currency };
    known.cost += row.cost;
    left.set(`${id} ${usage} ${row.currency}`, known);
    return;
  }
  const name = row.resource || `${row.account}/${row.service}`;
  const id = `${name}/${usage.kind === 'instance' ? row.instanceType : usage.kind}/${row.region}`;
  const known = usages.get(id);
  if (known === undefined) usages.set(id, usage);
  else {
    known.quantity += usage.quantity;
    known.cost += usage.cost;
  }
}

/** Quantities: hours of the instance, GB-hours of storage, GB of transfer, GB-seconds of functions. */
function usageOf(row: BillingRow, context: ItemContext): Usage | string {
  const provider = row.provider ?? context.provider;
  if (provider === undefined) return 'Neither the rows nor the request name a provider.';
  const unit = row.unit.toLowerCase().replaceAll(/[\s_]/g, '-');
  const own = { row: { ...row, provider }, cost: row.cost };
  if (row.instanceType !== '' && HOURS.test(unit)) {
    const known =
      instanceItem({ id: '', source: 'focus', provider, instance_type: row.instanceType, hours: 1, count: 1 }, context) !== undefined;
    return known ? { ...own, kind: 'instance', quantity: row.quantity } : 'The instance type is not in the lists.';
  }
  if (LAMBDA_SECONDS.test(unit) || (/lambda/i.test(row.service) && /gb-second/i.test(row.sku)))
    return { ...own, kind: 'function', quantity: row.quantity };
  if (MONTHS.test(unit)) return { ...own, kind: 'storage', quantity: row.quantity * HOURS_PER_MONTH };
  if (GB_HOURS.test(unit)) return { ...own, kind: 'storage', quantity: row.quantity };
  if (/^(gb|gib|gigabytes?)$/.test(unit)) return { ...own, kind: 'network', quantity: row.quantity };
  return 'There is no physical model for this usage.';
}

const HOURS = /^(hours?|hrs?|instance-hours?|vm-hours?|\d*-?hours?)$/;
const MONTHS = /^(gb|gib|gigabyte)-?(mo|months?)$/;
const GB_HOURS = /^(gb|gib|gigabyte)-?(hrs?|hours?)$/;
const LAMBDA_SECONDS = /^(lambda-)?gb-?seconds?$/;
const HOURS_PER_MONTH = 730;

/** A function of 1,769 MB has one vCPU: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const LAMBDA_GB_PER_VCPU = 1769 / 1024;

function itemOf(id: string, { row, kind, quantity, cost }: Usage, context: ItemContext): CarbonItem {
  const provider: Provider = row.provider ?? 'on-prem';
  const common = { id, source: 'focus' as const, provider, ...(row.region !== '' && { region: row.region }) };
  const base =
    (kind === 'instance' ? instanceItem({ ...common, instance_type: row.instanceType, hours: quantity, count: 1 }, context) : undefined) ??
    plainItem(id, provider, row.region || (context.region ?? ''), kind, quantity);
  const tags = Object.entries(row.tags).map(([name, value]) => [`tag:${name}`, value] as const);
  return {
    ...base,
    groups: { ...Object.fromEntries(tags), service: row.service, account: row.account },
    cost: { amount: cost, currency: row.currency },
  };
}

function plainItem(id: string, provider: Provider, region: string, kind: Usage['kind'], quantity: number): CarbonItem {
  const common = { id, source: 'focus' as const, provider, region, groups: {}, count: exactly(1), shared: false, notes: [] };
  switch (kind) {
    case 'network':
      return { ...common, hours: exactly(1), unit: { ...NO_UNIT, networkGb: quantity } };
    case 'function':
      return { ...common, hours: exactly(quantity / 3600), unit: { ...NO_UNIT, memoryGb: 1, vcpu: 1 / LAMBDA_GB_PER_VCPU } };
    default:
      return { ...common, hours: exactly(quantity), unit: { ...NO_UNIT, ssdGb: 1 } };
  }
}
