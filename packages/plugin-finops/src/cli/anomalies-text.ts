import { sparkline } from '@bylaw/core/chart/sparkline';
import type { Terminal } from '@bylaw/core/command/output';
import { plural } from '@bylaw/core/report';
import { newPage, type Page, padded, severityStyle, wrapped } from '@bylaw/core/report/page';
import { printable } from '@bylaw/core/report/printable';
import type { Anomaly, SeriesBuckets } from '../anomalies/index.js';
import { amountText } from '../chart/amount-text.js';
import type { AnomaliesAnswer } from '../doors/anomalies.js';

/** Each anomaly with its explanation and a line of blocks, the dearest first, and a line that sums up. */
export function anomaliesText(
  { anomalies, series = [], summary, excluded, warnings, quality }: AnomaliesAnswer,
  { width, colour }: Terminal,
): string {
  const byKey = new Map(series.map((one) => [keyOf(one), one]));
  const page = newPage({ colour, width: Math.min(width, 120) });
  const dearest = anomalies.toSorted((a, b) => Math.abs(b.impact) - Math.abs(a.impact) || (a.id < b.id ? -1 : 1));
  const through = summary.complete_through === null ? '' : `, final through ${summary.complete_through}`;
  const impact = summary.impact_by_currency.map(({ amount, currency }) => amountText(amount, currency)).join(', ');
  return [
    ...dearest.map((anomaly) => anomalyText(anomaly, byKey.get(keyOf(anomaly)), page)),
    `${plural(anomalies.length, 'anomaly', 'anomalies')} in ${summary.series} series of ${summary.buckets.toLocaleString('en')} buckets${through}. Impact ${impact}.\n`,
    ...excluded.flatMap(({ currency, tax, credit, adjustment }) => {
      const parts = Object.entries({ taxes: tax, credits: credit, adjustments: adjustment }).filter(([, amount]) => amount !== 0);
      return parts.length === 0
        ? []
        : [page.chalk.dim(`Not part of it: ${parts.map(([name, amount]) => `${name} ${amountText(amount, currency)}`).join(', ')}.\n`)];
    }),
    ...(quality.series_too_short > 0
      ? [page.chalk.dim(`${plural(quality.series_too_short, 'series', 'series')} too short to be judged.\n`)]
      : []),
    ...warnings.map(({ message }) => page.chalk.yellow(`warning: ${printable(message)}\n`)),
  ].join('');
}

function keyOf({ monitor, dimensions, currency }: Pick<Anomaly, 'monitor' | 'dimensions' | 'currency'>): string {
  return JSON.stringify([currency, monitor, Object.entries(dimensions)]);
}

/** Buckets of a line of blocks, and how many of them follow the end of the anomaly. */
const SHOWN = 56;
const AFTER = 14;

/** The weeks around an anomaly; in its place, what is seen first. */
function lineOf({ end }: Anomaly, { buckets }: SeriesBuckets): string {
  const last = buckets.findIndex(({ start }) => start === end) + 1 + AFTER;
  const shown = buckets.slice(Math.max(0, last - SHOWN), last);
  return sparkline(
    shown.map(({ actual }) => actual),
    { width: SHOWN, low: Math.min(0, ...shown.map(({ actual }) => actual ?? 0)) },
  );
}

function anomalyText(anomaly: Anomaly, series: SeriesBuckets | undefined, page: Page): string {
  const { severity, status, kind, start, end, impact, impact_percent, currency, explanation, drivers, id } = anomaly;
  const line = series === undefined ? '' : `${' '.repeat(10)}${page.chalk.dim(lineOf(anomaly, series))}\n`;
  const when = start === end ? start : `${start} to ${end}`;
  const percent = impact_percent === null ? '' : ` (${impact_percent > 0 ? '+' : ''}${Math.round(impact_percent)} %)`;
  const head = `${severityStyle(page, severity)(padded(severity, 8))}  ${page.chalk.bold(when)}  ${amountText(impact, currency)}${percent}  ${kind}, ${status}  ${page.chalk.dim(id)}\n`;
  const others = drivers.slice(1, 3).filter(({ share, dimensions }) => share >= 0.1 && Object.keys(dimensions).length > 0);
  const more = others.map(
    ({ dimensions, share }) =>
      `${Object.entries(dimensions)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')} ${Math.round(share * 100)} %`,
  );
  const also = more.length > 0 ? wrapped(page, `also: ${printable(more.join('; '))}`, 10, page.chalk.dim) : '';
  return `${head}${line}${wrapped(page, printable(explanation), 10)}${also}\n`;
}
