import type { UsageRow } from '@bylaw/core/cost';
import type { Provider } from '@bylaw/core/workload';
import { gpuPowerOf, machineOf } from '../factors/index.js';
import { type UsageUnit, usageUnitOf } from './usage-unit.js';

/**
 * The physical usage of a row: hours of whole machines; of parts of machines that are billed apart, vCPU-hours and GB-hours of memory; hours of GPUs;
 * GB-hours of functions and of disks; GB that were moved.
 */
export type BilledUsage =
  | { kind: 'instance'; instanceType: string; copies: number; quantity: number }
  | { kind: 'sized'; vcpu: number; memoryGb: number; quantity: number }
  | { kind: 'gpu'; model: string; quantity: number }
  | { kind: 'compute'; family: string; part: 'cpu' | 'memory'; quantity: number }
  | { kind: 'function' | 'hdd' | 'network' | 'ssd'; quantity: number };

/** A text says why there is none. Negative quantities are corrections of others. */
export function billedUsage(row: UsageRow, provider: Provider): BilledUsage | string {
  const amount = amountOf(row);
  if (typeof amount === 'string') return amount;
  if (SURCHARGES.test(row.meter) || /ElasticMapReduce/i.test(row.service))
    return 'It is charged on top of machines that the bill has in rows of their own.';
  const { of, quantity } = amount;
  if (of === 'gb') return { kind: 'network', quantity };
  const part = PARTS.find(({ meter }) => meter.test(row.meter))?.part;
  if (of === 'hours') return part === undefined ? machineUsage(row, provider, quantity) : partUsage(row, part, quantity);
  if (part === 'memory') return partUsage(row, part, quantity);
  if (/lambda|functions?\b/i.test(`${row.service} ${row.meter} ${row.consumedUnit} ${row.pricingUnit}`))
    return { kind: 'function', quantity };
  return { kind: HDD.test(`${row.diskType} ${row.meter}`) ? 'hdd' : 'ssd', quantity };
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

/** Disks that turn, and stores of objects and copies, which stand on them. Names: AWS usage types, SKUs of Google Cloud, meters of Azure. */
const HDD =
  /\bhdd\b|magnetic|VolumeUsage(?:$|\.(?:st1|sc1))|\bst1\b|\bsc1\b|TimedStorage|Snapshot|Storage PD Capacity|Standard Storage|Nearline|Coldline|Archive|\b(?:LRS|GRS|ZRS) Data Stored/i;

function amountOf({ consumed, consumedUnit, priced, pricingUnit }: UsageRow): { of: UsageUnit['of']; quantity: number } | string {
  let named = false;
  for (const [quantity, text] of [
    [consumed, consumedUnit],
    [priced, pricingUnit],
  ] as const) {
    const unit = unitOf(text);
    named ||= unit !== undefined;
    if (unit && Number.isFinite(quantity)) return { of: unit.of, quantity: quantity * unit.times };
  }
  return named ? 'How much was used is no number.' : 'There is no physical model for this usage.';
}

/** Why a machine of a bill has no physical model. */
export const UNKNOWN_TYPE = 'The instance type is not in the lists.';

function machineUsage({ instanceType, meter, vcpu, memoryGib }: UsageRow, provider: Provider, quantity: number): BilledUsage | string {
  // A database in two zones is two machines, and one row.
  if (instanceType !== '' && isKnown(`${provider}/${instanceType}`, () => machineOf(provider, instanceType) !== undefined))
    return { kind: 'instance', instanceType, copies: /Multi-AZ/i.test(meter) ? 2 : 1, quantity };
  if (vcpu > 0 && memoryGib > 0) return { kind: 'sized', vcpu, memoryGb: memoryGib, quantity };
  return instanceType === '' ? 'There is no physical model for this usage.' : UNKNOWN_TYPE;
}

/** Bills have few units and types, and many rows. */
const unitOf = remembered(usageUnitOf);
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
  return model === undefined ? 'The power of the GPU is not known.' : { kind: 'gpu', model, quantity };
}

/** `N2 Instance Core running in Belgium` and `N2 Instance Ram …` are of one family. */
function familyOf(meter: string): string {
  return /^([A-Z]\w{1,5}) /.exec(meter)?.[1] ?? 'compute';
}
