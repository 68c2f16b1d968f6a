import type { Factor } from './factor.js';

/** Board power in watts by model: data sheets of NVIDIA and AMD, the SXM form where there are several. */
const BOARD_WATTS: ReadonlyMap<string, number> = new Map([
  ...([
    ['K520', 225],
    ['K80', 300],
    ['M60', 300],
    ['P4', 75],
    ['P100', 300],
    ['V100', 300],
    ['T4', 70],
    ['T4G', 70],
  ] as const),
  ...([
    ['A10', 150],
    ['A10G', 150],
    ['A100', 400],
    ['L4', 72],
    ['L40S', 350],
    ['H100', 700],
    ['H200', 700],
    ['B200', 1000],
  ] as const),
  ...([
    ['V520', 225],
    ['MI25', 300],
    ['MI300X', 750],
  ] as const),
]);

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

/** Undefined for a model that is not in the table. Names of labels and providers are understood: `nvidia-tesla-t4`, `NVIDIA-A100-SXM4-80GB`. */
export function gpuPowerOf(name: string): GpuPower | undefined {
  const model = modelOf(name);
  const board = model === undefined ? undefined : BOARD_WATTS.get(model);
  if (model === undefined || board === undefined) return undefined;
  return { model, idleWatts: watts('gpu_idle_watts', board * IDLE_SHARE), fullWatts: watts('gpu_full_watts', board * FULL_SHARE) };
}

function modelOf(name: string): string | undefined {
  const words = name.toUpperCase().split(/[^A-Z0-9]+/);
  return words.find((word) => BOARD_WATTS.has(word));
}

function watts(name: string, value: number): Factor {
  const source = 'data sheet of the board, with the shares of the Teads EC2 carbon dataset';
  return { name, value, low: value * RANGE.low, high: value * RANGE.high, source, year: 2023, class: 'proxy' };
}
