import type { Factor } from '../factors/index.js';
import type { CarbonItem, Spread } from '../items/index.js';
import { aboveOne, logitNormal, lognormal } from './distribution.js';
import { type ItemModel, type ModelOptions, modelOf } from './factors-of-item.js';
import { deviations, SAMPLES } from './points.js';
import type { ItemEnergy, ItemEstimation } from './types.js';

/**
 * Energy and emissions of items, at the central value of every factor and at each of the points. Nothing is rounded.
 * Several lists are computed on the same points, so that their differences are free of what is uncertain in both.
 *
 * Per unit and hour: E = ((vCPU × W/vCPU + GB × W/GB + GPUs × W/GPU) / packing + TB × W/TB × copies) × PUE, and GB × kWh/GB once.
 * Operational = E × grid. Embodied = emissions of the host × hours / lifespan × share of the host; on nodes that are known with what idles there.
 * Source: SCI, ISO/IEC 21031:2024; Cloud Carbon Footprint, Methodology.
 */
export function estimateItems(lists: readonly (readonly CarbonItem[])[], options: ModelOptions): ItemEstimation[][] {
  const models = lists.map((items) => items.map((item) => modelOf(item, options)));
  const draws = new Draws(dimensionsOf(models.flat()));
  return lists.map((items, list) => items.map((item, index) => estimateItem(item, models[list]?.[index] ?? modelOf(item, options), draws)));
}

/** Names of what is uncertain in these items, in the order that decides which points each has. */
export function dimensionsOfItems(items: readonly CarbonItem[], options: ModelOptions): string[] {
  return dimensionsOf(items.map((item) => modelOf(item, options)));
}

/** What is wrong alike for all items, beside the grids and the architectures. The order decides which points each has. */
const SHARED_DIMENSIONS = [
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
] as const;
type SharedDimension = (typeof SHARED_DIMENSIONS)[number];

function dimensionsOf(models: readonly ItemModel[]): string[] {
  const grids = new Set(models.map(({ zone }) => `grid ${zone}`));
  const powers = new Set(models.flatMap(({ machine, factors }) => (factors.wattsPerVcpu ? [`power ${machine.power.architecture}`] : [])));
  return [...[...grids].sort(), ...[...powers].sort(), ...SHARED_DIMENSIONS];
}

type Distribution = (range: Spread, deviation: number) => number;

/** Values of factors at the points; those that many items share are computed once. */
export class Draws {
  readonly #deviations: ReadonlyMap<string, Float64Array>;
  readonly #known = new Map<string, Float64Array>();

  constructor(readonly dimensions: readonly string[]) {
    this.#deviations = deviations(dimensions);
  }

  /** The values of a range along a dimension. */
  range(dimension: string, { low, central, high }: Spread, distribution: Distribution = lognormal): Float64Array {
    return this.#once(`${dimension} ${low} ${central} ${high} ${distribution.name}`, () => {
      const along = this.#deviations.get(dimension) ?? new Float64Array(SAMPLES);
      return along.map((deviation) => distribution({ low, central, high }, deviation));
    });
  }

  factor(dimension: string, { value, low, high }: Factor, distribution?: Distribution): Float64Array {
    return this.range(dimension, { low, central: value, high }, distribution);
  }

  /** What follows from a power curve, a utilisation and the deviation of the architecture. */
  curve(key: string, watts: (utilization: number) => number, utilization: Float64Array, deviation: Float64Array): Float64Array {
    return this.#once(key, () => utilization.map((at, index) => watts(at) * (deviation[index] ?? 1)));
  }

  #once(key: string, make: () => Float64Array): Float64Array {
    let values = this.#known.get(key);
    if (values === undefined) {
      values = make();
      this.#known.set(key, values);
    }
    return values;
  }
}

function estimateItem(item: CarbonItem, model: ItemModel, draws: Draws): ItemEstimation {
  const { factors } = model;
  const energy = centralEnergy(item, model);
  const energyKwh = energy.cpu + energy.memory + energy.gpu + energy.storage + energy.network + energy.overhead;
  const samples = sampled(item, model, draws);
  return {
    item,
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

function centralEnergy({ unit, count, hours }: CarbonItem, { factors }: ItemModel): ItemEnergy {
  const { cpuUtilization, wattsPerVcpu, memoryWattsPerGb, gpuIdleWatts, gpuMaxWatts, gpuUtilization, packing, pue } = factors;
  const kilohours = (count.central * hours.central) / 1000;
  const idle = gpuIdleWatts?.value ?? 0;
  const cpu = cpuUtilization === undefined ? 0 : unit.vcpu * (wattsPerVcpu?.value ?? 0) * kilohours;
  const memory = unit.memoryGb * (memoryWattsPerGb?.value ?? 0) * kilohours;
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

function sampled(item: CarbonItem, model: ItemModel, draws: Draws): ItemEstimation['samples'] {
  const { unit } = item;
  const { factors, zone } = model;
  const along = (dimension: SharedDimension, factor: Factor | undefined, distribution?: Distribution) =>
    factor === undefined ? undefined : draws.factor(dimension, factor, distribution);
  const count = spreadOf('count', item.count, draws);
  const hours = spreadOf('hours', item.hours, draws);
  const power = powerDraws(model, draws);
  const packing = along('packing', factors.packing, logitNormal) ?? ONES;
  const gpuIdle = along('gpu_watts', factors.gpuIdleWatts);
  const gpuFull = along('gpu_watts', factors.gpuMaxWatts);
  const gpuUse = along('gpu_utilization', factors.gpuUtilization, logitNormal);
  const ssd = along('storage_watts', factors.ssdWattsPerTb);
  const hdd = along('storage_watts', factors.hddWattsPerTb);
  const copies = along('storage_replication', factors.storageReplication);
  const network = along('network', factors.networkKwhPerGb);
  const pue = draws.factor('pue', factors.pue, aboveOne);
  const host = along('embodied', factors.embodiedKg);
  const lifespan = along('lifespan', factors.lifespanHours);
  const share = factors.hostShare?.value ?? 0;
  const kept = item.packing ?? 1;
  const grid = draws.factor(`grid ${zone}`, factors.grid);
  const hasDisks = unit.ssdGb > 0 || unit.hddGb > 0;
  const energyKwh = new Float64Array(SAMPLES);
  const operational = new Float64Array(SAMPLES);
  const embodied = new Float64Array(SAMPLES);
  for (let at = 0; at < SAMPLES; at += 1) {
    const units = count?.[at] ?? item.count.central;
    const unitHours = units * (hours?.[at] ?? item.hours.central);
    const packed = packing[at] ?? 1;
    let watts = unit.vcpu * (power.cpu[at] ?? 0) + unit.memoryGb * (power.memory[at] ?? 0);
    if (unit.gpu > 0) {
      const idle = gpuIdle?.[at] ?? 0;
      watts += unit.gpu * (idle + (gpuUse?.[at] ?? 0) * ((gpuFull?.[at] ?? 0) - idle));
    }
    const disks = hasDisks ? ((unit.ssdGb * (ssd?.[at] ?? 0) + unit.hddGb * (hdd?.[at] ?? 0)) / 1000) * (copies?.[at] ?? 1) : 0;
    const moved = network ? unit.networkGb * (network[at] ?? 0) * units : 0;
    const kwh = (((watts / packed + disks) * unitHours) / 1000 + moved) * (pue[at] ?? 1);
    energyKwh[at] = kwh;
    operational[at] = (kwh * (grid[at] ?? 0)) / 1000;
    if (host && lifespan) embodied[at] = ((host[at] ?? 0) * unitHours * share) / (lifespan[at] ?? 1) / kept;
  }
  const emissions = (factor: Factor) => {
    const intensity = draws.factor(`grid ${zone}`, factor);
    return energyKwh.map((kwh, at) => (kwh * (intensity[at] ?? 0)) / 1000);
  };
  return {
    energyKwh,
    operational,
    embodied,
    locationBased: factors.locationGrid === factors.grid ? operational : emissions(factors.locationGrid),
    marketBased: factors.marketGrid === undefined ? null : emissions(factors.marketGrid),
  };
}

/** Undefined where there is nothing to draw: most items have a number that is known. */
function spreadOf(dimension: SharedDimension, spread: Spread, draws: Draws): Float64Array | undefined {
  return spread.low === spread.high ? undefined : draws.range(dimension, spread);
}

const NOTHING = new Float64Array(SAMPLES);
const ONES = new Float64Array(SAMPLES).fill(1);

function powerDraws({ factors, machine }: ItemModel, draws: Draws): { cpu: Float64Array; memory: Float64Array } {
  const { cpuUtilization } = factors;
  if (cpuUtilization === undefined) return { cpu: NOTHING, memory: NOTHING };
  const { power, type } = machine;
  const use = draws.factor('cpu_utilization', cpuUtilization, logitNormal);
  const deviation = draws.range(`power ${power.architecture}`, { low: power.low, central: 1, high: power.high });
  const ofMemory = power.memory === undefined ? deviation : draws.range('memory', { central: 1, ...power.memory });
  const key = `${type} ${power.source} ${power.cpuWattsPerVcpu(1)} ${cpuUtilization.low} ${cpuUtilization.value} ${cpuUtilization.high}`;
  return {
    cpu: draws.curve(`cpu ${key}`, power.cpuWattsPerVcpu, use, deviation),
    memory: draws.curve(`memory ${key}`, power.memoryWattsPerGb, use, ofMemory),
  };
}
