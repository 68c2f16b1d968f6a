import { bandChart } from '@bylaw/core/chart';
import type { Forecast } from '../forecast/index.js';
import { budgetLevels } from './budget-pace.js';
import { type Chosen, MOST_CHARTS } from './cost-chart.js';

/** The forecasts of most cost, in the order of the answer. */
export function chartedForecasts(forecasts: readonly Forecast[]): Chosen<Forecast> {
  const size = ({ points }: Forecast) => points.reduce((sum, { mean }) => sum + Math.abs(mean), 0);
  const sized = forecasts.map((forecast, at) => ({ forecast, at, size: size(forecast) }));
  const largest = new Set(sized.toSorted((a, b) => b.size - a.size || a.at - b.at).slice(0, MOST_CHARTS));
  const those = (isDrawn: boolean) => sized.filter((one) => largest.has(one) === isDrawn).map(({ forecast }) => forecast);
  return { drawn: those(true), left: those(false) };
}

/** Buckets of the history that a chart shows, for each to come. */
const HISTORY_SHOWN = 3;

/**
 * History, as far as the forecast has it, and forecast, as an SVG text for a page that has the styles of charts.
 * @param levels of the intervals, the widest first
 * @param bucket name of a bucket
 */
export function forecastChart(forecast: Forecast, levels: readonly number[], bucket: string): string {
  const { id, currency, points, actual = [] } = forecast;
  const past = actual.slice(-HISTORY_SHOWN * Math.max(points.length, 10));
  const before = past.map(() => null);
  const most = Math.max(0, ...past.map(({ value }) => value ?? 0), ...points.map(({ mean }) => mean));
  return bandChart({
    title: `Cost, ${id}`,
    description: `History and forecast, with prediction intervals of ${levels.map((level) => `${level} %`).join(' and ')}.`,
    unit: `${currency} per ${bucket}`,
    times: [...past, ...points].map(({ start }) => start),
    lines: [
      { name: 'actual', kind: 'actual', values: [...past.map(({ value }) => value), ...points.map(() => null)] },
      { name: 'forecast', kind: 'expected', values: [...before, ...points.map(({ mean }) => mean)] },
    ],
    bands: levels.map((level) => ({
      name: `${level} % interval`,
      lower: [...before, ...points.map((point) => boundOf(point, `lower_${level}`))],
      upper: [...before, ...points.map((point) => boundOf(point, `upper_${level}`))],
    })),
    marks: [],
    levels: budgetLevels(forecast, bucket, most),
    divider: { index: past.length, name: 'forecast from here' },
  });
}

/** A bound by its name: `lower_95`. */
export function boundOf(of: Forecast['totals'][number] | Forecast['points'][number], name: string): number {
  return Number(Object.entries(of).find(([key]) => key === name)?.[1] ?? Number.NaN);
}
