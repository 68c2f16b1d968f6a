import type { Terminal } from '@bylaw/core/command/output';
import { plural } from '@bylaw/core/report';
import { newPage, type Page, padded, severityStyle, wrapped } from '@bylaw/core/report/page';
import { printable } from '@bylaw/core/report/printable';
import type { Anomaly } from '../anomalies/index.js';
import type { AnomaliesAnswer } from '../doors/anomalies.js';

/** Each anomaly with its explanation, the dearest first, and a line that sums up. */
export function anomaliesText({ anomalies, summary, excluded, warnings, quality }: AnomaliesAnswer, { width, colour }: Terminal): string {
  const page = newPage({ colour, width: Math.min(width, 120) });
  const dearest = anomalies.toSorted((a, b) => Math.abs(b.impact) - Math.abs(a.impact) || (a.id < b.id ? -1 : 1));
  const through = summary.complete_through === null ? '' : `, final through ${summary.complete_through}`;
  const impact = summary.impact.map(({ amount, currency }) => amountText(amount, currency)).join(', ');
  return [
    ...dearest.map((anomaly) => anomalyText(anomaly, page)),
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

function anomalyText(
  { severity, status, kind, start, end, impact, impact_percent, currency, explanation, drivers, id }: Anomaly,
  page: Page,
): string {
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
  return `${head}${wrapped(page, printable(explanation), 10)}${also}\n`;
}

export function amountText(amount: number, currency: string): string {
  const digits = Math.abs(amount) >= 1000 ? 0 : 2;
  const text = amount.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${text} ${currency}`;
}
