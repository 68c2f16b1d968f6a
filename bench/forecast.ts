/**
 * How well series are forecast: errors beside the benchmarks of the M4 competition (OWA relative to Naive 2, MASE, sMAPE), coverage and width of the
 * intervals (MSIS) on the M1 competition's series; and series per second. Settings are chosen on every other series and reported for the rest, too.
 *
 *   npm run bench:forecast -- [--data FOLDER]
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { forecastValues } from '../packages/plugin-finops/dist/forecast/forecast-values.js';
import { repeatsAfter } from '../packages/plugin-finops/dist/forecast/models/autocorrelation.js';
import { candidates } from '../packages/plugin-finops/dist/forecast/models/candidates.js';
import { seasonalIndices, withoutSeason, withSeason } from '../packages/plugin-finops/dist/forecast/models/classical.js';
import { widths } from '../packages/plugin-finops/dist/forecast/uncertainty.js';

interface Series {
  period: 'YEARLY' | 'QUARTERLY' | 'MONTHLY';
  h: number;
  train: number[];
  test: number[];
}

const CYCLE = { MONTHLY: 12, QUARTERLY: 4, YEARLY: 1 } as const;
const ORIGINS = 6;

const { values: flags } = parseArgs({ options: { data: { type: 'string' } } });
const file = join(flags.data ?? join(import.meta.dirname, '..', '..', 'shared', 'data', 'forecast-dev'), 'm1.json.gz');
const all = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Series[]; // the form is that of SOURCE.txt

for (const period of ['MONTHLY', 'QUARTERLY', 'YEARLY'] as const) {
  const own = all.filter((series) => series.period === period);
  report(
    `${period}, even (settings chosen here)`,
    own.filter((_, at) => at % 2 === 0),
  );
  report(
    `${period}, odd`,
    own.filter((_, at) => at % 2 === 1),
  );
}
speed(365, 30, [7], true);
speed(24 * 28, 48, [24, 168], false);

function report(name: string, some: readonly Series[]): void {
  const sums = new Map<string, { mase: number; smape: number }>();
  const intervals = { within95: 0, within80: 0, values: 0, msis: 0 };
  let count = 0;
  for (const { period, h, train, test } of some) {
    const values = Float64Array.from(train);
    const periods = period === 'YEARLY' ? [] : [CYCLE[period]];
    const scale = naiveError(values, CYCLE[period]);
    if (!(scale > 0)) continue;
    count += 1;
    const made = forecastValues({ values, periods, daily: false, minorUnit: 0.01 }, h, ORIGINS);
    const { forecasts } = candidates(values, { periods, daily: false, intermittent: false }, h);
    const rows = new Map([['combination', made.mean], ['Naive 2', naive2(values, CYCLE[period], h)], ...forecasts]);
    for (const [method, forecast] of rows) {
      const sum = sums.get(method) ?? { mase: 0, smape: 0 };
      sum.mase += mean(test.map((value, j) => Math.abs(value - (forecast[j] ?? 0)))) / scale;
      sum.smape += mean(
        test.map((value, j) => (200 * Math.abs(value - (forecast[j] ?? 0))) / (Math.abs(value) + Math.abs(forecast[j] ?? 0))),
      );
      sums.set(method, sum);
    }
    const [wide, narrow] = [widths(made.uncertainty, 0.95, h), widths(made.uncertainty, 0.8, h)];
    for (const [j, value] of test.entries()) {
      const [centre, half] = [made.mean[j] ?? 0, wide[j] ?? 0];
      const [low, high] = [Math.max(0, centre - half), centre + half];
      intervals.values += 1;
      if (value >= low && value <= high) intervals.within95 += 1;
      if (Math.abs(value - centre) <= (narrow[j] ?? 0)) intervals.within80 += 1;
      intervals.msis += (high - low + 40 * (Math.max(0, low - value) + Math.max(0, value - high))) / scale / test.length;
    }
  }
  const base = sums.get('Naive 2') ?? { mase: 1, smape: 1 };
  const share = (of: number) => (of / intervals.values).toFixed(3);
  console.log(
    `${name}: ${count} series; coverage of 95 % ${share(intervals.within95)}, of 80 % ${share(intervals.within80)}; MSIS ${(intervals.msis / count).toFixed(2)}`,
  );
  for (const [method, { mase, smape }] of sums)
    console.log(
      `  ${method.padEnd(14)}OWA ${((mase / base.mase + smape / base.smape) / 2).toFixed(3)}  MASE ${(mase / count).toFixed(3)}  sMAPE ${(smape / count).toFixed(2)}`,
    );
}

/** As the M4 competition computes it: the last value, with the classical season where the values show one over three cycles. */
function naive2(values: Float64Array, cycle: number, h: number): Float64Array {
  const seasonal = cycle > 1 && values.length >= 3 * cycle && repeatsAfter(values, cycle);
  const season = seasonalIndices(values, seasonal ? cycle : 1);
  return withSeason(new Float64Array(h).fill(withoutSeason(values, season).at(-1) ?? 0), season, values.length);
}

function naiveError(values: Float64Array, cycle: number): number {
  return mean([...values.subarray(cycle)].map((value, t) => Math.abs(value - (values[t] ?? 0))));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Processor time, the compiler's and the collector's included: the best of three rounds, for neighbours take their share. */
function speed(n: number, h: number, periods: readonly number[], daily: boolean): void {
  let state = 12_345;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648 - 0.5;
  };
  const series = Array.from({ length: daily ? 150 : 40 }, () => {
    let level = 300 + 400 * random();
    return Float64Array.from({ length: n }, (_, t) => {
      level *= 1 + 0.02 * random();
      return level * (t % (periods[0] ?? 7) < (periods[0] ?? 7) / 2 ? 1.3 : 1) * (1 + 0.1 * random());
    });
  });
  const rates = Array.from({ length: 4 }, () => {
    const start = process.cpuUsage();
    for (const values of series) forecastValues({ values, periods, daily, minorUnit: 0.01 }, h, 3);
    const { user, system } = process.cpuUsage(start);
    return (series.length / (user + system)) * 1e6;
  });
  console.log(`${n} values, ${h} ahead, 3 backtests: ${Math.max(...rates.slice(1)).toFixed(0)} series per second of one core`);
}
