import { sparkline } from '@bylaw/core/chart/sparkline';
import type { Terminal } from '@bylaw/core/command/output';
import { newPage, type Page, wrapped } from '@bylaw/core/report/page';
import { printable } from '@bylaw/core/report/printable';
import { amountText } from '../chart/amount-text.js';
import { boundOf } from '../chart/bound-of.js';
import type { ForecastAnswer } from '../doors/forecast.js';
import type { Forecast } from '../forecast/index.js';

/** More forecasts than these are counted only. */
const MOST_SHOWN = 20;

/** For each forecast its totals and budgets, a line of blocks, and how far to trust it. */
export function forecastText(answer: ForecastAnswer, { width, colour }: Terminal): string {
  const page = newPage({ colour, width: Math.min(width, 120) });
  const levels = answer.parameters['levels'] as number[]; // as the answer defines it
  const left = answer.forecasts.length - MOST_SHOWN;
  return [
    ...answer.forecasts.slice(0, MOST_SHOWN).map((forecast) => forecastBlock(forecast, levels.at(-1) ?? 95, page)),
    ...(left > 0 ? [`… and ${left} more; --json has all of them.\n`] : []),
    ...(answer.reconciliation
      ? [page.chalk.dim(`Parts and total were made to agree: by ${answer.reconciliation.max_adjustment_percent.toFixed(1)} % at most.\n`)]
      : []),
    ...answer.warnings.map(({ message }) => page.chalk.yellow(`warning: ${printable(message)}\n`)),
  ].join('');
}

function forecastBlock(forecast: Forecast, level: number, page: Page): string {
  const { id, currency, history, points, totals, budgets, reliability, notes } = forecast;
  const line = sparkline(
    points.map(({ mean }) => mean),
    { width: Math.min(60, page.width) },
  );
  const head = `${page.chalk.bold(printable(id))}  ${page.chalk.dim(`${history.buckets} buckets to ${history.end}`)}  ${line}  reliability ${reliability}\n`;
  const rows = totals.map((total) => {
    const range = `${amountText(boundOf(total, `lower_${level}`), currency)} to ${amountText(boundOf(total, `upper_${level}`), currency)}`;
    const part = total.complete ? '' : page.chalk.dim(' (a part of it)');
    return `  ${total.period.padEnd(8)} ${amountText(total.total, currency).padStart(16)}  ${level} %: ${range}${part}\n`;
  });
  return [
    head,
    ...rows,
    ...budgets.map((budget) => budgetLine(budget, currency, page)),
    ...(forecast.backtest ? [page.chalk.dim(`  ${tested(forecast)}\n`)] : []),
    ...notes.map((note) => wrapped(page, printable(note), 2, page.chalk.dim)),
    '\n',
  ].join('');
}

function budgetLine(
  { id, period, amount, probability_over, expected_over, likely_crossing }: Forecast['budgets'][number],
  currency: string,
  page: Page,
): string {
  const chance = `${Math.round(probability_over * 100)} %`;
  const style = probability_over >= 0.5 ? page.chalk.red : probability_over >= 0.2 ? page.chalk.yellow : page.chalk.green;
  const when = likely_crossing === null ? '' : `, likely on ${likely_crossing}`;
  return `  budget ${printable(id)}, ${period}: ${style(`${chance} chance`)} of more than ${amountText(amount, currency)}${when}; on average ${amountText(expected_over, currency)} over\n`;
}

function tested({ backtest }: Forecast): string {
  if (!backtest) return '';
  const { origins, horizon, wape, owa } = backtest;
  const error = wape === null ? '' : `, off by ${(wape * 100).toFixed(1)} %`;
  const against = owa === null ? '' : `; ${owa.toFixed(2)} of the error of the naive forecast`;
  return `tested from ${origins} earlier days over ${horizon} buckets${error}${against}`;
}
