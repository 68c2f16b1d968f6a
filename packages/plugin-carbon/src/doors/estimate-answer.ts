import { ENVELOPE, list, number, object, oneOfText, text, whole } from '@bylaw/core/schemas';
import { PROVIDERS } from '@bylaw/core/workload';
import { FACTOR_CLASSES } from '../factors/index.js';

/** JSON Schemas of the answer. Members stand in the order of the JSON. */

const nullable = (schema: { readonly [keyword: string]: unknown }) => ({ ...schema, type: [schema['type'], 'null'] });

export const RANGED = object({ p5: number('Lower end.'), central: number('Estimate.'), p95: number('Upper end.') });
const ranged = (description: string) => ({ description, ...RANGED });

export const TOTAL = object({
  kg_co2e: ranged('Operational and embodied, in kg CO2e.'),
  operational: ranged('Of electricity, in kg CO2e.'),
  embodied: ranged('Of the making of the servers, in kg CO2e.'),
  energy_kwh: ranged('In kWh, with idle capacity and the building.'),
  location_based: ranged('Operational, by the grid of the place, in kg CO2e.'),
  market_based: nullable(ranged('Operational, by the electricity that was bought, in kg CO2e; null where that is not known.')),
});

const FACTOR = object({
  name: text('Name, with its unit.'),
  value: number('Value.'),
  low: number('Lower end of its range.'),
  high: number('Upper end.'),
  source: text('Where it comes from.'),
  year: nullable(whole('Year of the data.')),
  class: oneOfText('How well it is known.', FACTOR_CLASSES),
});

const ITEM = {
  title: 'CarbonItem',
  ...object({
    id: text('Identifier.'),
    source: oneOfText('Where it was read.', ['manifest', 'terraform', 'focus', 'usage']),
    provider: oneOfText('Provider.', PROVIDERS),
    region: text('Region; empty where none is known.'),
    instance_type: nullable(text('Type of the machine, where it is known.')),
    groups: { description: 'What reports group by.', type: 'object', additionalProperties: { type: 'string' } },
    quantity: object({
      replicas: number('Pods, machines or volumes.'),
      vcpu: number('vCPUs of all of them.'),
      memory_gb: number('GiB (2^30 bytes) of memory of all of them.'),
      gpu: number('GPUs of all of them.'),
      storage_gb: number('GB (10^9 bytes) of disks of all of them.'),
      hours: number('Hours of one.'),
    }),
    energy_kwh: object(
      {
        cpu: number('Processors, in kWh.'),
        memory: number('Memory.'),
        gpu: number('GPUs.'),
        storage: number('Disks.'),
        network: number('Transfer.'),
        overhead: number('Idle capacity that is kept for it, and the building.'),
      },
      { spend: number('All of it, where it follows from money.') },
    ),
    kg_co2e: object({
      p5: number('Lower end.'),
      central: number('Estimate.'),
      p95: number('Upper end.'),
      operational: number('Of electricity.'),
      embodied: number('Of the making of the servers.'),
    }),
    factors: list('All that it was computed with.', FACTOR),
    notes: list('What was assumed of it.', { type: 'string' }),
  }),
};

export const UNESTIMATED = list(
  'What is in the input and cannot be estimated.',
  object(
    { id: text('Identifier.'), reason: text('Why.') },
    { cost: object({ amount: number('What it costs.'), currency: text('ISO 4217.') }) },
  ),
);

const COMPARISON = object(
  {
    proposed: { description: 'Totals of the proposal.', ...TOTAL },
    delta_kg_co2e: ranged('Proposed less current, in kg CO2e.'),
    percent: nullable(ranged('The same in percent of the current; null where that is nothing.')),
    probability_lower: number('Share of the points at which the proposal emits less.'),
    per_item: list('By identifier.', object({ id: text('Identifier.'), delta_kg_co2e: RANGED })),
    items: list('Items of the proposal.', ITEM),
    unestimated: UNESTIMATED,
  },
  { sci_delta: ranged('Difference of the SCI, in grams per functional unit.') },
);

export const ESTIMATE_ANSWER = {
  title: 'CarbonEstimate',
  ...object(
    {
      ...ENVELOPE,
      period_hours: number('Length of the period.'),
      total: TOTAL,
      items: list('Sorted by their identifiers.', ITEM),
      unestimated: UNESTIMATED,
      coverage: object({
        by_items: nullable(number('Share of the items that were estimated.')),
        by_cost: nullable(number('Share of the cost of what was estimated; null where the input has no costs.')),
      }),
      uncertainty: object({
        level: whole('Percent of cases that the ranges hold.'),
        samples: whole('Points at which the estimate was computed.'),
        largest: list(
          'What makes the total uncertain, the most first.',
          object({ factor: text('Name.'), share_of_variance: number('0 to 1.') }),
        ),
      }),
    },
    {
      sci: object({
        value_g: number('Grams CO2e per functional unit.'),
        p5: number('Lower end.'),
        p95: number('Upper end.'),
        functional_unit: text('Name of the unit.'),
        boundary: list('Items that are part of it.', { type: 'string' }),
        method: oneOfText('How it was found.', ['calculated']),
      }),
      comparison: COMPARISON,
      notes: list('What holds for all of it.', { type: 'string' }),
    },
  ),
};
