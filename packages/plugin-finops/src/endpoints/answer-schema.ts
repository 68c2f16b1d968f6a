import { ENVELOPE, list, number, object, oneOfText, text, whole } from '@bylaw/core/schemas';
import { ANOMALY_SEVERITIES } from '../anomalies/anomaly.js';
import { CAUSES } from '../anomalies/causes.js';
import { KINDS } from '../anomalies/find-events.js';

/** JSON Schemas of the answers. Members are in the order of the JSON; amounts are in units of `currency`. */

const nullable = (schema: { readonly [keyword: string]: unknown }) => ({ ...schema, type: [schema.type, 'null'] });
const names = (description: string) => ({ description, type: 'object', additionalProperties: { type: 'string' } });
const amount = (description: string) => number(`${description}, in units of the currency.`);

const DRIVER = object({
  dimensions: names('Dimension values of the driver; empty for the whole monitored group.'),
  share: number('Share of the impact; above 1 if other parts decreased.'),
  score: number('How well the driver explains the anomaly, 0 to 1.'),
  actual: amount('Cost of the driver'),
  expected: amount('Expected cost of the driver'),
  resources: list(
    'Most expensive resources of the driver during the anomaly.',
    object({ id: text('Identifier.'), amount: amount('Cost') }),
  ),
});

const ANOMALY = {
  title: 'Anomaly',
  ...object(
    {
      id: text('Stable identifier of the event.'),
      monitor: list('Monitored dimensions; `*` is the total.', { type: 'string' }),
      dimensions: names('Dimension values of the anomaly.'),
      currency: text('Currency (ISO 4217).'),
      start: text('First bucket.'),
      end: text('Last bucket.'),
      status: oneOfText('Whether the anomaly is over, continues, is based on data that is not final, or was planned.', [
        'closed',
        'open',
        'provisional',
        'planned',
      ]),
      direction: oneOfText('Increase or decrease.', ['up', 'down']),
      kind: oneOfText('Kind of anomaly.', KINDS),
      severity: oneOfText('Severity, by how far the impact exceeds the minimum.', ANOMALY_SEVERITIES),
      actual: amount('Cost over its duration'),
      expected: amount('Expected cost over its duration'),
      lower: amount('Lower end of the usual range, summed over its buckets'),
      upper: amount('Upper end of the usual range, summed over its buckets'),
      impact: amount('Actual minus expected cost'),
      impact_percent: nullable(number('Impact in percent of the expected cost; null if the expected cost is zero.')),
      z: nullable(number('Largest deviation of a bucket, in multiples of the usual residual; null if a series starts or ends.')),
      p_value: nullable(number('Probability of such a deviation (Student t, 5 degrees of freedom, two-sided).')),
      detected_on: text('Bucket of the first alarm.'),
      causes: list(
        'Causes, largest first.',
        object({ kind: oneOfText('Cause.', CAUSES), share: number('Share of the impact.'), amount: amount('Amount of the cause') }),
      ),
      drivers: list('Parts of the cost that explain the anomaly, best explanation first.', DRIVER),
      covers: list('Identifiers of anomalies in other monitors that belong to the same event.', { type: 'string' }),
      explanation: text('Explanation in words.'),
    },
    { planned: text('Note of the planned event.') },
  ),
};

const BUCKET = object({
  start: text('Start of the bucket.'),
  actual: nullable(amount('Cost')),
  expected: nullable(amount('Expected cost')),
  lower: nullable(amount('Lower end of the usual range')),
  upper: nullable(amount('Upper end of the usual range')),
  z: nullable(number('Deviation in multiples of the usual residual.')),
  provisional: { description: 'Whether the data may still change.', type: 'boolean' },
});

const IMPACT = object({ amount: amount('Sum'), currency: text('Currency (ISO 4217).') });

/** Charts of an answer. */
export const CHARTS = list(
  'Standalone SVG charts. Series without a chart are listed in the warning `charts-left-out`.',
  object({
    id: text('Identifier of the series or forecast.'),
    currency: text('Currency (ISO 4217).'),
    title: text('Title of the chart.'),
    svg: text('Chart as SVG.'),
  }),
);

export const ANOMALIES_ANSWER = {
  title: 'Anomalies',
  ...object(
    {
      ...ENVELOPE,
      summary: object({
        series: whole('Number of monitored series.'),
        buckets: whole('Number of buckets with a value, over all currencies.'),
        anomalies: whole('Number of anomalies.'),
        impact: {
          description: 'Net impact of unplanned anomalies; null if there are several currencies.',
          anyOf: [IMPACT, { type: 'null' }],
        },
        impact_by_currency: list('Net impact of unplanned anomalies in each currency.', IMPACT),
        complete_through: nullable(text('Last bucket with final data.')),
      }),
      anomalies: list('Anomalies in chronological order.', ANOMALY),
      excluded: list(
        'Charges that are excluded from the analysis, by currency.',
        object({
          currency: text('Currency (ISO 4217).'),
          tax: amount('Taxes'),
          credit: amount('Credits'),
          adjustment: amount('Adjustments'),
          other: amount('Other charges'),
          corrections: object({
            rows: whole('Number of rows that correct earlier rows; they are included in the analysis.'),
            amount: amount('Sum of the corrections'),
          }),
        }),
      ),
      quality: object({
        series_too_short: whole('Number of series with too few values to check: fewer than 21 days, or three weeks of hours.'),
        gaps_filled: whole(
          'Number of gaps: buckets without a value between buckets with values. The values before a gap are used instead.',
        ),
        expected_false_alarms_per_series_year: nullable(
          number('Expected false alarms per year for a daily series, measured on synthetic bills; null for other granularities.'),
        ),
      }),
    },
    {
      series: list(
        'Every bucket of every monitored series.',
        object({
          id: text('Identifier.'),
          monitor: list('Dimensions.', { type: 'string' }),
          dimensions: names('Dimension values.'),
          currency: text('Currency (ISO 4217).'),
          buckets: list('Buckets in chronological order.', BUCKET),
        }),
      ),
      charts: CHARTS,
    },
  ),
};
