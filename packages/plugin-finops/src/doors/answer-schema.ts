import { ENVELOPE, list, number, object, oneOfText, text, whole } from '@bylaw/core/schemas';
import { CAUSES } from '../anomalies/causes.js';
import { KINDS } from '../anomalies/find-events.js';
import { ANOMALY_SEVERITIES } from '../anomalies/severity.js';

/** JSON Schemas of the answers. Members stand in the order of the JSON; amounts are in units of `currency`. */

const nullable = (schema: { readonly [keyword: string]: unknown }) => ({ ...schema, type: [schema.type, 'null'] });
const names = (description: string) => ({ description, type: 'object', additionalProperties: { type: 'string' } });
const amount = (description: string) => number(`${description}, in units of the currency.`);

const DRIVER = object({
  dimensions: names('Values that the part has in common; empty: the whole of what is watched.'),
  share: number('Part of the difference that it makes; above 1 where others fell.'),
  score: number('How much of what is unusual it explains, 0 to 1.'),
  actual: amount('Its cost'),
  expected: amount('Its expected cost'),
  resources: list('Its dearest resources in the time of the anomaly.', object({ id: text('Identifier.'), amount: amount('Cost') })),
});

const ANOMALY = {
  title: 'Anomaly',
  ...object(
    {
      id: text('The same whenever the same event is found.'),
      monitor: list('Dimensions by which it was found; `*` is the total.', { type: 'string' }),
      dimensions: names('What it is about.'),
      currency: text('ISO 4217.'),
      start: text('First bucket.'),
      end: text('Last bucket.'),
      status: oneOfText('Whether it is over, goes on, rests on data that is not final, or was planned.', [
        'closed',
        'open',
        'provisional',
        'planned',
      ]),
      direction: oneOfText('Dearer or cheaper.', ['up', 'down']),
      kind: oneOfText('Form.', KINDS),
      severity: oneOfText('By how much it passes the least impact.', ANOMALY_SEVERITIES),
      actual: amount('Cost over its time'),
      expected: amount('Expected cost'),
      lower: amount('Lower end of what is usual: those of its buckets, added up'),
      upper: amount('Upper end'),
      impact: amount('Actual less expected'),
      impact_percent: nullable(number('The same in percent; null where nothing was expected.')),
      z: nullable(number('Distance of its furthest bucket in usual residuals; null where a series begins or ends.')),
      p_value: nullable(number('Chance of such a distance (Student t, 5 degrees of freedom, two-sided).')),
      detected_on: text('Bucket of the first alarm.'),
      causes: list(
        'Why, the largest first.',
        object({ kind: oneOfText('Cause.', CAUSES), share: number('Part of the difference.'), amount: amount('Its amount') }),
      ),
      drivers: list('Where it comes from, the best explanation first.', DRIVER),
      covers: list('Identifiers of anomalies of other monitors that are the same event.', { type: 'string' }),
      explanation: text('The same in words.'),
    },
    { planned: text('Note of the planned event.') },
  ),
};

const BUCKET = object({
  start: text('Start.'),
  actual: nullable(amount('Cost')),
  expected: nullable(amount('Expected')),
  lower: nullable(amount('Lower end')),
  upper: nullable(amount('Upper end')),
  z: nullable(number('Distance in usual residuals.')),
  provisional: { description: 'The data may still change.', type: 'boolean' },
});

const IMPACT = object({ amount: amount('Sum'), currency: text('ISO 4217.') });

/** Charts of an answer. */
export const CHARTS = list(
  'SVG texts that need no page; where there are more series, a warning (`charts-left-out`) names those without one.',
  object({
    id: text('Identifier of what it shows.'),
    currency: text('ISO 4217.'),
    title: text('Name of what it shows.'),
    svg: text('The chart.'),
  }),
);

export const ANOMALIES_ANSWER = {
  title: 'Anomalies',
  ...object(
    {
      ...ENVELOPE,
      summary: object({
        series: whole('Series that were watched.'),
        buckets: whole('Their buckets with a value.'),
        anomalies: whole('Anomalies.'),
        impact: {
          description: 'What those that were not planned cost beyond the expected; null where there are several currencies.',
          anyOf: [IMPACT, { type: 'null' }],
        },
        impact_by_currency: list('The same in each currency.', IMPACT),
        complete_through: nullable(text('Last bucket that is final.')),
      }),
      anomalies: list('In the order of time.', ANOMALY),
      excluded: list(
        'Charges that are not part of it, by currency.',
        object({
          currency: text('ISO 4217.'),
          tax: amount('Taxes'),
          credit: amount('Credits'),
          adjustment: amount('Adjustments'),
          other: amount('Others'),
          corrections: object({ rows: whole('Rows that correct earlier ones; they are part of it.'), amount: amount('Their sum') }),
        }),
      ),
      quality: object({
        series_too_short: whole('Series with too few values to be judged: 21 days, or three weeks of hours.'),
        gaps_filled: whole('Buckets without a value between others: what came before them stands for them.'),
        expected_false_alarms_per_series_year: nullable(
          number('Of a daily series, as measured on synthetic bills; null for other granularities.'),
        ),
      }),
    },
    {
      series: list(
        'Every bucket of every watched series.',
        object({
          id: text('Identifier.'),
          monitor: list('Dimensions.', { type: 'string' }),
          dimensions: names('Their values.'),
          currency: text('ISO 4217.'),
          buckets: list('In the order of time.', BUCKET),
        }),
      ),
      charts: CHARTS,
    },
  ),
};
