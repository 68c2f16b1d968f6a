import { ENVELOPE, list, number, object, oneOfText, text, whole } from '@bylaw/core/schemas';
import { PROVIDERS } from '@bylaw/core/workload';
import { FACTOR_CLASSES } from '../factors/index.js';

/** JSON Schemas of the answer. Members are in the order of the JSON. */

const nullable = (schema: { readonly [keyword: string]: unknown }) => ({ ...schema, type: [schema['type'], 'null'] });

export const RANGED = object({
  p5: number('Lower end of the range.'),
  central: number('Estimate.'),
  p95: number('Upper end of the range.'),
});
const rangeSchema = (description: string) => ({ description, ...RANGED });

export const TOTAL = object({
  kg_co2e: rangeSchema('Operational and embodied emissions, in kg CO2e.'),
  operational: rangeSchema('Operational emissions (electricity), in kg CO2e.'),
  embodied: rangeSchema('Embodied emissions of the servers, in kg CO2e.'),
  energy_kwh: rangeSchema('Energy in kWh, including idle capacity and PUE.'),
  location_based: rangeSchema('Location-based operational emissions, in kg CO2e.'),
  market_based: nullable(
    rangeSchema('Market-based operational emissions, in kg CO2e; null if the intensity of the purchased electricity is unknown.'),
  ),
});

const FACTOR = object({
  name: text('Name, including the unit.'),
  value: number('Value.'),
  low: number('Lower end of the range.'),
  high: number('Upper end of the range.'),
  source: text('Source of the value.'),
  year: nullable(whole('Year of the data.')),
  class: oneOfText('Quality of the value.', FACTOR_CLASSES),
});

const ITEM = {
  title: 'CarbonItem',
  ...object({
    id: text('Identifier.'),
    source: oneOfText('Input that the item comes from.', ['manifest', 'terraform', 'focus', 'usage']),
    provider: oneOfText('Provider.', PROVIDERS),
    region: text('Region; empty if unknown.'),
    instance_type: nullable(text('Instance type; null if unknown.')),
    groups: { description: 'Values of the dimensions that reports group by.', type: 'object', additionalProperties: { type: 'string' } },
    quantity: object({
      replicas: number('Number of pods, machines or volumes.'),
      vcpu: number('Total vCPUs.'),
      memory_gb: number('Total memory, in GiB (2^30 bytes).'),
      gpu: number('Total GPUs.'),
      storage_gb: number('Total disk storage, in GB (10^9 bytes).'),
      hours: number('Hours of each replica.'),
    }),
    energy_kwh: object(
      {
        cpu: number('Processors, in kWh.'),
        memory: number('Memory.'),
        gpu: number('GPUs.'),
        storage: number('Disks.'),
        network: number('Network transfer.'),
        overhead: number('Idle capacity reserved for the item, and PUE overhead.'),
      },
      { spend: number('Total energy, if derived from cost.') },
    ),
    kg_co2e: object({
      p5: number('Lower end of the range.'),
      central: number('Estimate.'),
      p95: number('Upper end of the range.'),
      operational: number('Operational emissions (electricity).'),
      embodied: number('Embodied emissions of the servers.'),
    }),
    factors: list('Factors used in the calculation.', FACTOR),
    notes: list('Assumptions about the item.', { type: 'string' }),
  }),
};

export const UNESTIMATED = list(
  'Parts of the input that cannot be estimated.',
  object(
    { id: text('Identifier.'), reason: text('Reason.') },
    { cost: object({ amount: number('Cost.'), currency: text('Currency (ISO 4217).') }) },
  ),
);

const COMPARISON = object(
  {
    proposed: { description: 'Totals of the proposal.', ...TOTAL },
    delta_kg_co2e: rangeSchema('Proposed minus current, in kg CO2e.'),
    percent: nullable(rangeSchema('Difference in percent of the current total; null if that is zero.')),
    probability_lower: number('Share of sample points at which the proposal emits less, 0 to 1.'),
    per_item: list('Difference per item.', object({ id: text('Identifier.'), delta_kg_co2e: RANGED })),
    items: list('Items of the proposal.', ITEM),
    unestimated: UNESTIMATED,
  },
  { sci_delta: rangeSchema('Difference in SCI, in grams per functional unit.') },
);

export const ESTIMATE_ANSWER = {
  title: 'CarbonEstimate',
  ...object(
    {
      ...ENVELOPE,
      period_hours: number('Length of the period, in hours.'),
      total: TOTAL,
      items: list('Items, sorted by identifier.', ITEM),
      unestimated: UNESTIMATED,
      coverage: object({
        by_items: nullable(number('Share of the items that were estimated, 0 to 1.')),
        by_cost: nullable(number('Share of the cost that was estimated, 0 to 1; null if the input has no costs.')),
      }),
      uncertainty: object({
        level: whole('Level of the ranges, in percent.'),
        samples: whole('Number of sample points.'),
        largest: list(
          'Largest sources of uncertainty, largest first.',
          object({ factor: text('Name of the factor.'), share_of_variance: number('Share of the variance, 0 to 1.') }),
        ),
      }),
    },
    {
      sci: object({
        value_g: number('Grams CO2e per functional unit.'),
        p5: number('Lower end of the range.'),
        p95: number('Upper end of the range.'),
        functional_unit: text('Name of the functional unit.'),
        boundary: list('Items included in the SCI.', { type: 'string' }),
        method: oneOfText('How the SCI was determined.', ['calculated']),
      }),
      comparison: COMPARISON,
      notes: list('Notes about the whole estimate.', { type: 'string' }),
    },
  ),
};
