import { ENVELOPE, list, number, object, oneOfText, text, whole } from '@bylaw/core/schemas';
import { PROVIDERS } from '@bylaw/core/workload';
import { REDUCTION_KINDS } from '../report/index.js';
import { RANGED, TOTAL, UNESTIMATED } from './estimate-answer.js';

/** JSON Schemas of the answer. Members are in the order of the JSON. */

const nullable = (schema: { readonly [keyword: string]: unknown }) => ({ ...schema, type: [schema['type'], 'null'] });
const rangeSchema = (description: string) => ({ description, ...RANGED });
const strings = (description: string) => list(description, { type: 'string' });

const EFFECTS = {
  activity: number('Change in the amount used: unit-hours, GB-hours or GB.'),
  efficiency: number('Change in kWh per unit.'),
  grid: number('Change in kg CO2e per kWh.'),
  embodied: number('Change in the embodied emissions of the servers.'),
};

const CHANGE = object({
  baseline_kg_co2e: rangeSchema('Emissions of the baseline.'),
  delta_kg_co2e: rangeSchema('Current emissions minus the baseline.'),
  percent: nullable(number('Difference in percent of the baseline; null if the baseline is zero.')),
  probability_lower: nullable(number('Share of sample points at which emissions are lower now, 0 to 1; null for saved answers.')),
  effects: { description: 'Effects that add up to the central difference, in kg CO2e (LMDI-I).', ...object(EFFECTS) },
  items: object({
    new: whole('Items that are new.'),
    gone: whole('Items that are only in the baseline.'),
    both: whole('Items that are in both.'),
  }),
  largest: list(
    'The ten items with the largest change.',
    object({ id: text('Identifier.'), delta_kg_co2e: number('Change.'), ...EFFECTS }),
  ),
});

const TARGET = object({
  kg_co2e: number('Target, in kg CO2e.'),
  percent: nullable(number('Target as a reduction in percent of the baseline; null if given in kg CO2e.')),
  met: { description: 'Whether the central estimate is at or below the target.', type: 'boolean' },
  distance_kg_co2e: number('Distance to the target, in kg CO2e; positive if emissions are above it.'),
  required_reduction_percent: number('Reduction needed to meet the target, in percent of current emissions.'),
  probability_met: nullable(number('Share of sample points at which the target is met, 0 to 1; null for saved answers.')),
});

const REDUCTION = object({
  kind: oneOfText('Kind of reduction.', REDUCTION_KINDS),
  title: text('Title of the reduction.'),
  from: text('Current state.'),
  to: text('Proposed state.'),
  items: strings('Identifiers of the items.'),
  delta_kg_co2e: rangeSchema('Change in emissions over the period, in kg CO2e.'),
  percent_of_total: number('Change in percent of the total.'),
  probability_lower: number('Share of sample points at which emissions decrease, 0 to 1.'),
  note: text('What the reduction requires, and what the estimate does not consider.'),
});

const SCOPE = object({
  scope: { description: 'Scope of the GHG Protocol.', enum: [2, 3] },
  category: { description: 'Category of Scope 3; null for Scope 2.', enum: [1, 2, null] },
  name: text('Name of the line.'),
  kg_co2e: object({
    p5: nullable(number('Lower end of the range; null if a saved answer does not include it.')),
    central: number('Location-based estimate.'),
    p95: nullable(number('Upper end of the range; null if a saved answer does not include it.')),
  }),
  market_based_kg_co2e: nullable(number('Market-based estimate; null if unknown, or if the line includes no electricity.')),
});

export const REPORT_ANSWER = {
  title: 'CarbonReport',
  ...object(
    {
      ...ENVELOPE,
      title: text('Title.'),
      periods: list(
        'Periods in chronological order.',
        object({
          start: nullable(text('Start of the period; null if none was given.')),
          end: nullable(text('End of the period, exclusive; null if none was given.')),
          hours: number('Hours that were estimated.'),
          items: whole('Number of items.'),
          kg_co2e: rangeSchema('Emissions, in kg CO2e.'),
          energy_kwh: rangeSchema('Electricity, in kWh.'),
        }),
      ),
      total: TOTAL,
      scopes: list('Lines of a GHG Protocol inventory.', SCOPE),
      groups: list(
        'A table for each dimension, the largest group first.',
        object({
          by: text('Dimension.'),
          rows: list(
            'Groups.',
            object({
              name: text('Value of the dimension; empty for items without one.'),
              items: whole('Number of items.'),
              kg_co2e: rangeSchema('Emissions, in kg CO2e.'),
              operational: number('Operational emissions (electricity), in kg CO2e.'),
              embodied: number('Embodied emissions of the servers, in kg CO2e.'),
              energy_kwh: number('Electricity, in kWh.'),
              share_percent: number('Share of the total, in percent.'),
            }),
          ),
        }),
      ),
      top_items: list(
        'The ten items with the highest emissions.',
        object({
          id: text('Identifier.'),
          provider: oneOfText('Provider.', PROVIDERS),
          region: text('Region.'),
          instance_type: nullable(text('Instance type; null if unknown.')),
          kg_co2e: rangeSchema('Emissions, in kg CO2e.'),
          energy_kwh: number('Electricity, in kWh.'),
          share_percent: number('Share of the total, in percent.'),
        }),
      ),
      reductions: nullable(list('Possible reductions, each estimated separately; null for saved answers.', REDUCTION)),
      uncertainty: object({
        level: whole('Level of the ranges, in percent.'),
        samples: nullable(whole('Number of sample points; null for saved answers.')),
        causes: list(
          'Total emissions at the extremes of each factor, strongest factor first.',
          object({
            factor: text('Name of the factor.'),
            low_kg_co2e: number('Total if the factor is in its lowest tenth.'),
            high_kg_co2e: number('Total if the factor is in its highest tenth.'),
          }),
        ),
      }),
      method: strings('How the figures were calculated.'),
      factors: list(
        'Factors used in the calculation.',
        object({
          name: text('Name, including the unit.'),
          source: text('Source.'),
          year: nullable(whole('Year of the data.')),
          licence: nullable(text('Licence (SPDX identifier).')),
          class: text('Quality of the value.'),
          least: number('Smallest value.'),
          most: number('Largest value.'),
          items: whole('Number of items that use the factor.'),
        }),
      ),
      unestimated: UNESTIMATED,
      not_counted: strings('What the figures do not cover.'),
      attribution: strings('Attributions to include wherever the figures are published.'),
    },
    {
      sci: object({
        value_g: number('Grams CO2e per functional unit.'),
        p5: number('Lower end of the range.'),
        p95: number('Upper end of the range.'),
        functional_unit: text('Name of the functional unit.'),
      }),
      change: CHANGE,
      target: TARGET,
    },
  ),
};

/** In place of the report, where another format is requested. */
export const RENDERED_ANSWER = {
  title: 'RenderedReport',
  ...object(
    {
      content_type: text('Media type.'),
      content: text('Content of the report.'),
      sha256: text('SHA-256 digest of the UTF-8 bytes of `content`.'),
    },
    { target: TARGET },
  ),
};
