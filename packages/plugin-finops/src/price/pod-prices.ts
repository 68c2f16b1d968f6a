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
import type { PriceList } from './price-list.js';
import type { PricedItem, PricedItems } from './priced-item.js';

/**
 * Pods, at their share of the machines that they run on: of processor or memory, whichever is more. Idle capacity belongs to who reserves the rest,
 * so the share is divided by how full nodes are. Where no type of machine is named, it is one for general purposes, with 4 GB for each vCPU.
 */
export function podPrices(resources: readonly Readable[], place: Place, list: PriceList): PricedItems {
  const priced: PricedItems = { items: [], unpriced: [], notes: [] };
  const scales = scalesOf(resources);
  const period = { periodHours: MONTH_HOURS, jobMinutes: JOB_MINUTES };
  for (const resource of withoutOwned(resources)) {
    const id = workloadId(resource);
    const pod = podOfWorkload(resource);
    const unknown = pod === undefined ? withoutPod(resource) : placeReason(place);
    if (unknown !== undefined) priced.unpriced.push({ id, reason: unknown });
    if (pod === undefined || unknown !== undefined || place.provider === undefined || place.provider === 'on-prem') continue;
    const scale = scales.get(`${resource.namespace ?? 'default'}/${resource.kind}/${resource.name}`);
    const running = runningOf(resource.kind, resource.object, period, scale, place.nodes);
    const item = typeof running === 'string' ? running : podItem(id, pod, running, place.provider, place, list);
    if (typeof item === 'string') priced.unpriced.push({ id, reason: item });
    else addItem(priced, resource, pod, item, demandOf(pod));
  }
  return priced;
}

function placeReason({ provider }: Place): string | undefined {
  if (provider === 'on-prem') return 'Machines of an own data centre have no list prices.';
  return provider === undefined
    ? 'Where it runs is not said: name the provider, with --provider or as `workloads.provider` in bylaw.yaml.'
    : undefined;
}

function withoutPod(resource: Readable): string | undefined {
  if (resource.kind === 'PersistentVolumeClaim' && resource.apiVersion === 'v1') return 'The lists have no prices of disks.';
  return podTemplatesOf(resource).length > 0 ? 'How many pods it runs, and for how long, is not in the manifest.' : undefined;
}

function podItem(
  id: string,
  pod: Pod,
  { count, hours }: Exclude<Running, string>,
  provider: CloudProvider,
  place: Place,
  list: PriceList,
): PricedItem | string {
  const demand = demandOf(pod);
  const type = nodeTypeOf(pod) ?? place.instance_type;
  if (demand.gpu > 0) return 'Which part of a machine with GPUs it takes is not in the lists.';
  const unit = type === undefined ? generalUnit(demand, provider, place, list) : machineUnit(demand, type, provider, place, list);
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

/** GB for each vCPU of types for general purposes. */
const GB_PER_VCPU = 4;

function generalUnit({ vcpu, memoryGb }: PodDemand, provider: CloudProvider, { region }: Place, list: PriceList) {
  return { share: Math.max(vcpu, memoryGb / GB_PER_VCPU), price: list.vcpuPrice(provider, region) };
}

function machineUnit({ vcpu, memoryGb }: PodDemand, type: string, provider: CloudProvider, { region }: Place, list: PriceList) {
  const size = list.sizeOf(provider, type);
  const price = list.hourPrice(provider, region, type);
  if (size === undefined || price === undefined) return 'The type of the machines that it runs on is not in the lists of prices.';
  return { share: Math.max(vcpu / size.vcpu, memoryGb / size.memoryGb), price };
}

function addItem(priced: PricedItems, resource: Readable, pod: Pod, item: PricedItem, { unspecified }: PodDemand): void {
  priced.items.push(item);
  if (unspecified.length > 0)
    priced.notes.push({ id: item.id, message: 'where a container requests no processor or no memory, 0.1 vCPU and 128 MiB are assumed' });
  const { ssdGb, hddGb } = claimsOf(resource, pod);
  if (ssdGb + hddGb > 0) priced.notes.push({ id: item.id, message: 'its disks are not part of the cost' });
}
