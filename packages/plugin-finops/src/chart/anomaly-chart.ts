import { bandChart } from '@bylaw/core/chart';
import type { Anomaly, SeriesBuckets } from '../anomalies/index.js';
import { formatChange } from '../series/format-amount.js';
import { type Chosen, chosen } from './cost-chart.js';

export interface ChartedSeries {
  series: SeriesBuckets;
  /** The dearest first. */
  events: Anomaly[];
}

/** Series with anomalies, the dearest first. Where nothing was found, the first series of each currency shows that nothing was. */
export function chartedSeries(series: readonly SeriesBuckets[], anomalies: readonly Anomaly[]): Chosen<ChartedSeries> {
  const keyOf = ({ monitor, dimensions, currency }: Pick<Anomaly, 'monitor' | 'dimensions' | 'currency'>) =>
    JSON.stringify([currency, monitor, Object.entries(dimensions)]);
  const events = Map.groupBy(anomalies.toSorted(byImpact), keyOf);
  const found = series.flatMap((one) => {
    const own = events.get(keyOf(one));
    return own ? [{ series: one, events: own }] : [];
  });
  const impact = ({ events: own }: ChartedSeries) => own.reduce((sum, anomaly) => sum + Math.abs(anomaly.impact), 0);
  if (found.length > 0) return chosen(found.toSorted((a, b) => impact(b) - impact(a) || (a.series.id < b.series.id ? -1 : 1)));
  return chosen(
    [...Map.groupBy(series, ({ currency }) => currency).values()].flatMap(([one]) => (one ? [{ series: one, events: [] }] : [])),
  );
}

export function byImpact(a: Anomaly, b: Anomaly): number {
  return Math.abs(b.impact) - Math.abs(a.impact) || (a.id < b.id ? -1 : 1);
}

export function seriesName({ dimensions }: SeriesBuckets): string {
  const parts = Object.entries(dimensions).map(([name, value]) => `${name} ${value}`);
  return parts.length === 0 ? 'total' : parts.join(', ');
}

/** More are a row of marks and no picture any more. */
const MOST_MARKS = 200;

/** What a series cost beside what was expected, as an SVG text for a page that has the styles of charts. @param bucket name of a bucket */
export function seriesChart({ series, events }: ChartedSeries, bucket: string): string {
  const { buckets, currency } = series;
  const explanations = events.map(({ explanation }) => explanation);
  const provisional = buckets.findIndex((one) => one.provisional);
  const column = (name: 'actual' | 'expected' | 'lower' | 'upper') => buckets.map((one) => one[name]);
  return bandChart({
    title: `Cost, ${seriesName(series)}`,
    description: explanations.length > 0 ? explanations.join(' ') : 'No anomalies found.',
    unit: `${currency} per ${bucket}`,
    times: buckets.map(({ start }) => start),
    lines: [
      { name: 'actual', kind: 'actual', values: column('actual') },
      { name: 'expected', kind: 'expected', values: column('expected') },
    ],
    // In the first weeks little is usual yet.
    bands: [{ name: 'usual range', lower: column('lower'), upper: column('upper'), open: true }],
    marks: events.slice(0, MOST_MARKS).flatMap((event) => markOf(event, series)),
    levels: [],
    ...(provisional >= 0 && { divider: { index: provisional, name: 'final up to here' } }),
  });
}

/** The bucket of an anomaly that is furthest from what was expected. */
function markOf({ start, end, impact, currency, status, direction }: Anomaly, { buckets }: SeriesBuckets) {
  const distance = (at: number) => Math.abs((buckets[at]?.actual ?? 0) - (buckets[at]?.expected ?? 0));
  const within = buckets.flatMap((bucket, at) => (bucket.start >= start && bucket.start <= end && bucket.actual !== null ? [at] : []));
  const [first] = within.toSorted((a, b) => distance(b) - distance(a) || a - b);
  if (first === undefined) return [];
  const tone = status === 'planned' ? ('neutral' as const) : direction === 'up' ? ('bad' as const) : ('good' as const);
  return [{ index: first, value: buckets[first]?.actual ?? 0, label: formatChange(impact, currency), tone }];
}
