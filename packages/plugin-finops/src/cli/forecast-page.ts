import { plural } from '@bylaw/core/report';
import { type ChartSection, chartPage } from '@bylaw/core/report/chart-page';
import { amountText, columnText } from '../chart/amount-text.js';
import { boundOf } from '../chart/bound-of.js';
import { chartedForecasts, forecastChart, leftOutWarning } from '../chart/index.js';
import type { ForecastAnswer } from '../doors/forecast.js';
import type { Forecast } from '../forecast/index.js';
import { warningsSection } from './page-parts.js';

/** The forecasts as a page: each with its history, its intervals, the totals of its periods and what becomes of its budgets. */
export function forecastPage({ forecasts, warnings, engine, input_digest, parameters }: ForecastAnswer): string {
  const levels = (parameters['levels'] as number[]).toReversed(); // as the answer defines it
  const bucket = String(parameters['granularity']);
  const { drawn, left } = chartedForecasts(forecasts);
  const budgets = forecasts.flatMap((forecast) => forecast.budgets.map((budget) => ({ ...budget, currency: forecast.currency })));
  return chartPage({
    title: plural(forecasts.length, 'cost forecast', 'cost forecasts'),
    notes: [`bylaw ${engine.version}, input ${input_digest}`],
    tiles: budgets.slice(0, 6).map(({ id, period, probability_over }) => ({
      value: `${Math.round(probability_over * 100)} %`,
      name: `chance that ${id} is passed in ${period}`,
    })),
    sections: [
      ...drawn.map((forecast) => section(forecast, levels, bucket)),
      ...warningsSection(warnings, leftOutWarning(left.map(({ id }) => id))),
    ],
  });
}

function section(forecast: Forecast, levels: readonly number[], bucket: string): ChartSection {
  const { id, currency, totals, budgets, reliability, notes } = forecast;
  const [widest = 95] = levels;
  return {
    title: id,
    paragraphs: [
      `Reliability: ${reliability}.`,
      ...budgets.map(
        (budget) =>
          `Budget ${budget.id}, ${budget.period}: ${Math.round(budget.probability_over * 100)} % chance of more than ${amountText(budget.amount, currency)}, ${amountText(budget.expected_over, currency)} over on average${budget.likely_crossing === null ? '' : `, likely on ${budget.likely_crossing}`}.`,
      ),
      ...notes.map((note) => `${note}.`),
    ],
    chart: forecastChart(forecast, levels, bucket),
    table: {
      caption: `Totals of ${id}, in ${currency}`,
      columns: [
        { name: 'Period', kind: 'key' },
        { name: 'To date', kind: 'number' },
        { name: 'To come', kind: 'number' },
        { name: 'Total', kind: 'number' },
        { name: `Lower, ${widest} %`, kind: 'number' },
        { name: `Upper, ${widest} %`, kind: 'number' },
        { name: '', kind: 'text' },
      ],
      rows: totals.map((total) => [
        total.period,
        ...[
          total.actual_to_date,
          total.forecast_rest,
          total.total,
          boundOf(total, `lower_${widest}`),
          boundOf(total, `upper_${widest}`),
        ].map(columnText),
        total.complete ? '' : 'a part of it',
      ]),
    },
  };
}
