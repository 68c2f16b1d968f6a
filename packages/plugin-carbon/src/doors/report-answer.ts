import { ENVELOPE, list, number, object, oneOfText, text, whole } from '@bylaw/core/schemas';
import { PROVIDERS } from '@bylaw/core/workload';
import { REDUCTION_KINDS } from '../report/index.js';
import { RANGED, TOTAL, UNESTIMATED } from './estimate-answer.js';

/** JSON Schemas of the answer. Members stand in the order of the JSON. */

const nullable = (schema: { readonly [keyword: string]: unknown }) => ({ ...schema, type: [schema['type'], 'null'] });
const ranged = (description: string) => ({ description, ...RANGED });
const strings = (description: string) => list(description, { type: 'string' });

const EFFECTS = {
  activity: number('More or less of it: unit-hours, GB-hours or GB.'),
  efficiency: number('kWh per unit.'),
  grid: number('kg per kWh.'),
  embodied: number('Making of the servers.'),
};

const CHANGE = object({
  baseline_kg_co2e: ranged('The baseline.'),
  delta_kg_co2e: ranged('Now less the baseline.'),
  percent: nullable(number('The same in percent of the baseline; null where that is nothing.')),
  probability_lower: nullable(number('Share of the points at which there is less now; null for saved answers.')),
  effects: { description: 'Parts of the central difference, in kg CO2e (LMDI-I).', ...object(EFFECTS) },
  items: object({ new: whole('Only now.'), gone: whole('Only in the baseline.'), both: whole('In both.') }),
  largest: list('The ten that changed most.', object({ id: text('Identifier.'), delta_kg_co2e: number('Change.'), ...EFFECTS })),
});

const TARGET = object({
  kg_co2e: number('What was aimed for.'),
  percent: nullable(number('Of the baseline, where it was given so.')),
  met: { description: 'Whether the central estimate is at or below it.', type: 'boolean' },
  distance_kg_co2e: number('Above the target where positive.'),
  required_reduction_percent: number('Of what is emitted now.'),
  probability_met: nullable(number('Share of the points at which it is met; null for saved answers.')),
});

const REDUCTION = object({
  kind: oneOfText('What would be done.', REDUCTION_KINDS),
  title: text('In words.'),
  from: text('What is there now.'),
  to: text('What would be.'),
  items: strings('Identifiers.'),
  delta_kg_co2e: ranged('What it would change in the period.'),
  percent_of_total: number('The same in percent of the total.'),
  probability_lower: number('Share of the points at which it emits less.'),
  note: text('What it takes, and what is not looked at.'),
});

const SCOPE = object({
  scope: { description: 'Of the GHG Protocol.', enum: [2, 3] },
  category: { description: 'Of Scope 3.', enum: [1, 2, null] },
  name: text('In words.'),
  kg_co2e: object({
    p5: nullable(number('Lower end; null where a saved answer does not say it.')),
    central: number('Estimate; location-based.'),
    p95: nullable(number('Upper end.')),
  }),
  market_based_kg_co2e: nullable(number('Market-based; null where it is not known, or there is no electricity in it.')),
});

export const REPORT_ANSWER = {
  title: 'CarbonReport',
  ...object(
    {
      ...ENVELOPE,
      title: text('Title.'),
      periods: list(
        'In the order of time.',
        object({
          start: nullable(text('First instant.')),
          end: nullable(text('First instant after it.')),
          hours: number('Hours that were estimated.'),
          items: whole('Items.'),
          kg_co2e: ranged('Emissions.'),
          energy_kwh: ranged('Electricity.'),
        }),
      ),
      total: TOTAL,
      scopes: list('Lines of an inventory by the GHG Protocol.', SCOPE),
      groups: list(
        'A table for each dimension, the largest group first.',
        object({
          by: text('Dimension.'),
          rows: list(
            'Groups.',
            object({
              name: text('Value; empty for items that have none.'),
              items: whole('Items.'),
              kg_co2e: ranged('Emissions.'),
              operational: number('Of electricity.'),
              embodied: number('Of the making of the servers.'),
              energy_kwh: number('Electricity.'),
              share_percent: number('Of the total.'),
            }),
          ),
        }),
      ),
      top_items: list(
        'The ten that emit most.',
        object({
          id: text('Identifier.'),
          provider: oneOfText('Provider.', PROVIDERS),
          region: text('Region.'),
          instance_type: nullable(text('Type of the machine.')),
          kg_co2e: ranged('Emissions.'),
          energy_kwh: number('Electricity.'),
          share_percent: number('Of the total.'),
        }),
      ),
      reductions: nullable(list('What would emit less, each alone; null for saved answers.', REDUCTION)),
      uncertainty: object({
        level: whole('Percent of cases that the ranges hold.'),
        samples: nullable(whole('Points; null for saved answers.')),
        causes: list(
          'The total at the ends of single factors, the strongest first.',
          object({
            factor: text('Name.'),
            low_kg_co2e: number('Among its lowest tenth.'),
            high_kg_co2e: number('Among its highest tenth.'),
          }),
        ),
      }),
      method: strings('How it was computed.'),
      factors: list(
        'What it was computed with.',
        object({
          name: text('Name, with its unit.'),
          source: text('Source.'),
          year: nullable(whole('Year of the data.')),
          licence: nullable(text('SPDX.')),
          class: text('How well it is known.'),
          least: number('Smallest value.'),
          most: number('Largest value.'),
          items: whole('Items that it was used for.'),
        }),
      ),
      unestimated: UNESTIMATED,
      not_counted: strings('What no figure holds.'),
      attribution: strings('To be named wherever the figures are published.'),
    },
    {
      sci: object({
        value_g: number('Grams CO2e per functional unit.'),
        p5: number('Lower end.'),
        p95: number('Upper end.'),
        functional_unit: text('Name of the unit.'),
      }),
      change: CHANGE,
      target: TARGET,
    },
  ),
};

/** In place of the report, where another format is asked for. */
export const RENDERED_ANSWER = {
  title: 'RenderedReport',
  ...object(
    {
      content_type: text('Media type.'),
      content: text('The report.'),
      sha256: text('Digest of its bytes in UTF-8.'),
    },
    { target: TARGET },
  ),
};
