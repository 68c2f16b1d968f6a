import type { Factor } from './factor.js';

/**
 * Most watts that a GPU may draw, in the form in which clouds have it: maximum or total board power of the data sheet of the maker. A board with two
 * GPUs counts half for each. The A10G is made for AWS and has no data sheet: the limit that its driver reports on g5.
 */
const BOARD_WATTS: ReadonlyMap<string, { watts: number; source: string }> = new Map<string, { watts: number; source: string }>([
  // GRID K520, Tesla K80 and Tesla M60 are boards of two.
  ...nvidia(['K520', 112.5], ['K80', 150], ['M60', 150], ['P4', 75], ['P40', 250], ['P100', 300], ['P100-PCIE', 250]),
  ...nvidia(['V100', 300], ['V100-PCIE', 250], ['T4', 70], ['T4G', 70], ['A10', 150], ['A100', 400], ['A100-PCIE', 300]),
  ...nvidia(
    ['L4', 72],
    ['L40', 300],
    ['L40S', 350],
    ['H100', 700],
    ['H100-PCIE', 350],
    ['H100-NVL', 400],
    ['H200', 700],
    ['H200-NVL', 600],
  ),
  ...nvidia(['B200', 1000], ['RTX-PRO-6000', 600]),
  ['A10G', { watts: 300, source: 'power limit that nvidia-smi reports on Amazon EC2 g5' }] as const,
  ...amd(['V520', 225], ['MI25', 300], ['MI300X', 750]),
]);

function nvidia(...models: [string, number][]) {
  return models.map(([model, watts]) => [model, { watts, source: `NVIDIA, data sheet of the ${model}` }] as const);
}

function amd(...models: [string, number][]) {
  return models.map(([model, watts]) => [model, { watts, source: `AMD, data sheet of the ${model}` }] as const);
}

/**
 * Share of the board power at 0 and 100 %: Teads EC2 carbon dataset, 34.84 W and 305.6 W of the 300 W of a V100, and alike for every model in it.
 * Range: assumed; boards of one model are sold with limits that differ.
 */
const IDLE_SHARE = 34.84 / 300;
const FULL_SHARE = 305.6 / 300;
const RANGE = { low: 1 / 1.3, high: 1.3 } as const;

export interface GpuPower {
  model: string;
  idleWatts: Factor;
  fullWatts: Factor;
}

/**
 * Undefined for a model that is not in the table. Names of labels, SKUs and providers are understood: `nvidia-tesla-t4`, `NVIDIA-A100-SXM4-80GB`,
 * `Nvidia L4 GPU running in Belgium`.
 */
export function gpuPowerOf(name: string): GpuPower | undefined {
  const model = modelOf(name);
  const board = model === undefined ? undefined : BOARD_WATTS.get(model);
  if (model === undefined || board === undefined) return undefined;
  return { model, idleWatts: factor('gpu_idle_watts', board, IDLE_SHARE), fullWatts: factor('gpu_full_watts', board, FULL_SHARE) };
}

/** A form that draws less than the largest is named after the model: PCIe boards and pairs of them (NVL). */
function modelOf(name: string): string | undefined {
  const words = name
    .slice(0, LONGEST_NAME)
    .toUpperCase()
    .split(/[^A-Z0-9]+/);
  if (/RTX[^A-Z0-9]+PRO[^A-Z0-9]+6000/.test(words.join('-'))) return 'RTX-PRO-6000';
  const model = words.find((word) => BOARD_WATTS.has(word));
  const form = words.find((word) => word === 'PCIE' || word === 'NVL');
  return model !== undefined && form !== undefined && BOARD_WATTS.has(`${model}-${form}`) ? `${model}-${form}` : model;
}

const LONGEST_NAME = 200;

function factor(name: string, { watts, source }: { watts: number; source: string }, share: number): Factor {
  const value = watts * share;
  const sources = `${source}, with the shares of the Teads EC2 carbon dataset`;
  return { name, value, low: value * RANGE.low, high: value * RANGE.high, source: sources, year: 2023, class: 'proxy' };
}
