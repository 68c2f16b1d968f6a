import { isObject, type JsonObject, type Pod, podOf, podTemplatesOf, type Resource } from '@bylaw/core/resource';
import { gpuPowerOf, machineOf, type Provider } from '../factors/index.js';
import type { CarbonItem } from './carbon-item.js';
import { exactly, type ItemContext, NO_UNIT, type ReadItems } from './item-context.js';
import { gpuOfSelector, groupOfPod, groupsOfDaemon, type NodeGroup, sharePacking, typeOfSelector } from './node-groups.js';
import { demandOf, type PodDemand } from './pod-demand.js';
import { BYTES_PER_GB, parseQuantity } from './quantity.js';
import { runningOf, type Scale, scalesOf } from './workload.js';

type Readable = Pick<Resource, 'apiVersion' | 'kind' | 'namespace' | 'name' | 'object'>;

interface Reading extends ReadItems {
  context: ItemContext;
  provider: Provider;
  region: string;
  nodes: readonly NodeGroup[];
  scales: ReadonlyMap<string, Scale>;
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
    placed: new Map(),
  };
  const present = new Set(resources.map((resource) => `${resource.namespace ?? 'default'}/${resource.kind}/${resource.name}`));
  for (const resource of resources) if (!isOwned(resource, present)) readResource(reading, resource);
  for (const group of sharePacking(provider, reading.placed, context.periodHours)) {
    const message = 'The pods request more than these nodes have; no idle capacity is counted.';
    reading.warnings.push({ code: 'nodes-overfull', message, path: `/nodes/${nodes.indexOf(group)}` });
  }
  const { items, unestimated, warnings } = reading;
  return { items, unestimated, warnings };
}

function readResource(reading: Reading, resource: Readable): void {
  const pod = podOf(resource) ?? rolloutPod(resource);
  if (pod !== undefined) readWorkload(reading, resource, pod);
  else if (resource.kind === 'PersistentVolumeClaim' && resource.apiVersion === 'v1') {
    const { ssdGb, hddGb } = storageOf(resource.object.spec);
    const unit = { ...NO_UNIT, ssdGb, hddGb };
    if (ssdGb + hddGb > 0) reading.items.push({ ...itemOf(reading, resource), unit, shared: false });
    else reading.unestimated.push({ id: idOf(resource), reason: 'The claim requests no storage.' });
  } else if (podTemplatesOf(resource).length > 0) {
    reading.unestimated.push({ id: idOf(resource), reason: 'How many pods it runs, and for how long, is not in the manifest.' });
  }
}

/** A Rollout of Argo runs pods as a Deployment does. */
function rolloutPod({ apiVersion, kind, object }: Readable): Pod | undefined {
  if (kind !== 'Rollout' || !apiVersion.startsWith('argoproj.io/')) return undefined;
  return podOf({ apiVersion: 'apps/v1', kind: 'Deployment', object });
}

function readWorkload(reading: Reading, resource: Readable, pod: Pod): void {
  const id = idOf(resource);
  const { context, nodes, scales } = reading;
  const daemon = resource.kind === 'DaemonSet' && nodes.length > 0;
  const group = groupOfPod(pod, nodes);
  const places = daemon ? groupsOfDaemon(pod, nodes) : [group];
  const scale = scales.get(`${resource.namespace ?? 'default'}/${resource.kind}/${resource.name}`);
  if (places.length === 0) reading.unestimated.push({ id, reason: 'None of the `nodes` has the labels that it asks for.' });
  for (const place of places) {
    const running = runningOf(resource.kind, resource.object, context, scale, place?.count);
    if (typeof running === 'string') {
      reading.unestimated.push({ id, reason: running });
      return;
    }
    const demand = demandOf(pod);
    const item = workloadItem(reading, resource, pod, demand, place);
    item.count = running.count;
    item.hours = running.hours;
    if (running.note !== undefined) item.notes.push(running.note);
    if (places.length > 1) item.id = `${id}@${place?.instance_type ?? ''}`;
    noteDemand(reading, item, demand);
    reading.items.push(item);
    if (place !== undefined) reading.placed.set(place, [...(reading.placed.get(place) ?? []), item]);
  }
}

function workloadItem(reading: Reading, resource: Readable, pod: Pod, demand: PodDemand, group: NodeGroup | undefined): CarbonItem {
  const item = itemOf(reading, resource);
  const type = group?.instance_type ?? typeOfSelector(pod);
  const machine = type === undefined ? undefined : machineOf(reading.provider, type);
  const gpu = gpuOfSelector(pod) ?? machine?.gpuModel ?? undefined;
  const { ssdGb, hddGb } = claimsOf(resource, pod);
  return {
    ...item,
    ...(type !== undefined && machine !== undefined && { instanceType: type }),
    unit: { ...NO_UNIT, vcpu: demand.vcpu, memoryGb: demand.memoryGb, gpu: demand.gpu, ssdGb, hddGb },
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
    id: idOf(resource),
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

function noteDemand(reading: Reading, item: CarbonItem, demand: PodDemand): void {
  const { unspecified, malformed } = demand;
  if (unspecified.length > 0) {
    const message = `${unspecified.length === 1 ? 'A container requests' : `${unspecified.length} containers request`} no processor or no memory: 0.1 vCPU and 128 MiB are assumed.`;
    item.notes.push(message);
    reading.warnings.push({ code: 'no-requests', message: `${item.id}: ${message}`, path: '/manifests' });
  }
  if (malformed.length > 0) {
    const message = `These fields hold no quantity, and are taken as absent: ${malformed.join(', ')}.`;
    item.notes.push(message);
    reading.warnings.push({ code: 'malformed', message: `${item.id}: ${message}`, path: '/manifests' });
  }
  if (item.unit.gpu > 0 && (item.gpuModel === undefined || gpuPowerOf(item.gpuModel) === undefined)) {
    reading.unestimated.push({ id: `${item.id}#gpu`, reason: 'Which GPU it is, neither its nodeSelector nor the nodes say.' });
  }
}

/** Volumes that each pod brings along: of a StatefulSet, and ephemeral ones. Claims that stand alone are items of their own. */
function claimsOf(resource: Readable, pod: Pod): { ssdGb: number; hddGb: number } {
  const spec = isObject(resource.object.spec) ? resource.object.spec : {};
  const templates = resource.kind === 'StatefulSet' && Array.isArray(spec.volumeClaimTemplates) ? spec.volumeClaimTemplates : [];
  const volumes = Array.isArray(pod.spec.volumes) ? pod.spec.volumes : [];
  const ephemeral = volumes.map((volume) => member(member(volume, 'ephemeral'), 'volumeClaimTemplate'));
  const all = [...templates, ...ephemeral].map((template) => storageOf(member(template, 'spec')));
  return { ssdGb: all.reduce((sum, { ssdGb }) => sum + ssdGb, 0), hddGb: all.reduce((sum, { hddGb }) => sum + hddGb, 0) };
}

/** Storage classes that are disks that turn: of AWS, Google Cloud and Azure. All others are taken for SSDs. */
const HDD_CLASSES = /(^|[-_])(st1|sc1|hdd|pd-standard|standard[-_]?hdd|standard_lrs)($|[-_])/i;

function storageOf(spec: unknown): { ssdGb: number; hddGb: number } {
  const requested = parseQuantity(member(member(member(spec, 'resources'), 'requests'), 'storage'));
  const name = member(spec, 'storageClassName');
  const gb = (requested ?? 0) / BYTES_PER_GB;
  return typeof name === 'string' && name.length < 254 && HDD_CLASSES.test(name) ? { ssdGb: 0, hddGb: gb } : { ssdGb: gb, hddGb: 0 };
}

function member(value: unknown, name: string): unknown {
  const object = value as JsonObject | undefined; // read only where it is an object
  return typeof value === 'object' && value !== null && !Array.isArray(value) && object !== undefined ? object[name] : undefined;
}

function isOwned({ namespace = 'default', object }: Readable, present: ReadonlySet<string>): boolean {
  const metadata = isObject(object.metadata) ? object.metadata : {};
  const owners = Array.isArray(metadata.ownerReferences) ? metadata.ownerReferences : [];
  return owners.some(
    (owner) => isObject(owner) && owner.controller === true && present.has(`${namespace}/${String(owner.kind)}/${String(owner.name)}`),
  );
}

/** `apps/Deployment/shop/checkout`. */
function idOf({ apiVersion, kind, namespace, name }: Readable): string {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : 'core';
  return `${group}/${kind}/${namespace ?? 'default'}/${name}`;
}
