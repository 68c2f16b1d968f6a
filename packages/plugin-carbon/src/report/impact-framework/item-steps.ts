import type { ItemEstimation } from '../../estimate/index.js';
import { coefficient, divide, interpolate, multiply, type Step, sci, sum, summedUp } from './builtin.js';

/** What an item starts from, and the steps from there to its energy in kWh, its carbon in g CO2e, and its SCI. */
export interface ItemSteps {
  inputs: { [name: string]: number };
  steps: Step[];
}

/**
 * The formulas of `estimate-items.ts` as steps of builtins: the same central values, before anything is rounded.
 * Inputs are numbers only, for the framework evaluates texts as arithmetic.
 * @param functionalUnits above 0
 */
export function itemSteps(estimation: ItemEstimation, functionalUnits: number | undefined): ItemSteps {
  const { count, hours } = estimation.item;
  const made: ItemSteps = { inputs: { count: count.central, hours: hours.central }, steps: [] };
  if (estimation.factors.kwhPerSpend) energyOfMoney(estimation, estimation.factors.kwhPerSpend.value, made);
  else energyOfUse(estimation, made);
  made.inputs['grid/carbon-intensity'] = estimation.factors.grid.value;
  made.steps.push(multiply('carbon-operational', 'energy', 'grid/carbon-intensity'));
  carbon(['carbon-operational', ...embodiedCarbon(estimation, made)], made);
  if (functionalUnits !== undefined) {
    made.inputs['functional-unit'] = functionalUnits;
    made.steps.push(sci('functional-unit'));
  }
  return made;
}

/** A row of a bill without a physical model: the building is in its rate. */
function energyOfMoney({ item }: ItemEstimation, kwhPerUnit: number, made: ItemSteps): void {
  made.inputs['spend/amount'] = item.cost?.amount ?? 0;
  made.inputs['spend/kwh-per-unit-of-currency'] = kwhPerUnit;
  made.steps.push(energy(multiply('energy', 'spend/amount', 'spend/kwh-per-unit-of-currency')));
}

function energyOfUse(estimation: ItemEstimation, made: ItemSteps): void {
  const watts = [...machineWatts(estimation, made), ...diskWatts(estimation, made)];
  const energies = [...runningEnergy(watts, made), ...networkEnergy(estimation, made)];
  if (energies.length === 0) made.inputs['site/energy'] = 0;
  else made.steps.push(sum('site/energy', energies));
  made.inputs['pue'] = estimation.factors.pue.value;
  made.steps.push(energy(multiply('energy', 'site/energy', 'pue')));
}

function energy(step: Step): Step {
  return summedUp(step, 'kWh', 'electricity, including PUE');
}

/** Processor, memory and GPUs of one unit, with what idles on the nodes. */
function machineWatts(estimation: ItemEstimation, made: ItemSteps): string[] {
  const parts = [...processorWatts(estimation, made), ...gpuWatts(estimation, made)];
  if (parts.length === 0) return [];
  made.steps.push(sum('machine/watts', parts));
  const { packing } = estimation.factors;
  if (packing === undefined) return ['machine/watts'];
  made.inputs['nodes/packing'] = packing.value;
  made.steps.push(divide('reserved/watts', 'machine/watts', 'nodes/packing'));
  return ['reserved/watts'];
}

function processorWatts({ item, machine, factors }: ItemEstimation, made: ItemSteps): string[] {
  const { cpuUtilization, wattsPerVcpu, memoryWattsPerGib } = factors;
  if (!(cpuUtilization && wattsPerVcpu && memoryWattsPerGib)) return [];
  const { power, type } = machine;
  made.inputs['cpu/utilization'] = percent(cpuUtilization.value);
  made.inputs['vcpus-allocated'] = item.unit.vcpu;
  made.inputs['memory/allocated-gb'] = item.unit.memoryGib;
  const of = type ?? 'a typical machine';
  byLoad({ output: 'cpu/watts-per-vcpu', input: 'cpu/utilization', watts: power.cpuWattsPerVcpu, at: wattsPerVcpu.value, of }, made);
  byLoad(
    { output: 'memory/watts-per-gb', input: 'cpu/utilization', watts: power.memoryWattsPerGib, at: memoryWattsPerGib.value, of },
    made,
  );
  made.steps.push(multiply('cpu/watts', 'cpu/watts-per-vcpu', 'vcpus-allocated'));
  made.steps.push(multiply('memory/watts', 'memory/watts-per-gb', 'memory/allocated-gb'));
  return ['cpu/watts', 'memory/watts'];
}

function gpuWatts({ item, factors }: ItemEstimation, made: ItemSteps): string[] {
  const { gpuIdleWatts, gpuMaxWatts, gpuUtilization } = factors;
  if (!(gpuIdleWatts && gpuMaxWatts && gpuUtilization)) return [];
  const [idle, full] = [gpuIdleWatts.value, gpuMaxWatts.value];
  const watts = (load: number) => idle + load * (full - idle);
  made.inputs['gpu/utilization'] = percent(gpuUtilization.value);
  made.inputs['gpus-allocated'] = item.unit.gpu;
  const of = item.gpuModel ?? 'a typical GPU';
  byLoad({ output: 'gpu/watts-per-gpu', input: 'gpu/utilization', watts, at: watts(gpuUtilization.value), of }, made);
  made.steps.push(multiply('gpu/watts', 'gpu/watts-per-gpu', 'gpus-allocated'));
  return ['gpu/watts'];
}

/** Where the curves that we have bend. */
const LOADS = [0, 0.1, 0.5, 1] as const;

interface Curve {
  input: string;
  output: string;
  watts: (load: number) => number;
  /** At the load of the item. */
  at: number;
  of: string;
}

/** What does not change with load, or falls with it, which the builtin cannot follow, is an input. */
function byLoad({ input, output, watts, at, of }: Curve, made: ItemSteps): void {
  const y = LOADS.map(watts);
  const [idle, full] = [watts(0), watts(1)];
  const rises = y.every((value, index) => value >= (y[index - 1] ?? value));
  if (!rises || idle === full) {
    made.inputs[output] = at;
    return;
  }
  const isStraight = LOADS.every((load) => Math.abs(watts(load) - idle - load * (full - idle)) <= 1e-12 * idle);
  const loads = isStraight ? [0, 1] : LOADS;
  made.steps.push({ ...interpolate(output, input, { x: loads.map(percent), y: loads.map(watts) }), of });
}

/** Without the digits that binary fractions add: 29, not 28.999999999999996. */
function percent(share: number): number {
  return Number((share * 100).toPrecision(15));
}

/** Volumes of one unit. */
function diskWatts({ item, factors }: ItemEstimation, made: ItemSteps): string[] {
  const disks = [
    ['ssd', item.unit.ssdGb, factors.ssdWattsPerTb],
    ['hdd', item.unit.hddGb, factors.hddWattsPerTb],
  ] as const;
  return disks.flatMap(([kind, gigabytes, wattsPerTb]) => {
    if (wattsPerTb === undefined) return [];
    made.inputs['storage/copies'] = factors.storageReplication?.value ?? 1;
    made.inputs[`${kind}/capacity-tb`] = gigabytes / 1000;
    made.inputs[`${kind}/watts-per-tb`] = wattsPerTb.value;
    made.steps.push(multiply(`${kind}/watts`, `${kind}/capacity-tb`, `${kind}/watts-per-tb`, 'storage/copies'));
    return [`${kind}/watts`];
  });
}

/** Of all units, while they run. */
function runningEnergy(watts: readonly string[], made: ItemSteps): string[] {
  if (watts.length === 0) return [];
  made.steps.push(sum('unit/watts', watts));
  made.steps.push(multiply('watt-hours', 'unit/watts', 'count', 'hours'));
  made.steps.push(coefficient('running/energy', 'watt-hours', 0.001));
  return ['running/energy'];
}

function networkEnergy({ item, factors: { networkKwhPerGb } }: ItemEstimation, made: ItemSteps): string[] {
  if (networkKwhPerGb === undefined) return [];
  made.inputs['network/transferred-gb'] = item.unit.networkGb;
  made.inputs['network/kwh-per-gb'] = networkKwhPerGb.value;
  made.steps.push(multiply('network/energy', 'network/transferred-gb', 'network/kwh-per-gb', 'count'));
  return ['network/energy'];
}

/** By the share of the host and of its life; on nodes that are known, with what idles there. */
function embodiedCarbon({ item, factors }: ItemEstimation, made: ItemSteps): string[] {
  const { embodiedKg, lifespanHours, hostShare } = factors;
  if (!(embodiedKg && lifespanHours && hostShare)) return [];
  made.inputs['device/emissions-embodied'] = embodiedKg.value * 1000;
  made.inputs['device/expected-lifespan-hours'] = lifespanHours.value;
  made.inputs['resource-share'] = hostShare.value;
  made.steps.push(divide('device/emissions-embodied-rate', 'device/emissions-embodied', 'device/expected-lifespan-hours'));
  const ofShare = multiply('carbon-embodied', 'device/emissions-embodied-rate', 'resource-share', 'count', 'hours');
  if (item.packing === undefined) {
    made.steps.push(ofShare);
    return ['carbon-embodied'];
  }
  made.inputs['nodes/reserved'] = item.packing;
  made.steps.push(ofShare, divide('carbon-embodied-with-idle', 'carbon-embodied', 'nodes/reserved'));
  return ['carbon-embodied-with-idle'];
}

function carbon(parts: readonly string[], made: ItemSteps): void {
  made.steps.push(summedUp(sum('carbon', parts), 'gCO2e', 'operational and embodied emissions'));
}
