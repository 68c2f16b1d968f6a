import { PROVIDERS } from '@bylaw/core/workload';
import { DIMENSIONS, REPORT_FORMATS } from '../report/index.js';
import { ESTIMATE_BODY_SCHEMA, ESTIMATE_MEMBERS } from './estimate-schema.js';

const { compare, ...INPUT_MEMBERS } = ESTIMATE_MEMBERS;

/** Up to more than any answer holds; sums of a million are finite. */
const amount = { type: 'number', minimum: 0, maximum: 1e150 } as const;
const name = { type: 'string' } as const;
const record = (required: { readonly [name: string]: object }, optional: { readonly [name: string]: object } = {}) =>
  ({ type: 'object', required: Object.keys(required), properties: { ...required, ...optional } }) as const;
const rangeSchema = record({ p5: amount, central: amount, p95: amount });

/** What a report reads of a saved answer; what else it holds is passed over, as later versions may hold more. */
const SAVED = record(
  {
    schema: { const: 'carbon.estimate/v1' },
    period_hours: { ...amount, exclusiveMinimum: 0 },
    total: record({
      ...{ kg_co2e: rangeSchema, operational: rangeSchema, embodied: rangeSchema, energy_kwh: rangeSchema, location_based: rangeSchema },
      market_based: { ...rangeSchema, type: ['object', 'null'] },
    }),
    items: {
      type: 'array',
      maxItems: 1_000_000,
      items: record({
        id: name,
        source: { enum: ['manifest', 'terraform', 'focus', 'usage'] },
        provider: { enum: PROVIDERS },
        region: name,
        instance_type: { ...name, type: ['string', 'null'] },
        groups: { type: 'object', additionalProperties: { type: 'string' } },
        quantity: record({ replicas: amount, vcpu: amount, memory_gb: amount, gpu: amount, storage_gb: amount, hours: amount }),
        energy_kwh: {
          ...record({ cpu: amount, memory: amount, gpu: amount, storage: amount, network: amount, overhead: amount }, { spend: amount }),
          additionalProperties: false,
        },
        kg_co2e: record({ p5: amount, central: amount, p95: amount, operational: amount, embodied: amount }),
        factors: {
          type: 'array',
          maxItems: 100,
          items: record({
            ...{ name, value: amount, source: name, year: { type: ['integer', 'null'] }, class: name },
          }),
        },
      }),
    },
    unestimated: { type: 'array', maxItems: 1_000_000, items: record({ id: name, reason: name }) },
    data: {
      type: 'object',
      maxProperties: 20,
      additionalProperties: record({ version: name, sha256: name, licence: name, attribution: name }),
    },
  },
  { notes: { type: 'array', maxItems: 100, items: name } },
);

/** A saved answer has a `schema`, which no request has: each is held against its own form only, so that its errors are its own. */
const SOURCE = {
  type: 'object',
  if: { required: ['schema'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, and no promise.
  then: SAVED,
  else: { additionalProperties: false, anyOf: ESTIMATE_BODY_SCHEMA.anyOf, properties: INPUT_MEMBERS },
} as const;

const day = {
  description: 'UTC date or timestamp, such as `2026-01-01` or `2026-01-01T00:00:00Z`.',
  type: 'string',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2})?Z)?$',
} as const;

const PERIOD = { start: { ...day }, end: { ...day, description: 'End of the period, exclusive: a UTC date or timestamp.' } } as const;

/** JSON Schemas of the members, for the bodies of requests and the arguments of tools. */
export const REPORT_MEMBERS = {
  ...INPUT_MEMBERS,
  estimate: { description: 'An estimate request or a saved answer, instead of the members of an estimate.', ...SOURCE },
  periods: {
    description: 'Several estimates, each with its own period. Periods must not overlap.',
    type: 'array',
    minItems: 1,
    maxItems: 120,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['start', 'end', 'estimate'],
      properties: { ...PERIOD, estimate: { description: 'An estimate request or a saved answer.', ...SOURCE } },
    },
  },
  period: {
    description: 'Period of the report. If `period_hours` is absent, the report uses the length of the period.',
    type: 'object',
    additionalProperties: false,
    required: ['start', 'end'],
    properties: PERIOD,
  },
  format: {
    description: 'Format of the answer. All formats except `json` are returned as text within the JSON.',
    enum: REPORT_FORMATS,
    default: 'json',
  },
  group_by: {
    description: 'Dimensions to group by, with a table for each. Default: those of service, region and namespace that any item has.',
    type: 'array',
    minItems: 1,
    maxItems: 10,
    items: { type: 'string', maxLength: 300, pattern: `^(?:${DIMENSIONS.join('|')}|tag:.+)$` },
  },
  baseline: { description: 'Baseline to compare with: an estimate request or a saved answer.', ...SOURCE },
  target: {
    description: 'Target: a maximum in kg CO2e, or a reduction from the baseline in percent.',
    type: 'object',
    oneOf: [{ required: ['kg_co2e'] }, { required: ['percent'] }],
    additionalProperties: false,
    properties: {
      kg_co2e: { description: 'Maximum for all periods together, in kg CO2e.', type: 'number', minimum: 0 },
      percent: { description: 'Reduction from the baseline, in percent.', type: 'number', minimum: 0, maximum: 100 },
    },
  },
  title: { description: 'Title of the report. Default: Carbon report.', type: 'string', minLength: 1, maxLength: 200 },
} as const;

/** The body of `POST /api/v1/carbon/report`. */
export const REPORT_BODY_SCHEMA = {
  title: 'CarbonReportRequest',
  type: 'object',
  additionalProperties: false,
  anyOf: [...ESTIMATE_BODY_SCHEMA.anyOf, { required: ['estimate'] }, { required: ['periods'] }],
  properties: REPORT_MEMBERS,
} as const;
