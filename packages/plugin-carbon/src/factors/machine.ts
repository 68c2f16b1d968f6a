import type { CloudProvider, Provider } from '@bylaw/core/workload';
import { acceleratorsOf } from './accelerated.js';
import { MEMORY_WATTS_PER_GIB } from './constants.js';
import type { Factor, FactorClass } from './factor.js';
import { inferredRow } from './infer-machine.js';
import { type MachineRow, machineData } from './machine-data.js';
import { COPIES, STAND_INS } from './processor.js';

export type PowerModel = 'best' | 'ccf';

/** A machine as it is sold, and the host that it is a part of. */
export interface Machine {
  type: string | null;
  vcpu: number;
  memoryGib: number;
  gpus: number;
  gpuModel: string | null;
  hostVcpu: number;
  hostMemoryGib: number;
  embodiedKg: Factor;
  power: Power;
}

/**
 * Watts per vCPU and per GiB of memory, by load. The uncertainty is one for both: `watts × deviation` with the range below.
 * Machines of one `architecture` are wrong in the same way.
 */
export interface Power {
  architecture: string;
  cpuWattsPerVcpu: (utilization: number) => number;
  memoryWattsPerGib: (utilization: number) => number;
  /** Ends of the range as multiples of the value. */
  low: number;
  high: number;
  /** Range of the memory, where it is apart from that of the processor. */
  memory?: { low: number; high: number };
  source: string;
  year: number;
  class: FactorClass;
}

/**
 * What the curves that Teads measured are, taken by their median over 590 types of AWS, to processor and memory of CCF at half load; 5 % and 95 %
 * of the types lie at 1/1.35 and 1.55 of it. SPECpower servers, on which CCF rests, are leaner than loaded hosts. `machine.test.ts` measures it.
 */
export const CALIBRATION = { ratio: 1.44, low: 1 / 1.35, high: 1.55 } as const;

const MEASURED = { low: 1 / 1.3, high: 1.3 } as const;
const PROXY = { low: 1 / 2, high: 2 } as const;

/**
 * A type that the lists have, or whose name says what it is. Undefined for any other.
 * @param type as the provider writes it; names of database, cache and search instances too
 */
export function machineOf(provider: Provider, type: string, model: PowerModel = 'best'): Machine | undefined {
  if (provider === 'on-prem') return undefined;
  const { machines, sources } = machineData();
  for (const name of namesOf(provider, type)) {
    const listed = machines.get(`${provider}/${name}`);
    // The lists do not know all processors; the name of the type may: Axion of c4a, Ice Lake of e4_v5.
    const row = listed && { ...listed, architecture: listed.architecture ?? inferredRow(provider, name)?.architecture ?? null };
    if (row !== undefined) return machine(provider, name, row, model, `${sources[row.source].title}`, sources[row.source].year);
  }
  for (const name of namesOf(provider, type)) {
    const row = inferredRow(provider, name);
    if (row !== undefined)
      return machine(provider, name, row, model, 'inferred from the instance type name', sources[row.source].year, true);
  }
  return undefined;
}

/** The machine of whose kind nothing is known: the mean of all architectures of the provider, in the host that most types of AWS share. */
export function typicalMachine(provider: Provider, model: PowerModel = 'best'): Machine {
  const row: MachineRow = {
    ...{ vcpu: TYPICAL.hostVcpu, memoryGib: TYPICAL.hostMemoryGib, architecture: null, gpus: 0, gpuModel: null, source: 'ccf-2024' },
    ...TYPICAL,
  };
  const { sources } = machineData();
  return machine(provider === 'on-prem' ? 'aws' : provider, null, row, model, sources['ccf-2024'].title, sources['ccf-2024'].year);
}

/** The host of m5, r5 and c5: CCF, coefficients-aws-embodied.csv. */
const TYPICAL = { hostVcpu: 96, hostMemoryGib: 384, embodiedKg: 1610.79 } as const;

function namesOf(provider: CloudProvider, type: string): string[] {
  const name = type.toLowerCase().trim();
  if (provider === 'azure') return [name.replace(/^(standard|basic)_/, '')];
  if (provider === 'gcp') return [name.replace(/^(?:.*\/)?machinetypes\//, ''), name.replace(/-lssd$/, '')];
  // Databases, caches, search and notebooks run on instances of the same name.
  const bare = name.replace(/^(db|cache|ml|dms)\./, '').replace(/\.(search|elasticsearch)$/, '');
  const search = name.replace(/\.search$/, '.elasticsearch');
  return [name, search, bare];
}

function machine(
  provider: CloudProvider,
  type: string | null,
  row: MachineRow,
  model: PowerModel,
  source: string,
  year: number,
  inferred = false,
): Machine {
  // The lists know the accelerators of few types.
  const accelerators = type === null ? undefined : acceleratorsOf(provider, type);
  const gpus = accelerators?.count ?? row.gpus;
  const hostVcpu = Math.max(row.hostVcpu ?? TYPICAL.hostVcpu, row.vcpu);
  const hostMemoryGib = Math.max(row.hostMemoryGib ?? TYPICAL.hostMemoryGib, row.memoryGib);
  return {
    type,
    vcpu: row.vcpu,
    memoryGib: row.memoryGib,
    gpus,
    gpuModel: accelerators?.model ?? row.gpuModel,
    hostVcpu,
    hostMemoryGib,
    embodiedKg: embodiedOf(row, hostMemoryGib, Math.round((gpus * hostVcpu) / row.vcpu), source, year, inferred || type === null),
    power: powerOf(provider, type, row, model, inferred),
  };
}

/**
 * CCF, ccfcoef/constants.py: 1,000 kg for a server of one processor with 16 GiB, 533 kg for 384 GiB more, 100 kg for a second processor. For each GPU
 * 150 kg: column additional_gpus of its coefficients-aws-embodied.csv.
 */
function embodiedOf(row: MachineRow, hostMemoryGib: number, hostGpus: number, source: string, year: number, assumed: boolean): Factor {
  const value = row.embodiedKg ?? 1000 + (533 / 384) * Math.max(0, hostMemoryGib - 16) + 100 + 150 * hostGpus;
  const known = row.embodiedKg !== null;
  return {
    ...{ name: 'embodied_kg_co2e_per_host', value, low: value / 2, high: value * 2 },
    ...(known ? { source, year } : { source: 'Cloud Carbon Footprint, Embodied Emissions: by memory, processors and GPUs', year: 2022 }),
    class: assumed ? 'default' : known ? 'modelled' : 'proxy',
  };
}

function powerOf(provider: CloudProvider, type: string | null, row: MachineRow, model: PowerModel, inferred: boolean): Power {
  const { curves, sources } = machineData();
  const curve = model === 'best' && provider === 'aws' && type !== null && !inferred ? curves.get(type) : undefined;
  if (curve !== undefined) return measuredPower(row, curve, type ?? '');
  const [watts, kind] = pairOf(provider, row.architecture, inferred);
  const factor = model === 'best' ? CALIBRATION.ratio : 1;
  const range = model === 'best' && kind === 'modelled' ? CALIBRATION : PROXY;
  const [idle, full] = watts;
  return {
    architecture: row.architecture ?? 'unknown',
    cpuWattsPerVcpu: (utilization) => factor * (idle + utilization * (full - idle)),
    memoryWattsPerGib: () => factor * MEMORY_WATTS_PER_GIB.value,
    low: range.low,
    high: range.high,
    // The calibration was measured on processor and memory together; without it each has its own range.
    ...(model === 'ccf' && {
      memory: {
        low: MEMORY_WATTS_PER_GIB.low / MEMORY_WATTS_PER_GIB.value,
        high: MEMORY_WATTS_PER_GIB.high / MEMORY_WATTS_PER_GIB.value,
      },
    }),
    source: model === 'best' ? `${sources['ccf-2026'].title}, x ${CALIBRATION.ratio}` : sources['ccf-2026'].title,
    year: sources['ccf-2026'].year,
    class: kind,
  };
}

/** The curve is of the whole instance: what is neither memory nor GPU is shared by the vCPUs. */
function measuredPower({ vcpu, memoryGib, architecture }: MachineRow, curve: readonly number[], type: string): Power {
  const { sources } = machineData();
  const [whole, memory, gpus] = [curve.slice(0, 4), curve.slice(4, 8), curve.slice(8, 12)];
  const processor = whole.map((watts, load) => Math.max(0, watts - (memory[load] ?? 0) - (gpus[load] ?? 0)));
  return {
    architecture: architecture ?? type,
    cpuWattsPerVcpu: (utilization) => between(processor, utilization) / vcpu,
    memoryWattsPerGib: (utilization) => between(memory, utilization) / memoryGib,
    ...MEASURED,
    source: sources['teads-2023'].title,
    year: sources['teads-2023'].year,
    class: 'measured',
  };
}

const LOADS = [0, 0.1, 0.5, 1] as const;

/** On the straight lines between the four loads. */
function between(watts: readonly number[], utilization: number): number {
  const at = utilization < 0.1 ? 0 : utilization < 0.5 ? 1 : 2;
  const [from, to] = [LOADS[at] ?? 0, LOADS[at + 1] ?? 1];
  const [low, high] = [watts[at] ?? 0, watts[at + 1] ?? 0];
  return low + ((utilization - from) / (to - from)) * (high - low);
}

/** Type → architecture → what is used in its place → mean of the provider. Where a type runs on one of several, their mean. */
function pairOf(provider: CloudProvider, architecture: string | null, inferred: boolean): [readonly [number, number], FactorClass] {
  const own = machineData().architectures[provider];
  const all = machineData().architectures.aws;
  const names = architecture?.split('|') ?? [];
  const pairs = names.flatMap((name) => own[name] ?? all[name] ?? []).length / 2;
  if (names.length > 0 && pairs === names.length)
    return [meanOf(names.map((name) => own[name] ?? all[name] ?? [0, 0])), inferred ? 'proxy' : 'modelled'];
  const standIns = names.flatMap((name) => STAND_INS[name] ?? []);
  const pair = standIns.length === names.length ? standIns.flatMap((name) => [own[name] ?? all[name] ?? []]) : [];
  if (pair.length > 0 && pair.every((watts) => watts.length === 2)) return [meanOf(pair as (readonly [number, number])[]), 'proxy']; // both are there
  return [meanOf([...Object.values(own), ...copiesOf(provider)]), 'default'];
}

/** What the list of a provider has by the figures of another processor is as common in its fleet as all else: Graviton. */
function copiesOf(provider: CloudProvider): (readonly [number, number])[] {
  const own = machineData().architectures[provider];
  const pairs = COPIES.map((name) => own[STAND_INS[name] ?? '']);
  return provider === 'aws' ? pairs.filter((pair) => pair !== undefined) : [];
}

function meanOf(pairs: readonly (readonly [number, number])[]): [number, number] {
  const mean = (index: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[index], 0) / pairs.length;
  return [mean(0), mean(1)];
}
