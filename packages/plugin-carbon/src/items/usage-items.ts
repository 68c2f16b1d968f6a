import type { Provider } from '@bylaw/core/workload';
import { exactly } from '@bylaw/core/workload';
import { machineOf } from '../factors/index.js';
import type { CarbonItem } from './carbon-item.js';
import { type ItemContext, NO_UNIT, type ReadItems } from './item-context.js';

/** Instances that ran, as a list of them. */
export interface UsageLine {
  id: string;
  provider?: Provider;
  region?: string;
  instance_type: string;
  hours: number;
  cpu_utilization?: number;
  count?: number;
}

/** @param path JSON Pointer of the list */
export function usageItems(lines: readonly UsageLine[], context: ItemContext, path: string): ReadItems {
  const read: ReadItems = { items: [], unestimated: [], warnings: [] };
  for (const [index, line] of lines.entries()) {
    const provider = line.provider ?? context.provider;
    if (provider === undefined) {
      read.unestimated.push({ id: line.id, reason: 'Neither the entry nor the request specifies a provider.' });
      continue;
    }
    const item = instanceItem({ ...line, provider, source: 'usage', hours: line.hours, count: line.count ?? 1 }, context);
    if (item === undefined) {
      read.unestimated.push({ id: line.id, reason: unknownType(provider) });
      read.warnings.push({ code: 'unknown-instance-type', message: unknownType(provider), path: `${path}/${index}/instance_type` });
    } else read.items.push({ ...item, ...(line.cpu_utilization !== undefined && { cpuUtilization: line.cpu_utilization }) });
  }
  return read;
}

export interface InstanceLine {
  id: string;
  source: CarbonItem['source'];
  provider: Provider;
  region?: string;
  instance_type: string;
  hours: number;
  count: number;
}

/** A whole instance as an item; undefined where nothing is known of its type. */
export function instanceItem(line: InstanceLine, context: ItemContext): CarbonItem | undefined {
  const machine = machineOf(line.provider, line.instance_type);
  if (machine === undefined) return undefined;
  return {
    id: line.id,
    source: line.source,
    provider: line.provider,
    region: line.region ?? context.region ?? '',
    instanceType: line.instance_type,
    groups: {},
    hours: exactly(line.hours),
    count: exactly(line.count),
    unit: { ...NO_UNIT, vcpu: machine.vcpu, memoryGib: machine.memoryGib, gpu: machine.gpus },
    ...(machine.gpuModel !== null && { gpuModel: machine.gpuModel }),
    shared: false,
    notes: [],
  };
}

export function unknownType(provider: Provider): string {
  return provider === 'on-prem'
    ? 'On-premises machines have no known instance types. Use the type of a similar cloud machine, with its provider.'
    : 'The instance type is unknown and cannot be inferred from its name.';
}
