import { bandChart } from '@bylaw/core/chart';
import { plural } from '@bylaw/core/report';
import { type ChartSection, chartPage } from '@bylaw/core/report/chart-page';
import type { Anomaly, SeriesBuckets } from '../anomalies/index.js';
import type { AnomaliesAnswer } from '../doors/anomalies.js';
import { amountText, columnText } from './amount-text.js';
import { MOST_CHARTS, warningsSection } from './page-parts.js';

/** The anomalies as a page: all of them in a table, then each series that has some, the dearest first, with what was expected of it. */
export function anomaliesPage({ anomalies, series = [], summary, warnings, engine, input_digest, parameters }: AnomaliesAnswer): string {
  const through = summary.complete_through === null ? '' : `, final through ${summary.complete_through}`;
  const bucket = typeof parameters['granularity'] === 'string' ? parameters['granularity'] : 'bucket';
  const charted = seriesWithAnomalies(series, anomalies);
  return chartPage({
    title: anomalies.length === 0 ? 'No cost anomalies' : plural(anomalies.length, 'cost anomaly', 'cost anomalies'),
    notes: [
      `${plural(summary.series, 'series', 'series')} of ${plural(summary.buckets, 'bucket')}${through}.`,
      `bylaw ${engine.version}, input ${input_digest}`,
    ],
    tiles: summary.impact_by_currency.map(({ amount, currency }) => ({
      value: amountText(amount, currency),
      name: 'beyond the expected, not planned',
    })),
    sections: [
      ...(anomalies.length > 0 ? [allAnomalies(anomalies)] : []),
      ...charted.slice(0, MOST_CHARTS).map((one) => seriesSection(one, bucket)),
      ...warningsSection(warnings),
    ],
  });
}

interface ChartedSeries {
  one: SeriesBuckets;
  events: Anomaly[];
}

/** Where nothing was found, the first series of each currency shows that nothing was. */
function seriesWithAnomalies(series: readonly SeriesBuckets[], anomalies: readonly Anomaly[]): ChartedSeries[] {
  const keyOf = ({ monitor, dimensions, currency }: Pick<Anomaly, 'monitor' | 'dimensions' | 'currency'>) =>
    JSON.stringify([currency, monitor, Object.entries(dimensions)]);
  const events = Map.groupBy(anomalies.toSorted(byImpact), keyOf);
  const found = series.flatMap((one) => {
    const own = events.get(keyOf(one));
    return own ? [{ one, events: own }] : [];
  });
  const impact = ({ events: own }: ChartedSeries) => own.reduce((sum, anomaly) => sum + Math.abs(anomaly.impact), 0);
  if (found.length > 0) return found.toSorted((a, b) => impact(b) - impact(a) || (a.one.id < b.one.id ? -1 : 1));
  return [...Map.groupBy(series, ({ currency }) => currency).values()].flatMap(([one]) => (one ? [{ one, events: [] }] : []));
}

function byImpact(a: Anomaly, b: Anomaly): number {
  return Math.abs(b.impact) - Math.abs(a.impact) || (a.id < b.id ? -1 : 1);
}

function allAnomalies(anomalies: readonly Anomaly[]): ChartSection {
  return {
    title: 'What was found',
    table: {
      caption: 'Every anomaly, the dearest first',
      columns: [
        { name: 'Severity', kind: 'key' },
        { name: 'When', kind: 'key' },
        { name: 'Impact', kind: 'number' },
        { name: 'Status', kind: 'key' },
        { name: 'What', kind: 'text' },
      ],
      rows: anomalies
        .toSorted(byImpact)
        .map(({ severity, start, end, impact, currency, status, explanation }) => [
          severity,
          start === end ? start : `${start} to ${end}`,
          amountText(impact, currency),
          status,
          explanation,
        ]),
    },
  };
}

function seriesSection({ one: series, events }: ChartedSeries, bucket: string): ChartSection {
  const { buckets, currency } = series;
  const title = nameOf(series);
  const explanations = events.map(({ explanation }) => explanation);
  const provisional = buckets.findIndex((one) => one.provisional);
  const column = (name: 'actual' | 'expected' | 'lower' | 'upper') => buckets.map((one) => one[name]);
  return {
    title,
    paragraphs: explanations,
    chart: bandChart({
      title: `Cost, ${title}`,
      description: explanations.length > 0 ? explanations.join(' ') : 'No anomaly was found.',
      unit: `${currency} per ${bucket}`,
      times: buckets.map(({ start }) => start),
      lines: [
        { name: 'actual', kind: 'actual', values: column('actual') },
        { name: 'expected', kind: 'expected', values: column('expected') },
      ],
      bands: [{ name: 'usual range', lower: column('lower'), upper: column('upper') }],
      marks: events.flatMap((event) => markOf(event, series)),
      levels: [],
      ...(provisional >= 0 && { divider: { index: provisional, name: 'final until here' } }),
    }),
    table: {
      caption: `Every ${bucket} of ${title}, in ${currency}`,
      columns: [
        { name: 'From', kind: 'key' },
        { name: 'Actual', kind: 'number' },
        { name: 'Expected', kind: 'number' },
        { name: 'Lower', kind: 'number' },
        { name: 'Upper', kind: 'number' },
        { name: '', kind: 'text' },
      ],
      rows: buckets.map(({ start, actual, expected, lower, upper, provisional: open }) => [
        start,
        ...[actual, expected, lower, upper].map(columnText),
        open ? 'not final' : '',
      ]),
    },
  };
}

function nameOf({ dimensions }: SeriesBuckets): string {
  const parts = Object.entries(dimensions).map(([name, value]) => `${name} ${value}`);
  return parts.length === 0 ? 'total' : parts.join(', ');
}

/** The bucket of an anomaly that is furthest from what was expected. */
function markOf({ start, end, impact, currency, status, direction }: Anomaly, { buckets }: SeriesBuckets) {
  const distance = (at: number) => Math.abs((buckets[at]?.actual ?? 0) - (buckets[at]?.expected ?? 0));
  const within = buckets.flatMap((bucket, at) => (bucket.start >= start && bucket.start <= end && bucket.actual !== null ? [at] : []));
  const [first] = within.toSorted((a, b) => distance(b) - distance(a) || a - b);
  if (first === undefined) return [];
  const tone = status === 'planned' ? ('neutral' as const) : direction === 'up' ? ('bad' as const) : ('good' as const);
  return [{ index: first, value: buckets[first]?.actual ?? 0, label: `${impact > 0 ? '+' : ''}${amountText(impact, currency)}`, tone }];
}
