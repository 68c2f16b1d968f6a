import { plural } from '@bylaw/core/report';
import { type ChartSection, chartPage } from '@bylaw/core/report/chart-page';
import type { Anomaly } from '../anomalies/index.js';
import { byImpact, type ChartedSeries, chartedSeries, leftOutWarning, seriesChart, seriesName } from '../chart/index.js';
import type { AnomaliesAnswer } from '../endpoints/anomalies.js';
import { formatChange, formatColumn } from '../series/format-amount.js';
import { warningsSection } from './page-parts.js';

/** The anomalies as a page: all of them in a table, then each series that has some, the dearest first, with what was expected of it. */
export function anomaliesPage({ anomalies, series = [], summary, warnings, engine, input_digest, parameters }: AnomaliesAnswer): string {
  const through = summary.complete_through === null ? '' : `. Data is final through ${summary.complete_through}`;
  const bucket = typeof parameters['granularity'] === 'string' ? parameters['granularity'] : 'bucket';
  const { drawn, left } = chartedSeries(series, anomalies);
  return chartPage({
    title: anomalies.length === 0 ? 'No cost anomalies' : plural(anomalies.length, 'cost anomaly', 'cost anomalies'),
    notes: [
      `${plural(summary.series, 'series', 'series')} with ${plural(summary.buckets, bucket)}${through}.`,
      `bylaw ${engine.version}, input ${input_digest}`,
    ],
    tiles: summary.impact_by_currency
      .filter(({ currency }) => anomalies.some((anomaly) => anomaly.currency === currency))
      .map(({ amount, currency }) => ({ value: formatChange(amount, currency), name: 'net impact, excluding planned events' })),
    sections: [
      ...(anomalies.length > 0 ? [allAnomalies(anomalies)] : []),
      ...drawn.map((one) => seriesSection(one, bucket)),
      ...warningsSection(warnings, leftOutWarning(left.map((one) => seriesName(one.series)))),
    ],
  });
}

function allAnomalies(anomalies: readonly Anomaly[]): ChartSection {
  return {
    title: 'Anomalies',
    table: {
      caption: 'All anomalies, largest impact first',
      columns: [
        { name: 'Severity', kind: 'key' },
        { name: 'Date', kind: 'key' },
        { name: 'Impact', kind: 'number' },
        { name: 'Status', kind: 'key' },
        { name: 'Explanation', kind: 'text' },
      ],
      rows: anomalies
        .toSorted(byImpact)
        .map(({ severity, start, end, impact, currency, status, explanation, planned }) => [
          severity,
          start === end ? start : `${start} to ${end}`,
          formatChange(impact, currency),
          status,
          planned === undefined ? explanation : `${explanation} Planned: ${planned}.`,
        ]),
    },
  };
}

function seriesSection(charted: ChartedSeries, bucket: string): ChartSection {
  const { buckets, currency } = charted.series;
  const title = seriesName(charted.series);
  return {
    title,
    paragraphs: charted.events.map(({ explanation }) => explanation),
    chart: seriesChart(charted, bucket),
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
        ...[actual, expected, lower, upper].map(formatColumn),
        open ? 'not final' : '',
      ]),
    },
  };
}
