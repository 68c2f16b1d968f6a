/**
 * How well series of hours, days and weeks are forecast: errors beside the naive forecasts, and what the intervals hold, on generated series of many
 * kinds (bench/generated-series.ts) through the whole engine, cleaning included.
 *
 *   npm run bench:forecast-seasons -- [--count 105] [--seed 1] [--only hour]
 */
import { parseArgs } from 'node:util';
import { forecastAnswer } from '../packages/plugin-finops/dist/endpoints/forecast.js';
import { type Cycle, generatedSeries } from './generated-series.ts';

const { values: flags } = parseArgs({ options: { count: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } } });

/** The cycle of MASE and Naive 2 in the M4 competition, and the cycle that the seasonal naive forecast repeats here. */
const CYCLES = { hour: { scale: 24, season: 168 }, day: { scale: 1, season: 7 }, week: { scale: 1, season: 52 } } as const;

for (const granularity of ['hour', 'day', 'week'] as const)
  if (flags.only === undefined || flags.only === granularity) await report(granularity);

interface Sums {
  count: number;
  values: number;
  mase: number;
  naive: number;
  seasonal: number;
  within95: number;
  within80: number;
  msis: number;
  seasons: Map<string, number>;
}

async function report(granularity: Cycle): Promise<void> {
  const byKind = new Map<string, Sums>();
  const start = process.cpuUsage();
  const all = generatedSeries(granularity, Number(flags.count ?? 105), Number(flags.seed ?? 1));
  for (const { kind, train, test } of all) {
    const { forecasts } = await forecastAnswer({
      currency: 'USD',
      series: [{ id: 's', granularity, start: '2001-01-01', values: train }],
      horizon: test.length,
      levels: [80, 95],
    });
    const [made] = forecasts;
    const { scale: lag, season } = CYCLES[granularity];
    const scale = naiveError(train, lag);
    if (!made || !(scale > 0)) throw new Error(`no forecast of a series of ${kind}`);
    for (const name of [kind, 'all']) {
      const sums: Sums = byKind.get(name) ?? {
        count: 0,
        values: 0,
        mase: 0,
        naive: 0,
        seasonal: 0,
        within95: 0,
        within80: 0,
        msis: 0,
        seasons: new Map(),
      };
      byKind.set(name, sums);
      sums.count += 1;
      sums.seasons.set(made.seasons.join('+'), (sums.seasons.get(made.seasons.join('+')) ?? 0) + 1);
      for (const [j, value] of test.entries()) {
        const point = made.points[j];
        if (!point) throw new Error('a point is missing');
        const bound = (of: 'lower' | 'upper', level: number) => point[`${of}_${level}`] ?? Number.NaN;
        const [low, high] = [bound('lower', 95), bound('upper', 95)];
        const share = 1 / scale / test.length;
        sums.mase += Math.abs(value - point.mean) * share;
        sums.naive += Math.abs(value - (train.at(-1) ?? 0)) * share;
        sums.seasonal += Math.abs(value - (train[train.length - season + (j % season)] ?? train.at(-1) ?? 0)) * share;
        sums.msis += (high - low + 40 * (Math.max(0, low - value) + Math.max(0, value - high))) * share;
        sums.values += 1;
        if (value >= low && value <= high) sums.within95 += 1;
        if (value >= bound('lower', 80) && value <= bound('upper', 80)) sums.within80 += 1;
      }
    }
  }
  const { user, system } = process.cpuUsage(start);
  console.log(`${granularity}: ${all.length} series, ${((user + system) / 1e6 / all.length).toFixed(3)} s of one core each`);
  for (const [kind, { count, values, mase, naive, seasonal, within95, within80, msis, seasons }] of byKind)
    console.log(
      `  ${kind.padEnd(24)}MASE ${(mase / count).toFixed(3)}  naive ${(naive / count).toFixed(3)}  seasonal ${(seasonal / count).toFixed(3)}  coverage ${(within95 / values).toFixed(3)} ${(within80 / values).toFixed(3)}  MSIS ${(msis / count).toFixed(2)}  seasons ${[...seasons].map(([name, times]) => `${name || 'none'}: ${times}`).join(', ')}`,
    );
}

function naiveError(values: readonly number[], lag: number): number {
  let sum = 0;
  for (let t = lag; t < values.length; t++) sum += Math.abs((values[t] ?? 0) - (values[t - lag] ?? 0));
  return sum / (values.length - lag);
}
