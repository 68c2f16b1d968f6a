import type { Factor } from './factor.js';

interface Board {
  /** The most that a GPU may draw, in the form in which clouds have it. A board with two GPUs counts half for each. */
  watts: number;
  source: string;
  /** The smallest of the published maxima, where what is published differs. */
  least?: number;
}

/** Appendix III, which has them from TechPowerUp. It counts a whole board for each GPU of the K520, K80 and M60, which are boards of two. */
const CCF = 'Cloud Carbon Footprint, Methodology, Appendix III';
/** github.com/stas00/ml-engineering, compute/accelerator/README.md: table of high-end accelerators, column power. */
const OPEN_BOOK = 'Machine Learning Engineering Open Book, accelerators';
/** github.com/mlco2/impact, data/gpus.csv, commit 025b9884. */
const MLCO2 = 'ML CO2 Impact, gpus.csv';
/** The limit in the output of nvidia-smi, as users of the board have published it. */
const REPORTED = 'power limit reported by nvidia-smi';

const BOARDS: ReadonlyMap<string, Board> = new Map<string, Board>([
  ...from(CCF, ['K520', 225 / 2], ['K80', 300 / 2], ['M60', 300 / 2], ['P4', 75], ['P40', 250], ['P100', 300], ['V100', 300], ['T4', 70]),
  ...from(CCF, ['A100', 400], ['V520', 225]),
  ...from(OPEN_BOOK, ['A100-PCIE', 300], ['H100', 700], ['H100-NVL', 400], ['H200', 700], ['H200-NVL', 600], ['B200', 1000]),
  ...from(OPEN_BOOK, ['B300', 1300], ['GB200', 1200], ['MI300X', 750]),
  ...from(MLCO2, ['P100-PCIE', 250], ['A100-PCIE-40GB', 250]),
  ...from(REPORTED, ['T4G', 70], ['A10', 150], ['L40S', 350]),
  // The A10G is made for AWS: on g5 the limit is twice the 150 W that Cloud Carbon Footprint has for it.
  ['A10G', { watts: 300, least: 150, source: REPORTED }],
  ...from('NVIDIA, H100 PCIe GPU Product Brief, PB-11133-001', ['H100-PCIE', 350]),
  // No page of the maker at hand: articles that repeat its figures. The limit of the RTX PRO 6000 of servers can be set; from half is assumed.
  ...from('hwupgrade.it on the Tesla V100, 2017', ['V100-PCIE', 250]),
  ...from('fpsbench.com on the L4', ['L4', 72]),
  ...from('mullet.se on the L40', ['L40', 300]),
  ...from('siliconcat.net on the Radeon Instinct MI25', ['MI25', 300]),
  ['RTX-PRO-6000', { watts: 600, least: 300, source: 'hardware-corner.net on the RTX PRO 6000' }],
]);

function from(source: string, ...models: [string, number][]): [string, Board][] {
  return models.map(([model, watts]) => [model, { watts, source }]);
}

/**
 * Shares of the most at 0 and 100 %: the minimum and maximum of the V100 in the table of Cloud Carbon Footprint, 34.84 W and 305.6 W of 300 W, which
 * are alike for every model in it. Teads measured them on processors, none on a GPU. Range: assumed; boards of one model are sold with limits that
 * differ.
 */
const IDLE_SHARE = 34.84 / 300;
const FULL_SHARE = 305.6 / 300;
const RANGE = { low: 1 / 1.3, high: 1.3 } as const;
/** A GPU without work is further off what a processor does without: from 6 to 23 % of the most. Assumed. */
const IDLE_RANGE = { low: 1 / 2, high: 2 } as const;

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
  const board = model === undefined ? undefined : BOARDS.get(model);
  if (model === undefined || board === undefined) return undefined;
  return {
    model,
    idleWatts: factor('gpu_idle_watts', board, IDLE_SHARE, IDLE_RANGE),
    fullWatts: factor('gpu_full_watts', board, FULL_SHARE, RANGE),
  };
}

/** A form that draws less than the largest is named after the model: PCIe boards, pairs of them (NVL), and those with less memory. */
function modelOf(name: string): string | undefined {
  const words = name
    .slice(0, LONGEST_NAME)
    .toUpperCase()
    .split(/[^A-Z0-9]+/);
  if (/RTX[^A-Z0-9]+PRO[^A-Z0-9]+6000/.test(words.join('-'))) return 'RTX-PRO-6000';
  const model = words.find((word) => BOARDS.has(word));
  const form = words.find((word) => word === 'PCIE' || word === 'NVL');
  const memory = words.find((word) => /^\d+GB$/.test(word));
  return [`${model}-${form}-${memory}`, `${model}-${form}`].find((name) => BOARDS.has(name)) ?? model;
}

const LONGEST_NAME = 200;

function factor(name: string, { watts, least = watts, source }: Board, share: number, range: { low: number; high: number }): Factor {
  return {
    ...{ name, value: watts * share, low: least * share * range.low, high: watts * share * range.high },
    ...{ source: `${source}, scaled with the processor shares of Cloud Carbon Footprint`, year: 2023, class: 'proxy' },
  };
}
