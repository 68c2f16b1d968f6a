/**
 * How often the trend test of scores sees a trend where none is, and how often it sees one where one is, beside the plain Mann–Kendall test and its
 * variant by Hamed and Rao, on generated series of normal noise: independent, and autoregressive of order 1 with 0.5.
 *
 *   npm run bench:trend -- [--series 4000] [--seed 1] [--alpha 0.05]
 */
import { parseArgs } from 'node:util';
import { normalTail } from '../packages/core/dist/number/normal.js';
import { mannKendall } from '../packages/core/dist/score/trend/mann-kendall.js';
import { type TrendPoint, theilSen } from '../packages/core/dist/score/trend/theil-sen.js';
import { randomFrom } from './generated-series.ts';

const { values: flags } = parseArgs({ options: { series: { type: 'string' }, seed: { type: 'string' }, alpha: { type: 'string' } } });
const count = Number(flags.series ?? 4000);
const alpha = Number(flags.alpha ?? 0.05);

/** Floors: design of scores, targets. The slope is in standard deviations of the noise a step. */
const CASES = [
  { name: 'false, AR(1) 0.5, n 30', memory: 0.5, n: 30, slope: 0, floor: '<= 0.10' },
  { name: 'false, AR(1) 0.5, n 60', memory: 0.5, n: 60, slope: 0, floor: '<= 0.10' },
  { name: 'false, white, n 30', memory: 0, n: 30, slope: 0, floor: '<= 0.06' },
  { name: 'false, white, n 60', memory: 0, n: 60, slope: 0, floor: '<= 0.06' },
  { name: 'false, white, n 8', memory: 0, n: 8, slope: 0, floor: '<= 0.06' },
  { name: 'found, white, n 60', memory: 0, n: 60, slope: 0.05, floor: '>= 0.95' },
  { name: 'found, AR(1) 0.5, n 60', memory: 0.5, n: 60, slope: 0.05, floor: '' },
] as const;

console.log(`${count} series each, alpha ${alpha}; standard error of a share of 0.05: ${Math.sqrt((0.05 * 0.95) / count).toFixed(4)}`);
console.log('share called a trend      this one  plain MK  Hamed-Rao  floor of this one');
for (const [at, { name, memory, n, slope, floor }] of CASES.entries()) {
  const called = { own: 0, plain: 0, hamedRao: 0 };
  const { normal } = randomFrom(Number(flags.seed ?? 1) * 1000 + at);
  for (let round = 0; round < count; round++) {
    let noise = normal();
    const points = Array.from({ length: n }, (_, day) => {
      noise = day === 0 ? noise : memory * noise + Math.sqrt(1 - memory * memory) * normal();
      return { day, value: slope * day + noise };
    });
    const { s, pValue } = mannKendall(points);
    if (pValue < alpha) called.own += 1;
    if (normalP(s, plainVariance(n)) < alpha) called.plain += 1;
    if (normalP(s, plainVariance(n) * hamedRaoFactor(points)) < alpha) called.hamedRao += 1;
  }
  const share = (of: number) => (of / count).toFixed(3);
  console.log(`${name.padEnd(26)}${share(called.own)}     ${share(called.plain)}     ${share(called.hamedRao)}      ${floor}`);
}

/** Without ties: the values are continuous. */
function plainVariance(n: number): number {
  return (n * (n - 1) * (2 * n + 5)) / 18;
}

function normalP(s: number, variance: number): number {
  return s === 0 ? 1 : Math.min(1, 2 * normalTail((Math.abs(s) - 1) / Math.sqrt(variance)));
}

/**
 * Source: K. H. Hamed and A. R. Rao, "A modified Mann-Kendall trend test for autocorrelated data" (1998), Journal of Hydrology 204, 182–196: the
 * autocorrelations of the ranks of what is left beside the Theil–Sen line, those that are significant at 5 %.
 */
function hamedRaoFactor(points: readonly TrendPoint[]): number {
  const n = points.length;
  const { slope } = theilSen(points, 0);
  const left = points.map(({ day, value }) => value - slope * day);
  const ascending = left.toSorted((a, b) => a - b);
  const ranks = left.map((value) => ascending.indexOf(value) - (n - 1) / 2);
  const square = ranks.reduce((sum, rank) => sum + rank * rank, 0);
  let sum = 0;
  for (let lag = 1; lag < n - 2; lag++) {
    const r = ranks.slice(lag).reduce((product, rank, at) => product + rank * (ranks[at] ?? 0), 0) / square;
    if (Math.abs(r) > 1.96 / Math.sqrt(n)) sum += (n - lag) * (n - lag - 1) * (n - lag - 2) * r;
  }
  // Where negative correlations prevail, the factor can fall to nothing; the plain variance is used then, as in published programs.
  const factor = 1 + (2 / (n * (n - 1) * (n - 2))) * sum;
  return factor > 0 ? factor : 1;
}
