import type { JsonSchema } from '../route.js';
import { list, number, object, text, whole } from './json-schema.js';

const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

const range = (description: string): JsonSchema => ({
  description,
  ...object({ p5: number('Lower end of the range.'), central: number('Estimate.'), p95: number('Upper end of the range.') }),
});

const money = (description: string): JsonSchema => ({
  description,
  ...object({
    amount: number('Amount per month of 730 hours.'),
    currency: text('Currency code (ISO 4217).'),
    low: number('Lower end of the range.'),
    high: number('Upper end of the range.'),
  }),
});

const notKnown = (description: string) => list(description, object({ id: text('Resource.'), reason: text('Why, and how to fix it.') }));

const UNAVAILABLE = object({ unavailable: text('Why the effect could not be computed.') });

const COMMON = {
  period_hours: number('Length of the period in hours.'),
  per_item_total: whole('Number of resources that differ.'),
  warnings: list('Warnings about the result.', { type: 'string' }),
  sources: list('Sources of the data.', { type: 'string' }),
};

const CARBON = {
  title: 'CarbonDifference',
  ...object({
    ...COMMON,
    current_kg_co2e: range('Emissions of the current configuration.'),
    proposed_kg_co2e: range('Emissions of the proposed configuration.'),
    delta_kg_co2e: range('Proposed minus current.'),
    percent: nullable(range('Proposed minus current, in percent of current; null if current is 0.')),
    probability_lower: number('Probability (0 to 1) that the proposed configuration emits less.'),
    per_item: list(
      'Resources that differ, the largest difference first.',
      object({ id: text('Resource.'), delta_kg_co2e: range('Proposed minus current.') }),
    ),
    unestimated: notKnown('Resources that differ and cannot be estimated.'),
    unestimated_total: whole('Number of these resources.'),
  }),
};

const COST = {
  title: 'CostDifference',
  ...object({
    ...COMMON,
    current: money('Cost of the current configuration.'),
    proposed: money('Cost of the proposed configuration.'),
    delta: money('Proposed minus current.'),
    percent: nullable(number('Proposed minus current, in percent of current; null if current is 0.')),
    per_item: list(
      'Resources that differ, the largest difference first.',
      object({ id: text('Resource.'), delta: money('Proposed minus current.'), price: text('Price that was used.') }),
    ),
    unpriced: notKnown('Resources that differ and have no known price.'),
    unpriced_total: whole('Number of these resources.'),
  }),
};

/** Members that plugins add: there where the plugin is. */
export const COMPARISON_ADDITIONS = {
  carbon: { description: 'Emissions per month, if the plugin carbon is installed.', anyOf: [CARBON, UNAVAILABLE] },
  cost: { description: 'Cost per month at list prices, if the plugin finops is installed.', anyOf: [COST, UNAVAILABLE] },
};
