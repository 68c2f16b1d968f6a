import { sparkline } from '@bylaw/core/chart/sparkline';
import type { Terminal } from '@bylaw/core/command/output';
import { plural } from '@bylaw/core/report';
import { columnsOf, newPage, type Page, padded, severityStyle, wrapped } from '@bylaw/core/report/page';
import { printable } from '@bylaw/core/report/printable';
import type { Anomaly, SeriesBuckets } from '../anomalies/index.js';
import type { AnomaliesAnswer } from '../endpoints/anomalies.js';
import { formatAmount, formatChange } from '../series/format-amount.js';

/** Each anomaly with its explanation and a line of blocks, the dearest first, and a line that sums up. */
export function anomaliesText(
  { anomalies, series = [], summary, excluded, warnings, quality, parameters }: AnomaliesAnswer,
  { width, colour }: Terminal,
): string {
  const byKey = new Map(series.map((one) => [keyOf(one), one]));
  const page = newPage({ colour, width: Math.min(width, 120) });
  const dearest = anomalies.toSorted((a, b) => Math.abs(b.impact) - Math.abs(a.impact) || (a.id < b.id ? -1 : 1));
  const through = summary.complete_through === null ? '' : `. Data is final through ${summary.complete_through}`;
  const bucket = typeof parameters['granularity'] === 'string' ? parameters['granularity'] : 'bucket';
  const found = anomalies.length === 0 ? 'No anomalies' : plural(anomalies.length, 'anomaly', 'anomalies');
  const impact = summary.impact_by_currency.map(({ amount, currency }) => formatChange(amount, currency)).join(', ');
  return [
    ...dearest.map((anomaly) => anomalyText(anomaly, byKey.get(keyOf(anomaly)), page)),
    wrapped(
      page,
      `${found} in ${plural(summary.series, 'series', 'series')} with ${plural(summary.buckets, bucket)}${through}.${anomalies.length === 0 ? '' : ` Net impact ${impact}${anomalies.some(({ status }) => status === 'planned') ? ', excluding planned events' : ''}.`}`,
      0,
    ),
    ...excluded.flatMap(({ currency, tax, credit, adjustment }) => {
      const parts = Object.entries({ taxes: tax, credits: credit, adjustments: adjustment }).filter(([, amount]) => amount !== 0);
      return parts.length === 0
        ? []
        : [
            wrapped(
              page,
              `Excluded: ${parts.map(([name, amount]) => `${name} ${formatAmount(amount, currency)}`).join(', ')}.`,
              0,
              page.chalk.dim,
            ),
          ];
    }),
    ...(quality.series_too_short > 0
      ? [page.chalk.dim(`${plural(quality.series_too_short, 'series has', 'series have')} too few values to check.\n`)]
      : []),
    ...warnings.map(({ message }) => wrapped(page, `warning: ${printable(message)}`, 0, page.chalk.yellow)),
  ].join('');
}

function keyOf({ monitor, dimensions, currency }: Pick<Anomaly, 'monitor' | 'dimensions' | 'currency'>): string {
  return JSON.stringify([currency, monitor, Object.entries(dimensions)]);
}

/** Most buckets of a line of blocks, and how many of them follow the end of the anomaly. */
const SHOWN = 56;
const AFTER = 14;

const INDENT = 10;

/** The weeks around an anomaly; in its place, what is seen first. */
function lineOf({ end }: Anomaly, { buckets }: SeriesBuckets, width: number): string {
  const last = buckets.findIndex(({ start }) => start === end) + 1 + AFTER;
  const shown = buckets.slice(Math.max(0, last - width), last);
  return sparkline(
    shown.map(({ actual }) => actual),
    { width, low: Math.min(0, ...shown.map(({ actual }) => actual ?? 0)) },
  );
}

function anomalyText(anomaly: Anomaly, series: SeriesBuckets | undefined, page: Page): string {
  const { explanation, drivers } = anomaly;
  const width = Math.min(SHOWN, page.width - INDENT);
  const line = series === undefined ? '' : `${' '.repeat(INDENT)}${page.chalk.dim(lineOf(anomaly, series, width))}\n`;
  const others = drivers.slice(1, 3).filter(({ share, dimensions }) => share >= 0.1 && Object.keys(dimensions).length > 0);
  const more = others.map(
    ({ dimensions, share }) =>
      `${Object.entries(dimensions)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')} ${Math.round(share * 100)} %`,
  );
  const also = more.length > 0 ? wrapped(page, `also: ${printable(more.join('; '))}`, INDENT, page.chalk.dim) : '';
  const note = anomaly.planned === undefined ? '' : wrapped(page, `planned: ${printable(anomaly.planned)}`, INDENT, page.chalk.dim);
  return `${headOf(anomaly, page)}${line}${wrapped(page, printable(explanation), INDENT)}${also}${note}\n`;
}

function headOf({ severity, status, kind, start, end, impact, impact_percent, currency, id }: Anomaly, page: Page): string {
  const label = padded(severity, INDENT);
  const when = start === end ? start : `${start} to ${end}`;
  const percent = impact_percent === null ? '' : ` (${impact_percent > 0 ? '+' : ''}${Math.round(impact_percent).toLocaleString('en')} %)`;
  const amount = `${formatChange(impact, currency)}${percent}`;
  const state = `${kind}, ${status}`;
  const gap = columnsOf(`${label}${when}  ${amount}  ${state}  ${id}`) <= page.width ? '  ' : `\n${' '.repeat(INDENT)}`;
  return `${severityStyle(page, severity)(label)}${page.chalk.bold(when)}  ${amount}${gap}${state}  ${page.chalk.dim(id)}\n`;
}
