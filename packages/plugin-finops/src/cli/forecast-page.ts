import { bandChart } from '@bylaw/core/chart';
import { plural } from '@bylaw/core/report';
import { type ChartSection, chartPage } from '@bylaw/core/report/chart-page';
import type { ForecastAnswer } from '../doors/forecast.js';
import type { Forecast } from '../forecast/index.js';
import { amountText, columnText } from './amount-text.js';
import { boundOf } from './forecast-text.js';
import { MOST_CHARTS, warningsSection } from './page-parts.js';

/** Buckets of the history that a chart shows, for each to come. */
const HISTORY_SHOWN = 3;

/** The forecasts as a page: each with its history, its intervals, the totals of its periods and what becomes of its budgets. */
export function forecastPage({ forecasts, warnings, engine, input_digest, parameters }: ForecastAnswer): string {
  const levels = (parameters['levels'] as number[]).toReversed(); // as the answer defines it
  const bucket = String(parameters['granularity']);
  const budgets = forecasts.flatMap((forecast) => forecast.budgets.map((budget) => ({ ...budget, currency: forecast.currency })));
  return chartPage({
    title: plural(forecasts.length, 'cost forecast', 'cost forecasts'),
    notes: [`bylaw ${engine.version}, input ${input_digest}`],
    tiles: budgets.slice(0, 6).map(({ id, period, probability_over }) => ({
      value: `${Math.round(probability_over * 100)} %`,
      name: `chance that ${id} is passed in ${period}`,
    })),
    sections: [...forecasts.slice(0, MOST_CHARTS).map((forecast) => section(forecast, levels, bucket)), ...warningsSection(warnings)],
  });
}

function section(forecast: Forecast, levels: readonly number[], bucket: string): ChartSection {
  const { id, currency, points, totals, budgets, reliability, notes, actual = [] } = forecast;
  const past = actual.slice(-HISTORY_SHOWN * Math.max(points.length, 10));
  const before = past.map(() => null);
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
    chart: bandChart({
      title: `Cost, ${id}`,
      description: `History and forecast, with intervals of ${levels.map((level) => `${level} %`).join(' and ')}.`,
      unit: `${currency} per ${bucket}`,
      times: [...past, ...points].map(({ start }) => start),
      lines: [
        { name: 'actual', kind: 'actual', values: [...past.map(({ value }) => value), ...points.map(() => null)] },
        { name: 'forecast', kind: 'expected', values: [...before, ...points.map(({ mean }) => mean)] },
      ],
      bands: levels.map((level) => ({
        name: `${level} %`,
        lower: [...before, ...points.map((point) => boundOf(point, `lower_${level}`))],
        upper: [...before, ...points.map((point) => boundOf(point, `upper_${level}`))],
      })),
      marks: [],
      levels: [],
      divider: { index: past.length, name: 'forecast' },
    }),
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
