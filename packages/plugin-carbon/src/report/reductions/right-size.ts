import type { Provider } from '@bylaw/core/workload';
import { machineData, machineOf } from '../../factors/index.js';
import type { CarbonItem } from '../../items/index.js';
import { grouped, type Proposal, type Situation } from './proposal.js';

/** At half the size a machine with this load would be half busy, which is what fleets are. */
const LOW = 0.25;

/** Machines and pods whose load is told and low, at half their size and twice the load. A load that is assumed proposes nothing. */
export function rightSizing({ estimations, assumptions }: Situation): Proposal[] {
  const found = estimations.flatMap(({ item }) => {
    const load = item.cpuUtilization ?? assumptions.cpu_utilization;
    if (typeof load !== 'number' || load > LOW || item.unit.vcpu <= 0) return [];
    const half = item.shared ? halfRequest(item) : halfMachine(item);
    return half === undefined
      ? []
      : [{ key: `${half.from} ${half.to}`, item, from: half.from, to: half.to, by: { ...half.by, cpuUtilization: 2 * load } }];
  });
  return grouped(found).map((same) => {
    const [{ from, to }] = same;
    return {
      kind: 'right-size',
      title: from.includes('vCPU') ? 'Request half of the vCPUs' : `Half the size: ${to} instead of ${from}`,
      ...{ from, to },
      note: 'The given load is at most a quarter, and would double. The estimate does not consider memory use or load peaks.',
      replaced: same.map(({ item, by }) => ({ item, by: [by] })),
    };
  });
}

interface Half {
  from: string;
  to: string;
  by: CarbonItem;
}

function halfRequest(item: CarbonItem): Half {
  return { from: 'vCPU requests', to: 'half of them', by: { ...item, unit: { ...item.unit, vcpu: item.unit.vcpu / 2 } } };
}

function halfMachine(item: CarbonItem): Half | undefined {
  const { instanceType: from, provider } = item;
  const to = from === undefined ? undefined : halfTypeOf(provider, from);
  const machine = to === undefined ? undefined : machineOf(provider, to);
  if (from === undefined || to === undefined || machine === undefined || item.unit.gpu > 0) return undefined;
  return { from, to, by: { ...item, instanceType: to, unit: { ...item.unit, vcpu: machine.vcpu, memoryGib: machine.memoryGib } } };
}

/** The type of the same family in the lists with half of the vCPUs and of the memory. */
export function halfTypeOf(provider: Provider, type: string): string | undefined {
  const machine = machineOf(provider, type);
  if (provider === 'on-prem' || machine === undefined) return undefined;
  const name = type.toLowerCase();
  const [, service = '', bare = name] = /^(db\.|cache\.)?(.+)$/.exec(name) ?? [];
  const family = provider === 'gcp' ? bare.replace(/-\d+$/, '-') : bare.replace(/\..*$/, '.');
  if (provider === 'azure' || family === bare) return undefined;
  for (const [key, { vcpu, memoryGib, gpus }] of machineData().machines) {
    const sold = key.slice(provider.length + 1);
    if (
      key.startsWith(`${provider}/${family}`) &&
      vcpu * 2 === machine.vcpu &&
      memoryGib * 2 === machine.memoryGib &&
      gpus === 0 &&
      /^[a-z0-9.-]+$/.test(sold) &&
      !sold.endsWith('elasticsearch')
    )
      return `${service}${sold}`;
  }
  return undefined;
}
