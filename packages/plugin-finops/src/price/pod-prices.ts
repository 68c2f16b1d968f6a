import { type Pod, podTemplatesOf } from '@bylaw/core/resource';
import {
  type CloudProvider,
  claimsOf,
  demandOf,
  JOB_MINUTES,
  MONTH_HOURS,
  nodeTypeOf,
  PACKING,
  type Place,
  type PodDemand,
  podOfWorkload,
  type Readable,
  type Running,
  runningOf,
  type Spread,
  scalesOf,
  withoutOwned,
  workloadId,
} from '@bylaw/core/workload';
import type { HourPrice, PriceList } from './price-list.js';
import type { PricedItem, PricedItems } from './priced-item.js';

/**
 * Pods, at their share of the machines that they run on: of processor or memory, whichever is more. Idle capacity belongs to who reserves the rest,
 * so the share is divided by how full nodes are. Where no type of machine is named, it is one for general purposes, with 4 GiB for each vCPU.
 */
export function podPrices(resources: readonly Readable[], place: Place, list: PriceList): PricedItems {
  const priced: PricedItems = { items: [], unpriced: [], notes: [] };
  const scales = scalesOf(resources);
  const period = { periodHours: MONTH_HOURS, jobMinutes: JOB_MINUTES };
  const known = placeReason(place);
  const machines = typeof known === 'string' ? undefined : machinesAt(known.provider, place, list);
  for (const resource of withoutOwned(resources)) {
    const id = workloadId(resource);
    const pod = podOfWorkload(resource);
    const unknown = pod === undefined ? withoutPod(resource) : known;
    if (typeof unknown === 'string') priced.unpriced.push({ id, reason: unknown });
    if (pod === undefined || machines === undefined) continue;
    const scale = scales.get(`${resource.namespace ?? 'default'}/${resource.kind}/${resource.name}`);
    const running = runningOf(resource.kind, resource.object, period, scale, place.nodes);
    const demand = demandOf(pod);
    const item = typeof running === 'string' ? running : podItem(id, pod, demand, running, machines);
    if (typeof item === 'string') priced.unpriced.push({ id, reason: item });
    else addItem(priced, resource, pod, item, demand);
  }
  return priced;
}

/** The provider whose prices hold, or why there is none. */
function placeReason({ provider }: Place): { provider: CloudProvider } | string {
  if (provider === 'on-prem') return 'On-premises machines have no list prices.';
  return provider === undefined
    ? 'The provider is unknown. Set it with --provider, or with `workloads.provider` in bylaw.yaml.'
    : { provider };
}

/** What pods run on, by the type that they ask for. */
interface Machines {
  provider: CloudProvider;
  /** The share of a unit that a pod takes, and what an hour of the whole unit costs. */
  unitOf(demand: PodDemand, type: string | undefined): { share: number; price: HourPrice } | string;
}

/** GiB for each vCPU of types for general purposes. */
const GIB_PER_VCPU = 4;

function machinesAt(provider: CloudProvider, { region, instance_type: usual }: Place, list: PriceList): Machines {
  let general: HourPrice | undefined;
  return {
    provider,
    unitOf: ({ vcpu, memoryGib }, own) => {
      const type = own ?? usual;
      if (type === undefined) {
        general ??= list.vcpuPrice(provider, region);
        return { share: Math.max(vcpu, memoryGib / GIB_PER_VCPU), price: general };
      }
      const size = list.sizeOf(provider, type);
      const price = list.hourPrice(provider, region, type);
      if (size === undefined || price === undefined) return 'The price lists do not include the instance type that it runs on.';
      return { share: Math.max(vcpu / size.vcpu, memoryGib / size.memoryGib), price };
    },
  };
}

function withoutPod(resource: Readable): string | undefined {
  if (resource.kind === 'PersistentVolumeClaim' && resource.apiVersion === 'v1') return 'The price lists do not include disks.';
  return podTemplatesOf(resource).length > 0 ? 'The manifest does not say how many pods it runs, or for how long.' : undefined;
}

function podItem(
  id: string,
  pod: Pod,
  demand: PodDemand,
  { count, hours }: Exclude<Running, string>,
  { provider, unitOf }: Machines,
): PricedItem | string {
  if (demand.gpu > 0) return 'The price lists do not say which share of a GPU machine it uses.';
  const unit = unitOf(demand, nodeTypeOf(pod));
  if (typeof unit === 'string') return unit;
  const { share, price } = unit;
  const quantity = (end: keyof Spread) => (share * count[end] * hours[end]) / MONTH_HOURS;
  return {
    ...{ id, provider, words: price.words, inferred: price.inferred },
    quantity: { low: quantity('low'), central: quantity('central'), high: quantity('high') },
    hourPrice: {
      low: (price.amount * price.low) / PACKING.high,
      central: price.amount / PACKING.central,
      high: (price.amount * price.high) / PACKING.low,
    },
  };
}

function addItem(priced: PricedItems, resource: Readable, pod: Pod, item: PricedItem, { unspecified }: PodDemand): void {
  priced.items.push(item);
  if (unspecified.length > 0)
    priced.notes.push({ id: item.id, message: 'the estimate assumes 0.1 vCPU and 128 MiB for containers without a CPU or memory request' });
  const { ssdGb, hddGb } = claimsOf(resource, pod);
  if (ssdGb + hddGb > 0) priced.notes.push({ id: item.id, message: 'the cost does not include its disks' });
}
