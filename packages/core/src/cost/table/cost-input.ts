import { CHARGE_CATEGORIES, METRICS, type Metric } from '../rows/cost-row.js';
import { GRANULARITIES, type Granularity } from './cost-table.js';

/** Cost over time as requests bring it: exactly one of `series`, `focus_rows` and `focus_csv`, and how to read it. */
export interface CostInput {
  series?: readonly PlainSeries[];
  focus_rows?: readonly { readonly [column: string]: unknown }[];
  focus_csv?: string;
  currency?: string;
  fx?: { readonly [currency: string]: number };
  metric?: Metric;
  group_by?: readonly string[];
  granularity?: Granularity;
  timezone?: string;
  /** Day or instant up to which the data is known. */
  as_of?: string;
  /** Days after the end of a bucket in which its cost may still change. */
  settle_days?: number;
  include_categories?: readonly string[];
  recency?: readonly { start: string; end: string; complete: boolean }[];
}

export interface PlainSeries {
  id: string;
  dimensions?: { readonly [name: string]: string };
  granularity: Granularity;
  /** Day or instant of the first value. */
  start: string;
  values: readonly (number | null)[];
  quantity?: readonly (number | null)[];
  unit_price?: readonly (number | null)[];
}

/** No bill has larger ones, in any currency or unit; beyond them sums lose cents. */
export const MOST_AMOUNT = 1e15;
export const MOST_QUANTITY = 1e30;

const name = { type: 'string', minLength: 1, maxLength: 200 } as const;
const instant = {
  type: 'string',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?$',
} as const;
const values = (description: string, most: number) => ({
  description,
  type: 'array',
  minItems: 1,
  maxItems: 100_000,
  items: { type: ['number', 'null'], minimum: -most, maximum: most },
});

/** JSON Schemas of the members, for the bodies of requests and the arguments of tools. */
export const COST_INPUT_SCHEMA = {
  series: {
    description: 'Cost over time: one or more series, all with the same granularity.',
    type: 'array',
    minItems: 1,
    maxItems: 20_000,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['id', 'granularity', 'start', 'values'],
      properties: {
        id: { description: 'Unique name of the series.', ...name },
        dimensions: {
          description: 'Dimensions of the series: service, account, region, tag:team, …',
          type: 'object',
          maxProperties: 50,
          additionalProperties: { type: 'string', maxLength: 1000 },
        },
        granularity: { description: 'Length of a bucket.', enum: GRANULARITIES },
        start: { description: 'Start of the first bucket: a date, or a timestamp for hourly data.', ...instant },
        values: values('Cost of each bucket, in units of the currency; null if unknown.', MOST_AMOUNT),
        quantity: values('Priced quantity of each bucket; must have as many entries as `values`.', MOST_QUANTITY),
        unit_price: values('Unit price of each bucket; must have as many entries as `values`.', MOST_QUANTITY),
      },
    },
  },
  focus_rows: {
    description: 'Rows of a FOCUS table (1.0 to 1.4), or of an AWS, Google Cloud or Azure cost export.',
    type: 'array',
    minItems: 1,
    maxItems: 500_000,
    items: { type: 'object' },
  },
  focus_csv: { description: 'The same rows as CSV text with a header.', type: 'string', minLength: 1 },
  currency: {
    description: 'Currency of the answer (ISO 4217): applies to amounts without a currency, and to the sum if `fx` gives exchange rates.',
    type: 'string',
    pattern: '^[A-Z][A-Z0-9_-]{1,19}$',
  },
  fx: {
    description: 'Exchange rates: the value of one unit of each other currency in `currency`.',
    type: 'object',
    maxProperties: 200,
    additionalProperties: { type: 'number', exclusiveMinimum: 0 },
  },
  metric: { description: 'Cost column to use.', enum: METRICS, default: 'EffectiveCost' },
  group_by: {
    description: 'Dimensions to split by, in addition to service, account and region: `sku`, `provider`, `tag:team`, or a column.',
    type: 'array',
    maxItems: 20,
    uniqueItems: true,
    items: name,
  },
  granularity: { description: 'Length of the buckets that rows are summed into.', enum: GRANULARITIES, default: 'day' },
  timezone: { description: 'Time zone of days and months (IANA name).', default: 'UTC', ...name },
  as_of: { description: 'Date or timestamp up to which the data is known. Default: the end of the last bucket with data.', ...instant },
  settle_days: {
    description:
      'Number of days after the end of a bucket during which its cost may still change. Default: 2 for days and weeks, 0.25 for hours, 0 for months, and 0 for series without `as_of`.',
    type: 'number',
    minimum: 0,
    maximum: 366,
  },
  include_categories: {
    description: 'Charge categories to include; the totals of the other categories are reported separately.',
    type: 'array',
    minItems: 1,
    uniqueItems: true,
    items: { enum: CHARGE_CATEGORIES },
    default: ['Usage', 'Purchase'],
  },
  recency: {
    description: 'Time spans, and whether their data is complete (FOCUS 1.3).',
    type: 'array',
    maxItems: 10_000,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['start', 'end', 'complete'],
      properties: { start: instant, end: instant, complete: { type: 'boolean' } },
    },
  },
} as const;

/** Schema keywords that say which members come together. */
export const ONE_COST_INPUT = [{ required: ['series'] }, { required: ['focus_rows'] }, { required: ['focus_csv'] }] as const;
