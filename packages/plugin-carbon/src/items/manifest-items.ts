import { plural } from '@bylaw/core/plural';
import { isObject, type Pod, podTemplatesOf } from '@bylaw/core/resource';
import {
  claimsOf,
  demandOf,
  exactly,
  nodeTypeOf,
  type PodDemand,
  type Provider,
  podOfWorkload,
  type Readable,
  runningOf,
  type Scale,
  type StorageClasses,
  scalesOf,
  storageClassesOf,
  storageOf,
  withoutOwned,
  workloadId,
} from '@bylaw/core/workload';
import { gpuPowerOf, machineOf } from '../factors/index.js';
import type { CarbonItem } from './carbon-item.js';
import { type ItemContext, NO_UNIT, type ReadItems } from './item-context.js';
import { gpuOfSelector, groupOfPod, groupsOfDaemon, type NodeGroup, sharePacking } from './node-groups.js';

interface Reading extends ReadItems {
  context: ItemContext;
  provider: Provider;
  region: string;
  nodes: readonly NodeGroup[];
  scales: ReadonlyMap<string, Scale>;
  classes: StorageClasses;
  placed: Map<NodeGroup, CarbonItem[]>;
}

/**
 * The workloads and volume claims of Kubernetes objects. What a controller of the same input made is not counted again.
 * Kinds that reserve nothing are passed over.
 */
export function manifestItems(
  resources: readonly Readable[],
  nodes: readonly NodeGroup[],
  context: ItemContext,
  provider: Provider,
): ReadItems {
  const reading: Reading = {
    ...{ items: [], unestimated: [], warnings: [], context, provider, nodes },
    region: context.region ?? '',
    scales: scalesOf(resources),
    classes: storageClassesOf(resources),
    placed: new Map(),
  };
  for (const resource of withoutOwned(resources)) readResource(reading, resource);
  for (const group of sharePacking(provider, reading.placed, context.periodHours)) {
    const message = 'The pods request more than these nodes provide, so the estimate includes no idle capacity.';
    reading.warnings.push({ code: 'nodes-overfull', message, path: `/nodes/${nodes.indexOf(group)}` });
  }
  const { items, unestimated, warnings } = reading;
  return { items, unestimated, warnings };
}

function readResource(reading: Reading, resource: Readable): void {
  const pod = podOfWorkload(resource);
  if (pod !== undefined) readWorkload(reading, resource, pod);
  else if (resource.kind === 'PersistentVolumeClaim' && resource.apiVersion === 'v1') {
    const { ssdGb, hddGb } = storageOf(resource.object.spec, reading.classes);
    const unit = { ...NO_UNIT, ssdGb, hddGb };
    if (ssdGb + hddGb > 0) reading.items.push({ ...itemOf(reading, resource), unit, shared: false });
    else reading.unestimated.push({ id: workloadId(resource), reason: 'The claim requests no storage.' });
  } else if (podTemplatesOf(resource).length > 0) {
    reading.unestimated.push({ id: workloadId(resource), reason: 'The manifest does not say how many pods it runs, or for how long.' });
  }
}

function readWorkload(reading: Reading, resource: Readable, pod: Pod): void {
  const id = workloadId(resource);
  const { context, nodes, scales } = reading;
  const daemon = resource.kind === 'DaemonSet' && nodes.length > 0;
  const group = groupOfPod(pod, nodes);
  const places = daemon ? groupsOfDaemon(pod, nodes) : [group];
  const scale = scales.get(`${resource.namespace ?? 'default'}/${resource.kind}/${resource.name}`);
  if (places.length === 0) reading.unestimated.push({ id, reason: 'None of the `nodes` has the labels that its nodeSelector requires.' });
  for (const place of places) {
    const running = runningOf(resource.kind, resource.object, context, scale, place?.count ?? context.nodeCount);
    if (typeof running === 'string') {
      reading.unestimated.push({ id, reason: running });
      return;
    }
    const demand = demandOf(pod);
    const item = workloadItem(reading, resource, pod, demand, place);
    item.count = running.count;
    item.hours = running.hours;
    if (running.note !== undefined) item.notes.push(running.note);
    noteType(reading, item, pod, place);
    if (places.length > 1) item.id = `${id}@${place?.instance_type ?? ''}`;
    noteDemand(reading, item, demand);
    reading.items.push(item);
    if (place !== undefined) reading.placed.set(place, [...(reading.placed.get(place) ?? []), item]);
  }
}

function workloadItem(reading: Reading, resource: Readable, pod: Pod, demand: PodDemand, group: NodeGroup | undefined): CarbonItem {
  const item = itemOf(reading, resource);
  const type = group?.instance_type ?? nodeTypeOf(pod) ?? reading.context.nodeType;
  const machine = type === undefined ? undefined : machineOf(reading.provider, type);
  const gpu = gpuOfSelector(pod) ?? machine?.gpuModel ?? undefined;
  const { ssdGb, hddGb } = claimsOf(resource, pod, reading.classes);
  return {
    ...item,
    ...(type !== undefined && machine !== undefined && { instanceType: type }),
    unit: { ...NO_UNIT, vcpu: demand.vcpu, memoryGib: demand.memoryGib, gpu: demand.gpu, ssdGb, hddGb },
    ...(gpu !== undefined && { gpuModel: gpu }),
    shared: true,
  };
}

function itemOf(reading: Reading, resource: Readable): CarbonItem {
  const metadata = isObject(resource.object.metadata) ? resource.object.metadata : {};
  const labels = Object.entries(isObject(metadata.labels) ? metadata.labels : {}).flatMap(([label, value]) =>
    typeof value === 'string' ? [[`tag:${label}`, value] as const] : [],
  );
  return {
    id: workloadId(resource),
    source: 'manifest',
    provider: reading.provider,
    region: reading.region,
    groups: { ...Object.fromEntries(labels), namespace: resource.namespace ?? 'default' },
    hours: exactly(reading.context.periodHours),
    count: exactly(1),
    unit: NO_UNIT,
    shared: true,
    notes: [],
  };
}

/** Of the types of `nodes` the request is told once, and not for each of their pods. */
function noteType(reading: Reading, item: CarbonItem, pod: Pod, place: NodeGroup | undefined): void {
  const { provider, warnings } = reading;
  if (place !== undefined || nodeTypeOf(pod) === undefined || item.instanceType !== undefined || provider === 'on-prem') return;
  const message = 'The instance type in its nodeSelector is unknown, so the estimate uses a typical machine.';
  item.notes.push(message);
  warnings.push({ code: 'unknown-instance-type', message: `${item.id}: ${message}`, path: '/manifests' });
}

function noteDemand(reading: Reading, item: CarbonItem, demand: PodDemand): void {
  const { unspecified, malformed, accelerators } = demand;
  if (accelerators.length > 0) {
    const reason = `There is no public figure for the power of ${accelerators.join(', ')}, so the estimate of the pods is too low.`;
    reading.unestimated.push({ id: `${item.id}#accelerators`, reason });
  }
  if (unspecified.length > 0) {
    const message = `${plural(unspecified.length, 'container has', 'containers have')} no CPU or memory request, so the estimate assumes 0.1 vCPU and 128 MiB.`;
    item.notes.push(message);
    reading.warnings.push({ code: 'no-requests', message: `${item.id}: ${message}`, path: '/manifests' });
  }
  if (malformed.length > 0) {
    const message = `The estimate ignores fields with an invalid quantity: ${malformed.join(', ')}.`;
    item.notes.push(message);
    reading.warnings.push({ code: 'malformed', message: `${item.id}: ${message}`, path: '/manifests' });
  }
  if (item.unit.gpu > 0 && (item.gpuModel === undefined || gpuPowerOf(item.gpuModel) === undefined)) {
    reading.unestimated.push({ id: `${item.id}#gpu`, reason: 'Neither its nodeSelector nor the nodes specify the GPU model.' });
  }
}
