import { ENVELOPE, list, number, object, oneOfText, text, whole } from '@bylaw/core/schemas';
import { METHODS } from '../forecast/index.js';
import { CHARTS } from './answer-schema.js';

/** JSON Schema of the answer. Members are in the order of the JSON; amounts are in units of `currency`. */

const nullable = (schema: { readonly [keyword: string]: unknown }) => ({ ...schema, type: [schema.type, 'null'] });
const amount = (description: string) => number(`${description}, in units of the currency.`);

/** Members and, beside them, a lower and an upper bound for every level. */
const bounded = (members: Parameters<typeof object>[0]) => ({
  ...object(members),
  patternProperties: { '^(lower|upper)_[0-9]{2}$': amount('Bound of the prediction interval with that level') },
});

const POINT = bounded({ start: text('Start of the bucket.'), mean: amount('Expected cost') });

const TOTAL = bounded({
  period: text('Month (`2026-05`), quarter (`2026-Q2`) or year.'),
  actual_to_date: amount('Known cost'),
  forecast_rest: amount('Forecast of the remaining cost'),
  total: amount('Sum of the known and the forecast cost'),
  complete: { description: 'Whether history and forecast cover the whole period.', type: 'boolean' },
});

const BUDGET = object({
  id: text('Name of the budget.'),
  period: text('Period.'),
  amount: amount('Amount of the budget'),
  probability_over: number('Chance of exceeding the budget, 0 to 1.'),
  expected_over: amount('Expected overrun, counting 0 if the budget is not exceeded'),
  likely_crossing: nullable(text('First bucket in which the expected cost exceeds the budget; null if it does not.')),
});

const BACKTEST = object({
  origins: whole('Number of earlier start dates.'),
  horizon: whole('Forecast horizon of the backtest, in buckets.'),
  mae: amount('Mean absolute error'),
  wape: nullable(number('Sum of absolute errors divided by the sum of the cost (WAPE).')),
  mase: nullable(number('Mean absolute error divided by that of the seasonal naive forecast within the history (MASE).')),
  smape: number('Symmetric mean absolute percentage error.'),
  naive2_mase: nullable(number('MASE of the seasonally adjusted naive forecast (Naive 2).')),
  owa: nullable(number('Mean of MASE and sMAPE relative to Naive 2: below 1 is better.')),
  coverage_80: nullable(number('Share of actual values within the 80 % intervals.')),
  coverage_95: nullable(number('Share of actual values within the 95 % intervals.')),
  verdict: oneOfText('Result of the backtest.', ['better than naive', 'no better than naive']),
});

const FORECAST = {
  title: 'Forecast',
  ...object(
    {
      id: text('`total`, the name of the series, or the dimensions of the group.'),
      dimensions: { description: 'Dimension values of the forecast.', type: 'object', additionalProperties: { type: 'string' } },
      currency: text('Currency (ISO 4217).'),
      history: object({
        start: text('First bucket.'),
        end: text('Last bucket.'),
        buckets: whole('Number of buckets.'),
        gaps: whole('Number of buckets without a value, which were filled.'),
      }),
      method: oneOfText('Forecast method.', ['combination', 'last-value', 'constant', 'zero']),
      weights: {
        description: `Weight of each method. Methods: ${METHODS.join(', ')}.`,
        type: 'object',
        additionalProperties: { type: 'number' },
      },
      seasons: list('Lengths of the detected cycles, in buckets.', { type: 'integer' }),
      points: list('Forecast buckets.', POINT),
      totals: list('Totals of the periods that the forecast overlaps.', TOTAL),
      budgets: list('Budget outlooks.', BUDGET),
      backtest: { anyOf: [BACKTEST, { type: 'null' }] },
      reliability: oneOfText('Reliability of the forecast.', ['high', 'medium', 'low', 'none']),
      notes: list('Notes on how the history was prepared.', { type: 'string' }),
    },
    {
      actual: list(
        'Every bucket of the history.',
        object({ start: text('Start of the bucket.'), value: nullable(amount('Cost; null if unknown')) }),
      ),
    },
  ),
};

export const FORECAST_ANSWER = {
  title: 'Forecasts',
  ...object(
    {
      ...ENVELOPE,
      forecasts: list('Forecasts: the total first, then the parts, then those that exist only for a budget.', FORECAST),
      reconciliation: {
        anyOf: [
          object({
            method: oneOfText('Reconciliation method.', ['bottom-up-scaled']),
            max_adjustment_percent: number('Largest adjustment of a bucket, in percent.'),
          }),
          { type: 'null' },
        ],
      },
      excluded: list(
        'Charges that are excluded from the analysis, by currency.',
        object({
          currency: text('Currency (ISO 4217).'),
          tax: amount('Taxes'),
          credit: amount('Credits'),
          adjustment: amount('Adjustments'),
          other: amount('Other charges'),
        }),
      ),
    },
    { charts: CHARTS },
  ),
};
