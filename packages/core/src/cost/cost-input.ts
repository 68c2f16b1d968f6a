import { CHARGE_CATEGORIES, METRICS, type Metric } from './cost-row.js';
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
    description: 'Cost over time, one or more series of one granularity.',
    type: 'array',
    minItems: 1,
    maxItems: 20_000,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['id', 'granularity', 'start', 'values'],
      properties: {
        id: { description: 'Name of the series, unique.', ...name },
        dimensions: {
          description: 'What the series belongs to: service, account, region, tag:team, …',
          type: 'object',
          maxProperties: 50,
          additionalProperties: { type: 'string', maxLength: 1000 },
        },
        granularity: { description: 'Length of a bucket.', enum: GRANULARITIES },
        start: { description: 'Start of the first bucket: a day, or an instant for hours.', ...instant },
        values: values('Cost of each bucket, in units of the currency; null where it is not known.', MOST_AMOUNT),
        quantity: values('Quantity priced in each bucket, as many as `values`.', MOST_QUANTITY),
        unit_price: values('Price of a unit in each bucket, as many as `values`.', MOST_QUANTITY),
      },
    },
  },
  focus_rows: {
    description: 'Rows of a FOCUS table (1.0 to 1.4), or of an export of AWS, Google Cloud or Azure.',
    type: 'array',
    minItems: 1,
    maxItems: 500_000,
    items: { type: 'object' },
  },
  focus_csv: { description: 'The same as CSV text with a header.', type: 'string', minLength: 1 },
  currency: {
    description: 'Currency of the answer (ISO 4217): of the amounts where the input names none, and of the sum where `fx` gives rates.',
    type: 'string',
    pattern: '^[A-Z][A-Z0-9_-]{1,19}$',
  },
  fx: {
    description: 'Worth of one unit of other currencies in that currency.',
    type: 'object',
    maxProperties: 200,
    additionalProperties: { type: 'number', exclusiveMinimum: 0 },
  },
  metric: { description: 'Column of the cost.', enum: METRICS, default: 'EffectiveCost' },
  group_by: {
    description: 'Dimensions to split by, beside service, account and region: `sku`, `provider`, `tag:team`, or a column.',
    type: 'array',
    maxItems: 20,
    uniqueItems: true,
    items: name,
  },
  granularity: { description: 'Length of the buckets that rows are added up in.', enum: GRANULARITIES, default: 'day' },
  timezone: { description: 'Zone of days and months (IANA).', default: 'UTC', ...name },
  as_of: { description: 'Up to where the data is known: a day or an instant. Absent: the end of the last bucket with data.', ...instant },
  settle_days: {
    description:
      'Days after its end in which the cost of a bucket may still change: by default 2 for days and weeks, a quarter for hours, 0 for months, and 0 for series without `as_of`.',
    type: 'number',
    minimum: 0,
    maximum: 366,
  },
  include_categories: {
    description: 'Categories of charges that count; the totals of the others are shown apart.',
    type: 'array',
    minItems: 1,
    uniqueItems: true,
    items: { enum: CHARGE_CATEGORIES },
    default: ['Usage', 'Purchase'],
  },
  recency: {
    description: 'Spans of time whose data is complete (FOCUS 1.3).',
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
