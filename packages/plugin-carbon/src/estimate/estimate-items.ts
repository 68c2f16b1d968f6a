import type { CarbonItem } from '../items/index.js';
import { Draws, type SharedDimension } from './draws.js';
import { type ItemModel, type ModelOptions, modelOf } from './factors-of-item.js';
import { sampled } from './sampled.js';
import type { ItemEnergy, ItemEstimation } from './types.js';

/**
 * Energy and emissions of items, at the central value of every factor and at each of the points. Nothing is rounded.
 * Several lists are computed on the same points, so that their differences are free of what is uncertain in both.
 *
 * Per unit and hour: E = ((vCPU × W/vCPU + GiB × W/GiB + GPUs × W/GPU) / packing + TB × W/TB × copies) × PUE, and GB × kWh/GB once.
 * Of rows of a bill without a physical model, E = money × kWh that the money stands for, PUE included.
 * Operational = E × grid. Embodied = emissions of the host × hours / lifespan × share of the host; on nodes that are known with what idles there.
 * Source: SCI, ISO/IEC 21031:2024; Cloud Carbon Footprint, Methodology.
 * @param dimensions those of these items and of others that are computed on the same points with other options; absent: their own
 */
export function estimateItems(
  lists: readonly (readonly CarbonItem[])[],
  options: ModelOptions,
  dimensions?: readonly string[],
): ItemEstimation[][] {
  const models = lists.map((items) => items.map((item) => modelOf(item, options)));
  const draws = new Draws(dimensions ?? dimensionsOf(models.flat()));
  return lists.map((items, list) => items.map((item, index) => estimateItem(item, models[list]?.[index] ?? modelOf(item, options), draws)));
}

/** Names of what is uncertain in these items, in the order that decides which points each has. */
export function dimensionsOfItems(items: readonly CarbonItem[], options: ModelOptions): string[] {
  return dimensionsOf(items.map((item) => modelOf(item, options)));
}

/** The energy of an item at the central value of every factor. */
export function centralKwh(item: CarbonItem, options: ModelOptions): number {
  return sumOf(centralEnergy(item, modelOf(item, options)));
}

function sumOf({ cpu, memory, gpu, storage, network, overhead, spend = 0 }: ItemEnergy): number {
  return cpu + memory + gpu + storage + network + overhead + spend;
}

/** What is wrong alike for all items, beside the grids and the architectures. The order decides which points each has. */
const SHARED_DIMENSIONS: readonly SharedDimension[] = [
  'cpu_utilization',
  'packing',
  'embodied',
  'pue',
  'lifespan',
  'memory',
  'count',
  'hours',
  'gpu_watts',
  'gpu_utilization',
  'storage_watts',
  'storage_replication',
  'network',
  'spend',
];

function dimensionsOf(models: readonly ItemModel[]): string[] {
  const grids = new Set(models.map(({ zone }) => `grid ${zone}`));
  const powers = new Set(models.flatMap(({ machine, factors }) => (factors.wattsPerVcpu ? [`power ${machine.power.architecture}`] : [])));
  return [...[...grids].sort(), ...[...powers].sort(), ...SHARED_DIMENSIONS];
}

function estimateItem(item: CarbonItem, model: ItemModel, draws: Draws): ItemEstimation {
  const { factors } = model;
  const energy = centralEnergy(item, model);
  const energyKwh = sumOf(energy);
  const samples = sampled(item, model, draws);
  return {
    item,
    machine: model.machine,
    factors,
    energy,
    energyKwh,
    operational: (energyKwh * factors.grid.value) / 1000,
    embodied: centralEmbodied(item, model),
    locationBased: (energyKwh * factors.locationGrid.value) / 1000,
    marketBased: factors.marketGrid === undefined ? null : (energyKwh * factors.marketGrid.value) / 1000,
    samples,
  };
}

function centralEnergy({ unit, count, hours, cost }: CarbonItem, { factors }: ItemModel): ItemEnergy {
  if (factors.kwhPerSpend)
    return { cpu: 0, memory: 0, gpu: 0, storage: 0, network: 0, overhead: 0, spend: factors.kwhPerSpend.value * (cost?.amount ?? 0) };
  const { cpuUtilization, wattsPerVcpu, memoryWattsPerGib, gpuIdleWatts, gpuMaxWatts, gpuUtilization, packing, pue } = factors;
  const kilohours = (count.central * hours.central) / 1000;
  const idle = gpuIdleWatts?.value ?? 0;
  const cpu = cpuUtilization === undefined ? 0 : unit.vcpu * (wattsPerVcpu?.value ?? 0) * kilohours;
  const memory = unit.memoryGib * (memoryWattsPerGib?.value ?? 0) * kilohours;
  const gpu = unit.gpu * (idle + (gpuUtilization?.value ?? 0) * ((gpuMaxWatts?.value ?? 0) - idle)) * kilohours;
  const disks = unit.ssdGb * (factors.ssdWattsPerTb?.value ?? 0) + unit.hddGb * (factors.hddWattsPerTb?.value ?? 0);
  const storage = (disks / 1000) * (factors.storageReplication?.value ?? 1) * kilohours;
  const network = unit.networkGb * (factors.networkKwhPerGb?.value ?? 0) * count.central;
  const used = cpu + memory + gpu;
  const total = (used / (packing?.value ?? 1) + storage + network) * pue.value;
  return { cpu, memory, gpu, storage, network, overhead: total - used - storage - network };
}

function centralEmbodied({ count, hours, packing }: CarbonItem, { factors }: ItemModel): number {
  const { embodiedKg, lifespanHours, hostShare } = factors;
  if (!(embodiedKg && lifespanHours && hostShare)) return 0;
  return (embodiedKg.value * count.central * hours.central * hostShare.value) / lifespanHours.value / (packing ?? 1);
}
