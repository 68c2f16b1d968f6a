import { plural } from '@bylaw/core/report';
import { type ChartSection, type ChartTable, chartPage } from '@bylaw/core/report/chart-page';
import { boundOf } from '../chart/forecast-chart.js';
import { chartedForecasts, forecastChart, leftOutWarning } from '../chart/index.js';
import type { ForecastAnswer } from '../endpoints/forecast.js';
import type { Forecast } from '../forecast/index.js';
import { formatColumn } from '../series/format-amount.js';
import { dearestFirst } from './forecast-text.js';
import { warningsSection } from './page-parts.js';

/** More chances are not looked at; the tables have all. */
const MOST_TILES = 6;

/** The forecasts as a page: each with its history, its intervals, the totals of its periods and what becomes of its budgets. */
export function forecastPage({ forecasts, warnings, engine, input_digest, parameters }: ForecastAnswer): string {
  const levels = (parameters['levels'] as number[]).toReversed(); // as the answer defines it
  const bucket = String(parameters['granularity']);
  const { drawn, left } = chartedForecasts(forecasts);
  return chartPage({
    title: plural(forecasts.length, 'cost forecast', 'cost forecasts'),
    notes: [`bylaw ${engine.version}, input ${input_digest}`],
    tiles: likeliest(forecasts)
      .slice(0, MOST_TILES)
      .map(({ id, period, probability_over }) => ({
        value: chanceText(probability_over),
        name: `chance that budget ${id} is exceeded in ${period}`,
      })),
    sections: [
      ...dearestFirst(drawn).map((forecast) => section(forecast, levels, bucket)),
      ...warningsSection(warnings, leftOutWarning(left.map(({ id }) => id))),
    ],
  });
}

/** Of each budget the first period in which nothing is likelier to exceed it, the likeliest budget first. */
function likeliest(forecasts: readonly Forecast[]): Forecast['budgets'] {
  const percent = ({ probability_over: chance }: Forecast['budgets'][number]) => Math.round(100 * chance);
  const all = forecasts.flatMap(({ budgets }) => budgets);
  const sorted = all.toSorted((a, b) => percent(b) - percent(a) || (a.period < b.period ? -1 : a.period > b.period ? 1 : 0));
  const first = new Map(sorted.toReversed().map((budget) => [budget.id, budget]));
  return sorted.filter((budget) => first.get(budget.id) === budget);
}

function section(forecast: Forecast, levels: readonly number[], bucket: string): ChartSection {
  const { id, reliability, notes } = forecast;
  return {
    title: id,
    paragraphs: [`Reliability: ${reliability}.`, ...notes.map((note) => `${note.charAt(0).toUpperCase()}${note.slice(1)}.`)],
    chart: forecastChart(forecast, levels, bucket),
    table: totalsTable(forecast, levels),
    tables: [budgetTable(forecast), pointTable(forecast, levels, bucket)],
  };
}

function totalsTable({ currency, totals }: Forecast, [widest = 95]: readonly number[]): ChartTable {
  return {
    caption: `Totals by period, in ${currency}`,
    columns: [
      key('Period'),
      ...['To date', 'Remaining', 'Total', `Lower, ${widest} %`, `Upper, ${widest} %`].map(number),
      { name: '', kind: 'text' },
    ],
    rows: totals.map((total) => [
      total.period,
      ...[total.actual_to_date, total.forecast_rest, total.total, ...bounds(total, [widest])].map(formatColumn),
      total.complete ? '' : 'partial',
    ]),
  };
}

function budgetTable({ currency, budgets, history }: Forecast): ChartTable {
  return {
    caption: `Budget outlook, in ${currency}`,
    columns: [
      { name: 'Budget', kind: 'text' },
      key('Period'),
      ...['Amount', 'Chance of exceeding', 'Expected overrun'].map(number),
      { name: 'Date', kind: 'key' },
    ],
    rows: budgets.map(({ id, period, amount, probability_over, expected_over, likely_crossing: when }) => [
      id,
      period,
      ...[formatColumn(amount), chanceText(probability_over), formatColumn(expected_over)],
      when === null ? '' : when <= history.end ? `exceeded on ${when}` : `likely on ${when}`,
    ]),
  };
}

function pointTable({ currency, points }: Forecast, levels: readonly number[], bucket: string): ChartTable {
  return {
    caption: `Every ${bucket} of the forecast, in ${currency}`,
    columns: [key('From'), ...['Forecast', ...levels.flatMap((level) => [`Lower, ${level} %`, `Upper, ${level} %`])].map(number)],
    rows: points.map((point) => [point.start, ...[point.mean, ...bounds(point, levels)].map(formatColumn)]),
  };
}

function bounds(of: Forecast['totals'][number] | Forecast['points'][number], levels: readonly number[]): number[] {
  return levels.flatMap((level) => [boundOf(of, `lower_${level}`), boundOf(of, `upper_${level}`)]);
}

function chanceText(chance: number): string {
  return `${Math.round(chance * 100)} %`;
}

const key = (name: string) => ({ name, kind: 'key' }) as const;
const number = (name: string) => ({ name, kind: 'number' }) as const;
