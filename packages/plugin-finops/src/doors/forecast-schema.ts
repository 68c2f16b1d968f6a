import { ENVELOPE, list, number, object, oneOfText, text, whole } from '@bylaw/core/schemas';
import { METHODS } from '../forecast/index.js';
import { CHARTS } from './answer-schema.js';

/** JSON Schema of the answer. Members stand in the order of the JSON; amounts are in units of `currency`. */

const nullable = (schema: { readonly [keyword: string]: unknown }) => ({ ...schema, type: [schema.type, 'null'] });
const amount = (description: string) => number(`${description}, in units of the currency.`);

/** Members and, beside them, a lower and an upper bound for every level. */
const bounded = (members: Parameters<typeof object>[0]) => ({
  ...object(members),
  patternProperties: { '^(lower|upper)_[0-9]{2}$': amount('Bound of the interval of that level') },
});

const POINT = bounded({ start: text('Start of the bucket.'), mean: amount('Expected cost') });

const TOTAL = bounded({
  period: text('Month (`2026-05`), quarter (`2026-Q2`) or year.'),
  actual_to_date: amount('Cost that is known'),
  forecast_rest: amount('Cost to come, as far as it is forecast'),
  total: amount('Both'),
  complete: { description: 'History and forecast cover the whole period.', type: 'boolean' },
});

const BUDGET = object({
  id: text('Name of the budget.'),
  period: text('Period.'),
  amount: amount('What may be spent'),
  probability_over: number('Chance that more is spent, 0 to 1.'),
  expected_over: amount('By how much on average, nothing where it is not'),
  likely_crossing: nullable(text('First bucket at which it is expected to be spent.')),
});

const BACKTEST = object({
  origins: whole('Earlier days that were forecast from.'),
  horizon: whole('Buckets that they were forecast ahead.'),
  mae: amount('Mean absolute error'),
  wape: nullable(number('Sum of the errors divided by the sum of the cost.')),
  mase: nullable(number('Mean absolute error divided by that of the seasonal naive forecast within the history.')),
  smape: number('Symmetric mean absolute percentage error.'),
  naive2_mase: nullable(number('MASE of the naive forecast with the season (Naive 2).')),
  owa: nullable(number('Mean of MASE and sMAPE relative to Naive 2: below 1 is better.')),
  coverage_80: nullable(number('Share of the cost within intervals of 80 %.')),
  coverage_95: nullable(number('Share of the cost within intervals of 95 %.')),
  verdict: oneOfText('What it comes to.', ['better than naive', 'no better than naive']),
});

const FORECAST = {
  title: 'Forecast',
  ...object(
    {
      id: text('`total`, the name of the series, or the dimensions of the group.'),
      dimensions: { description: 'What it is about.', type: 'object', additionalProperties: { type: 'string' } },
      currency: text('ISO 4217.'),
      history: object({
        start: text('First bucket.'),
        end: text('Last bucket.'),
        buckets: whole('Buckets.'),
        gaps: whole('Those that had no value and were filled.'),
      }),
      method: oneOfText('How it was made.', ['combination', 'last-value', 'constant', 'zero']),
      weights: {
        description: `Method → its weight. Methods: ${METHODS.join(', ')}.`,
        type: 'object',
        additionalProperties: { type: 'number' },
      },
      seasons: list('Lengths of the cycles that were found, in buckets.', { type: 'integer' }),
      points: list('Each bucket to come.', POINT),
      totals: list('Periods that the forecast touches.', TOTAL),
      budgets: list('What becomes of the budgets.', BUDGET),
      backtest: { anyOf: [BACKTEST, { type: 'null' }] },
      reliability: oneOfText('How far to trust it.', ['high', 'medium', 'low', 'none']),
      notes: list('What was done to the history.', { type: 'string' }),
    },
    {
      actual: list(
        'Every bucket of the history.',
        object({ start: text('Start.'), value: nullable(amount('Cost; null where it is not known')) }),
      ),
    },
  ),
};

export const FORECAST_ANSWER = {
  title: 'Forecasts',
  ...object(
    {
      ...ENVELOPE,
      forecasts: list('The total first, then the parts, then what only budgets are about.', FORECAST),
      reconciliation: {
        anyOf: [
          object({
            method: oneOfText('Parts and total meet in the middle.', ['bottom-up-scaled']),
            max_adjustment_percent: number('Largest change of a bucket, in percent.'),
          }),
          { type: 'null' },
        ],
      },
      excluded: list(
        'Charges that are not part of it, by currency.',
        object({
          currency: text('ISO 4217.'),
          tax: amount('Taxes'),
          credit: amount('Credits'),
          adjustment: amount('Adjustments'),
          other: amount('Others'),
        }),
      ),
    },
    { charts: CHARTS },
  ),
};
