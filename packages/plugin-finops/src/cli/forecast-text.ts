import { sparkline } from '@bylaw/core/chart/sparkline';
import type { Terminal } from '@bylaw/core/command/output';
import { plural } from '@bylaw/core/report';
import { newPage, type Page, wrapped } from '@bylaw/core/report/page';
import { printable } from '@bylaw/core/report/printable';
import { boundOf } from '../chart/forecast-chart.js';
import type { ForecastAnswer } from '../endpoints/forecast.js';
import type { Forecast } from '../forecast/index.js';
import { formatAmount } from '../series/format-amount.js';

/** More forecasts than these are counted only. */
const MOST_SHOWN = 20;

/** For each forecast its totals and budgets, a line of blocks, and how far to trust it. */
export function forecastText({ forecasts, parameters, reconciliation, warnings }: ForecastAnswer, { width, colour }: Terminal): string {
  const page = newPage({ colour, width: Math.min(width, 120) });
  const levels = parameters['levels'] as number[]; // as the answer defines it
  const shown: Shown = { page, level: levels.at(-1) ?? 95, bucket: String(parameters['granularity']) };
  const left = forecasts.length - MOST_SHOWN;
  return [
    ...dearestFirst(forecasts)
      .slice(0, MOST_SHOWN)
      .map((forecast) => forecastBlock(forecast, shown)),
    ...(left > 0 ? [`… and ${left} more, see --json\n`] : []),
    ...(reconciliation
      ? [
          wrapped(
            page,
            `Parts and total were reconciled, with adjustments of at most ${reconciliation.max_adjustment_percent.toFixed(1)} %.`,
            0,
            page.chalk.dim,
          ),
        ]
      : []),
    ...warnings.map(({ message }) => wrapped(page, `warning: ${printable(message)}`, 0, page.chalk.yellow)),
  ].join('');
}

/** How forecasts are shown: the widest level of the intervals, and the name of a bucket. */
interface Shown {
  page: Page;
  level: number;
  bucket: string;
}

function forecastBlock(forecast: Forecast, shown: Shown): string {
  const { id, currency, history, points, budgets, reliability, notes } = forecast;
  const { page, bucket } = shown;
  const { chalk } = page;
  const line = sparkline(
    points.map(({ mean }) => mean),
    { width: Math.min(60, page.width - 2) },
  );
  return [
    wrapped(page, `${chalk.bold(printable(id))}  reliability ${reliability}`, 2, undefined, ''),
    `  ${line}\n`,
    wrapped(
      page,
      `${plural(points.length, bucket)} ahead, from a history of ${plural(history.buckets, bucket)} up to ${history.end}`,
      2,
      chalk.dim,
    ),
    ...totalRows(forecast, shown),
    ...budgets.map((budget) => wrapped(page, budgetText(budget, { currency, end: history.end, page }), 4, undefined, '  ')),
    ...(forecast.backtest ? [wrapped(page, tested(forecast.backtest, bucket), 4, chalk.dim, '  ')] : []),
    ...notes.map((note) => wrapped(page, printable(note), 4, chalk.dim, '  ')),
    '\n',
  ].join('');
}

function totalRows({ totals, currency }: Forecast, { page, level }: Shown): string[] {
  const amounts = totals.map(({ total }) => formatAmount(total, currency));
  const width = Math.max(0, ...amounts.map(({ length }) => length));
  return totals.map((total, at) => {
    const [lower, upper] = ['lower', 'upper'].map((side) => formatAmount(boundOf(total, `${side}_${level}`), currency));
    const part = total.complete ? '' : page.chalk.dim(' (partial)');
    const first = `  ${total.period.padEnd(8)} ${(amounts[at] ?? '').padStart(width)}  `;
    return wrapped(page, `${level} %: ${lower} to ${upper}${part}`, first.length, undefined, first);
  });
}

/** What becomes of a budget, in a sentence. */
function budgetText(
  { id, period, amount, probability_over, expected_over, likely_crossing }: Forecast['budgets'][number],
  { currency, end, page }: { currency: string; end: string; page: Page },
): string {
  const chance = `${Math.round(probability_over * 100)} %`;
  const style = probability_over >= 0.5 ? page.chalk.red : probability_over >= 0.2 ? page.chalk.yellow : page.chalk.green;
  const isOver = likely_crossing !== null && likely_crossing <= end;
  const when = likely_crossing === null ? '' : isOver ? `, exceeded on ${likely_crossing}` : `, likely on ${likely_crossing}`;
  const over = `expected overrun ${formatAmount(expected_over, currency)}`;
  return `budget ${printable(id)}, ${period}: ${style(`${chance} chance`)} of exceeding ${formatAmount(amount, currency)}${when}; ${over}`;
}

function tested({ origins, horizon, wape, owa }: NonNullable<Forecast['backtest']>, bucket: string): string {
  const error = wape === null ? '' : `: off by ${(wape * 100).toFixed(1)} %`;
  const against = owa === null ? '' : `; its error is ${owa.toFixed(2)} times that of the naive forecast`;
  return `backtested from ${plural(origins, 'earlier start')} over ${plural(horizon, bucket)}${error}${against}`;
}

/** As people look at them: all of it before its parts, then the dearest first. */
export function dearestFirst(forecasts: readonly Forecast[]): Forecast[] {
  const isPart = ({ dimensions }: Forecast) => Number(Object.keys(dimensions).length > 0);
  const size = ({ points }: Forecast) => points.reduce((sum, { mean }) => sum + Math.abs(mean), 0);
  return forecasts.toSorted((a, b) => isPart(a) - isPart(b) || size(b) - size(a) || (a.id < b.id ? -1 : 1));
}
