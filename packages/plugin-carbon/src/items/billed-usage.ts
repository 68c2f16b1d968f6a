import type { UsageRow } from '@bylaw/core/cost';
import { BYTES_PER_GB, BYTES_PER_GIB, type Provider } from '@bylaw/core/workload';
import { gpuPowerOf, machineOf } from '../factors/index.js';
import { type Kilo, type UsageUnit, usageUnitOf } from './usage-unit.js';

/**
 * The physical usage of a row: hours of whole machines; of parts of machines that are billed apart, vCPU-hours and GiB-hours of memory; hours of GPUs;
 * GiB-hours of functions; GB-hours of disks; GB that were moved.
 */
export type BilledUsage =
  | { kind: 'instance'; instanceType: string; copies: number; quantity: number }
  | { kind: 'sized'; vcpu: number; memoryGib: number; quantity: number }
  | { kind: 'gpu'; model: string; quantity: number }
  | { kind: 'compute'; family: string; part: 'cpu' | 'memory'; quantity: number }
  | { kind: 'function' | 'hdd' | 'network' | 'ssd'; quantity: number };

/** A text says why there is none. Negative quantities are corrections of others. */
export function billedUsage(row: UsageRow, provider: Provider): BilledUsage | string {
  const amount = amountOf(row, provider === 'on-prem' ? 1000 : 1024);
  if (typeof amount === 'string') return amount;
  if (SURCHARGES.test(row.meter) || /ElasticMapReduce/i.test(row.service))
    return 'This charge is on top of machines that the bill lists in separate rows.';
  const { of, quantity } = amount;
  if (of === 'bytes') return { kind: 'network', quantity: quantity / BYTES_PER_GB };
  const part = PARTS.find(({ meter }) => meter.test(row.meter))?.part;
  if (of === 'hours') return part === undefined ? machineUsage(row, provider, quantity) : partUsage(row, part, quantity);
  if (part === 'memory') return partUsage(row, part, quantity / BYTES_PER_GIB);
  if (/lambda|functions?\b/i.test(`${row.service} ${row.meter} ${row.consumedUnit} ${row.pricingUnit}`))
    return { kind: 'function', quantity: quantity / BYTES_PER_GIB };
  return { kind: HDD.test(`${row.diskType} ${row.meter}`) ? 'hdd' : 'ssd', quantity: quantity / BYTES_PER_GB };
}

/** Charges by the hour beside that of the machine: software on it, faster access to disks, load above the credit of a burstable type. */
const SURCHARGES = /(?:^|[-:])(?:SoftwareUsage|EBSOptimized|CPUCredits|DedicatedRes|OptimizeCPU)\b/i;

/**
 * Parts of machines that are charged apart: Compute Engine and Cloud Run by SKU, AWS Fargate by usage type.
 * Sources: https://cloud.google.com/compute/vm-instance-pricing, https://cloud.google.com/run/pricing, https://aws.amazon.com/fargate/pricing/
 */
const PARTS: readonly { meter: RegExp; part: 'cpu' | 'gpu' | 'memory' }[] = [
  { meter: /Fargate(?:-ARM|-Windows)?-vCPU-Hours|\bInstance Core\b|\bCPU (?:Allocation )?Time\b|\bCPU Allocation\b/i, part: 'cpu' },
  { meter: /Fargate(?:-ARM|-Windows)?-GB-Hours|\bInstance Ram\b|\bMemory (?:Allocation )?Time\b|\bMemory Allocation\b/i, part: 'memory' },
  { meter: /\bGPU\b/, part: 'gpu' },
];

/** Disks that turn, and stores of objects and copies, which use them. Names: AWS usage types, SKUs of Google Cloud, meters of Azure. */
const HDD =
  /\bhdd\b|magnetic|VolumeUsage(?:$|\.(?:st1|sc1))|\bst1\b|\bsc1\b|TimedStorage|Snapshot|Storage PD Capacity|Standard Storage|Nearline|Coldline|Archive|\b(?:LRS|GRS|ZRS) Data Stored/i;

/**
 * @param kilo what a kilobyte is where the unit does not say it. The clouds bill units of 1,024, whatever they call them: S3 and EBS
 * (https://aws.amazon.com/s3/faqs/), Compute Engine (https://cloud.google.com/compute/disks-image-pricing), disks of Azure
 * (https://learn.microsoft.com/azure/virtual-machines/disks-types; of its other meters Microsoft does not say). Others follow FOCUS, whose GB is 10^9
 * bytes (attribute "Unit Format").
 */
function amountOf(
  { consumed, consumedUnit, priced, pricingUnit }: UsageRow,
  kilo: Kilo,
): { of: UsageUnit['of']; quantity: number } | string {
  let named = false;
  for (const [quantity, text] of [
    [consumed, consumedUnit],
    [priced, pricingUnit],
  ] as const) {
    const unit = unitOf[kilo](text);
    named ||= unit !== undefined;
    if (unit && Number.isFinite(quantity)) return { of: unit.of, quantity: quantity * unit.times };
  }
  return named ? 'The quantity is not a number.' : 'There is no physical model for this usage.';
}

/** Why a machine of a bill has no physical model. */
export const UNKNOWN_TYPE = 'The instance type is unknown.';

function machineUsage({ instanceType, meter, vcpu, memoryGib }: UsageRow, provider: Provider, quantity: number): BilledUsage | string {
  // A database in two zones is two machines, and one row.
  if (instanceType !== '' && isKnown(`${provider}/${instanceType}`, () => machineOf(provider, instanceType) !== undefined))
    return { kind: 'instance', instanceType, copies: /Multi-AZ/i.test(meter) ? 2 : 1, quantity };
  if (vcpu > 0 && vcpu <= LARGEST && memoryGib > 0 && memoryGib <= LARGEST) return { kind: 'sized', vcpu, memoryGib, quantity };
  return instanceType === '' ? 'There is no physical model for this usage.' : UNKNOWN_TYPE;
}

/** No machine has more vCPUs, or GiB of memory. */
const LARGEST = 1e6;

/** Bills have few units and types, and many rows. */
const unitOf = { 1000: remembered((text) => usageUnitOf(text, 1000)), 1024: remembered((text) => usageUnitOf(text, 1024)) };
const isKnown = remembered((_: string, find: () => boolean) => find());

function remembered<Rest extends unknown[], Value>(find: (key: string, ...rest: Rest) => Value): (key: string, ...rest: Rest) => Value {
  const known = new Map<string, { value: Value }>();
  return (key, ...rest) => {
    let entry = known.get(key);
    if (entry === undefined) {
      if (known.size >= MOST_REMEMBERED) known.clear();
      entry = { value: find(key, ...rest) };
      known.set(key, entry);
    }
    return entry.value;
  };
}

const MOST_REMEMBERED = 5000;

function partUsage(row: UsageRow, part: 'cpu' | 'gpu' | 'memory', quantity: number): BilledUsage | string {
  if (part !== 'gpu') return { kind: 'compute', family: row.instanceType || familyOf(row.meter), part, quantity };
  const model = gpuPowerOf(row.meter)?.model;
  return model === undefined ? 'The power draw of the GPU is unknown.' : { kind: 'gpu', model, quantity };
}

/** `N2 Instance Core running in Belgium` and `N2 Instance Ram …` are of one family. */
function familyOf(meter: string): string {
  return /^([A-Z]\w{1,5}) /.exec(meter)?.[1] ?? 'compute';
}
