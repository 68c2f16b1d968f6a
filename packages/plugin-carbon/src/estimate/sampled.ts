import type { Spread } from '@bylaw/core/workload';
import type { Factor } from '../factors/index.js';
import type { CarbonItem } from '../items/index.js';
import { aboveOne, logitNormal } from './distribution.js';
import type { Column, Draws, SharedDimension } from './draws.js';
import type { ItemModel } from './factors-of-item.js';
import { SAMPLES } from './points.js';
import type { ItemSamples } from './types.js';

/**
 * Energy and emissions of an item at every point. What a unit of something draws there is the same for many items and computed once; an item adds up
 * as many of these columns as it has parts.
 */
export function sampled(item: CarbonItem, model: ItemModel, draws: Draws): ItemSamples {
  const { factors, zone } = model;
  const energyKwh = energyOf(item, model, draws);
  const emissions = (factor: Factor) => timesGrid(energyKwh, draws.factor(`grid ${zone}`, factor), draws);
  const operational = emissions(factors.grid);
  return {
    energyKwh,
    operational,
    embodied: embodiedOf(item, model, draws),
    locationBased: factors.locationGrid === factors.grid ? operational : emissions(factors.locationGrid),
    marketBased: factors.marketGrid === undefined ? null : emissions(factors.marketGrid),
  };
}

/** Numbers that are known multiply the amounts, which are few; only those that are drawn multiply columns. */
function energyOf(item: CarbonItem, model: ItemModel, draws: Draws): Column {
  const { unit, count, hours, cost } = item;
  const { networkKwhPerGb, kwhPerSpend } = model.factors;
  const [sureHours, sureCount] = [sureOf(hours), sureOf(count)];
  const energyKwh = draws.column();
  for (const [amount, kwhPerHour] of partsOf(item, model, draws)) addTimes(energyKwh, kwhPerHour, amount * sureHours * sureCount);
  scale(energyKwh, 'hours', hours, draws);
  if (networkKwhPerGb) addTimes(energyKwh, withBuilding('network', networkKwhPerGb, model, draws), unit.networkGb * sureCount);
  scale(energyKwh, 'count', count, draws);
  if (kwhPerSpend) addTimes(energyKwh, draws.factor('spend', kwhPerSpend), cost?.amount ?? 0);
  return energyKwh;
}

function embodiedOf({ count, hours, packing = 1 }: CarbonItem, { factors }: ItemModel, draws: Draws): Column {
  const { embodiedKg, lifespanHours, hostShare } = factors;
  const embodied = draws.column();
  if (!(embodiedKg && lifespanHours && hostShare)) return embodied;
  const hosts = (hostShare.value / packing) * sureOf(hours) * sureOf(count);
  addTimes(embodied, kgPerHostHour(embodiedKg, lifespanHours, draws), hosts);
  scale(embodied, 'hours', hours, draws);
  scale(embodied, 'count', count, draws);
  return embodied;
}

/** Amounts of a unit, with the kWh that one of each draws in an hour, idle capacity and building included. */
function partsOf({ unit }: CarbonItem, model: ItemModel, draws: Draws): [number, Column][] {
  const { factors } = model;
  const parts: [number, Column][] = [];
  if (factors.wattsPerVcpu) {
    const { cpu, memory } = powerOf(model, draws);
    parts.push([unit.vcpu, cpu], [unit.memoryGib, memory]);
  }
  if (factors.gpuIdleWatts) parts.push([unit.gpu, gpuOf(model, draws)]);
  if (factors.ssdWattsPerTb) parts.push([unit.ssdGb, disksOf(factors.ssdWattsPerTb, model, draws)]);
  if (factors.hddWattsPerTb) parts.push([unit.hddGb, disksOf(factors.hddWattsPerTb, model, draws)]);
  return parts;
}

function powerOf(model: ItemModel, draws: Draws): { cpu: Column; memory: Column } {
  const { power, type } = model.machine;
  const { cpuUtilization } = model.factors;
  if (cpuUtilization === undefined) return { cpu: new Float64Array(SAMPLES), memory: new Float64Array(SAMPLES) };
  const use = draws.factor('cpu_utilization', cpuUtilization, logitNormal);
  const deviation = draws.range(`power ${power.architecture}`, { low: power.low, central: 1, high: power.high });
  const ofMemory = power.memory === undefined ? deviation : draws.range('memory', { central: 1, ...power.memory });
  const site = keptOn(model, draws);
  const name = `${type} ${power.source} ${power.cpuWattsPerVcpu(1)} ${nameOf(cpuUtilization)} ${site.name}`;
  const kwh = (watts: (utilization: number) => number, wrong: Column) => (at: number) =>
    (watts(use[at] ?? 0) * (wrong[at] ?? 1) * (site.column[at] ?? 1)) / 1000;
  return {
    cpu: draws.derived(`cpu ${name}`, kwh(power.cpuWattsPerVcpu, deviation)),
    memory: draws.derived(`memory ${name}`, kwh(power.memoryWattsPerGib, ofMemory)),
  };
}

function gpuOf(model: ItemModel, draws: Draws): Column {
  const { gpuIdleWatts, gpuMaxWatts, gpuUtilization } = model.factors;
  if (!(gpuIdleWatts && gpuMaxWatts && gpuUtilization)) return new Float64Array(SAMPLES);
  const [idle, full] = [draws.factor('gpu_watts', gpuIdleWatts), draws.factor('gpu_watts', gpuMaxWatts)];
  const use = draws.factor('gpu_utilization', gpuUtilization, logitNormal);
  const site = keptOn(model, draws);
  return draws.derived(`gpu ${nameOf(gpuMaxWatts)} ${nameOf(gpuUtilization)} ${site.name}`, (at) => {
    const still = idle[at] ?? 0;
    return ((still + (use[at] ?? 0) * ((full[at] ?? 0) - still)) * (site.column[at] ?? 1)) / 1000;
  });
}

/** Per GB of 10^9 bytes; volumes are not part of the nodes, so nothing idles with them. */
function disksOf(wattsPerTb: Factor, model: ItemModel, draws: Draws): Column {
  const { storageReplication } = model.factors;
  const copies = storageReplication && draws.factor('storage_replication', storageReplication);
  const watts = withBuilding('storage_watts', wattsPerTb, model, draws);
  const name = `disks ${nameOf(wattsPerTb)} ${storageReplication ? nameOf(storageReplication) : ''} ${nameOf(model.factors.pue)}`;
  return draws.derived(name, (at) => ((watts[at] ?? 0) * (copies?.[at] ?? 1)) / 1e6);
}

/** PUE, over the part of the nodes that pods reserve. */
function keptOn({ factors }: ItemModel, draws: Draws): { name: string; column: Column } {
  const pue = draws.factor('pue', factors.pue, aboveOne);
  if (factors.packing === undefined) return { name: nameOf(factors.pue), column: pue };
  const packing = draws.factor('packing', factors.packing, logitNormal);
  const name = `${nameOf(factors.pue)} / ${nameOf(factors.packing)}`;
  return { name, column: draws.derived(`site ${name}`, (at) => (pue[at] ?? 1) / (packing[at] ?? 1)) };
}

function withBuilding(dimension: SharedDimension, factor: Factor, { factors }: ItemModel, draws: Draws): Column {
  const pue = draws.factor('pue', factors.pue, aboveOne);
  const own = draws.factor(dimension, factor);
  return draws.derived(`${dimension} ${nameOf(factor)} x ${nameOf(factors.pue)}`, (at) => (own[at] ?? 0) * (pue[at] ?? 1));
}

function kgPerHostHour(embodiedKg: Factor, lifespanHours: Factor, draws: Draws): Column {
  const [host, lifespan] = [draws.factor('embodied', embodiedKg), draws.factor('lifespan', lifespanHours)];
  return draws.derived(`host ${nameOf(embodiedKg)} / ${nameOf(lifespanHours)}`, (at) => (host[at] ?? 0) / (lifespan[at] ?? 1));
}

function nameOf({ low, value, high }: Factor): string {
  return `${low} ${value} ${high}`;
}

function addTimes(sum: Column, column: Column, factor: number): void {
  for (let at = 0; at < SAMPLES; at += 1) sum[at] = (sum[at] ?? 0) + (column[at] ?? 0) * factor;
}

/** The number, where it is known; 1 where it is drawn and `scale` multiplies by it. */
function sureOf({ low, central, high }: Spread): number {
  return low === high ? central : 1;
}

function scale(column: Column, dimension: 'count' | 'hours', spread: Spread, draws: Draws): void {
  if (spread.low === spread.high) return;
  const drawn = draws.range(dimension, spread);
  for (let at = 0; at < SAMPLES; at += 1) column[at] = (column[at] ?? 0) * (drawn[at] ?? spread.central);
}

function timesGrid(energyKwh: Column, grid: Column, draws: Draws): Column {
  const kg = draws.column();
  for (let at = 0; at < SAMPLES; at += 1) kg[at] = ((energyKwh[at] ?? 0) * (grid[at] ?? 0)) / 1000;
  return kg;
}
