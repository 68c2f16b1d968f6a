import {
  CPU_UTILIZATION,
  type Factor,
  GPU_UTILIZATION,
  type Grid,
  given,
  gpuPowerOf,
  gridOf,
  HDD_WATTS_PER_TB,
  LIFESPAN_HOURS,
  type Machine,
  machineOf,
  marketFactorOf,
  NETWORK_KWH_PER_GB,
  PACKING,
  type PowerModel,
  pueOf,
  SSD_WATTS_PER_TB,
  STORAGE_REPLICATION,
  typicalMachine,
  worldGrid,
} from '../factors/index.js';
import type { CarbonItem } from '../items/index.js';
import type { Assumptions, ItemFactors, Method } from './types.js';

/** What one item is computed with. */
export interface ItemModel {
  machine: Machine;
  /** Whether the machine is that of the item, and not a typical one. */
  known: boolean;
  zone: string;
  factors: ItemFactors;
}

export interface ModelOptions {
  assumptions: Assumptions;
  method: Required<Method>;
}

/** Chooses the factors of an item: what was told before what was measured, and that before what is assumed. */
export function modelOf(item: CarbonItem, { assumptions, method }: ModelOptions): ItemModel {
  const named = item.instanceType === undefined ? undefined : machineOf(item.provider, item.instanceType, method.power_model);
  const machine = named ?? typicalOf(item.provider, method.power_model);
  const grid = gridOf(item.provider, item.region) ?? worldGrid();
  const factors: ItemFactors = { ...siteFactors(item, grid, assumptions, method.grid) };
  if (item.spend?.kwhPerUnit) factors.kwhPerSpend = item.spend.kwhPerUnit;
  const { vcpu, memoryGib, gpu, ssdGb, hddGb, networkGb } = item.unit;
  if (vcpu > 0 || memoryGib > 0) Object.assign(factors, machineFactors(item, machine, assumptions));
  if (gpu > 0 && item.gpuModel !== undefined) Object.assign(factors, gpuFactors(item.gpuModel, assumptions));
  if (ssdGb > 0) factors.ssdWattsPerTb = SSD_WATTS_PER_TB;
  if (hddGb > 0) factors.hddWattsPerTb = HDD_WATTS_PER_TB;
  if (ssdGb > 0 || hddGb > 0)
    factors.storageReplication = told('storage_replication', assumptions.storage_replication) ?? STORAGE_REPLICATION;
  if (networkGb > 0) factors.networkKwhPerGb = NETWORK_KWH_PER_GB;
  if (method.embodied && (vcpu > 0 || memoryGib > 0)) Object.assign(factors, embodiedFactors(item, machine, assumptions));
  return { machine, known: named !== undefined, zone: grid.zone, factors };
}

/** A mean that is told is that of the place; what the next kWh emits is not. */
function siteFactors(item: CarbonItem, { zone, factor }: Grid, assumptions: Assumptions, method: Method['grid']) {
  const own = told('grid_g_co2e_per_kwh', assumptions.grid_g_per_kwh) ?? factor;
  const locationGrid = method === 'marginal' ? factor : own;
  const marketGrid =
    told('market_g_co2e_per_kwh', assumptions.market_g_per_kwh) ??
    marketFactorOf(item.provider, item.region, { zone, factor: locationGrid });
  return {
    pue: told('pue', assumptions.pue) ?? pueOf(item.provider),
    grid: own,
    locationGrid,
    ...(marketGrid && { marketGrid }),
  };
}

function machineFactors(item: CarbonItem, { power }: Machine, assumptions: Assumptions): Partial<ItemFactors> {
  const cpuUtilization = utilization('cpu_utilization', item.cpuUtilization ?? assumptions.cpu_utilization) ?? CPU_UTILIZATION;
  const origin = { source: power.source, year: power.year, class: power.class };
  const at = (name: string, value: number, { low, high }: { low: number; high: number }): Factor => ({
    ...{ name, value, low: value * low, high: value * high },
    ...origin,
  });
  const packing = item.packing === undefined ? told('packing', assumptions.packing) : given('packing', item.packing);
  return {
    idleWattsPerVcpu: at('idle_watts_per_vcpu', power.cpuWattsPerVcpu(0), power),
    maxWattsPerVcpu: at('max_watts_per_vcpu', power.cpuWattsPerVcpu(1), power),
    wattsPerVcpu: at('watts_per_vcpu', power.cpuWattsPerVcpu(cpuUtilization.value), power),
    cpuUtilization,
    memoryWattsPerGib: at('memory_watts_per_gb', power.memoryWattsPerGib(cpuUtilization.value), power.memory ?? power),
    ...(item.shared && { packing: packing ?? PACKING }),
  };
}

function gpuFactors(model: string, assumptions: Assumptions): Partial<ItemFactors> {
  const power = gpuPowerOf(model);
  if (power === undefined) return {};
  return {
    gpuIdleWatts: power.idleWatts,
    gpuMaxWatts: power.fullWatts,
    gpuUtilization: utilization('gpu_utilization', assumptions.gpu_utilization) ?? GPU_UTILIZATION,
  };
}

function embodiedFactors(item: CarbonItem, machine: Machine, assumptions: Assumptions): Partial<ItemFactors> {
  const years = assumptions.lifespan_years;
  const share = Math.min(1, Math.max(item.unit.vcpu / machine.hostVcpu, item.unit.memoryGib / machine.hostMemoryGib));
  return {
    embodiedKg: machine.embodiedKg,
    lifespanHours: typeof years === 'number' ? given('lifespan_hours', years * 8760) : LIFESPAN_HOURS,
    hostShare: { ...given('host_share', share), source: 'the larger of the vCPU share and the memory share' },
  };
}

function told(name: string, value: number | null | undefined): Factor | undefined {
  return typeof value === 'number' ? given(name, value) : undefined;
}

/** Nobody knows a utilisation to the percent: 10 % up and down. */
function utilization(name: string, value: number | null | undefined): Factor | undefined {
  return typeof value === 'number' ? given(name, value, { low: value * 0.9, high: Math.min(1, value * 1.1) }) : undefined;
}

function typicalOf(provider: CarbonItem['provider'], model: PowerModel): Machine {
  const key = `${provider} ${model}`;
  let machine = typical.get(key);
  if (machine === undefined) {
    machine = typicalMachine(provider, model);
    typical.set(key, machine);
  }
  return machine;
}

const typical = new Map<string, Machine>();
