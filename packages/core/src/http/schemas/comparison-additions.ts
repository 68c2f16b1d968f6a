import type { JsonSchema } from '../route.js';
import { list, number, object, text, whole } from './json-schema.js';

const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

const range = (description: string): JsonSchema => ({
  description,
  ...object({ p5: number('Lower end.'), central: number('Estimate.'), p95: number('Upper end.') }),
});

const money = (description: string): JsonSchema => ({
  description,
  ...object({
    amount: number('Per month of 730 hours.'),
    currency: text('ISO 4217.'),
    low: number('Lower end.'),
    high: number('Upper end.'),
  }),
});

const notKnown = (description: string) => list(description, object({ id: text('Resource.'), reason: text('Why, and how to mend it.') }));

const UNAVAILABLE = object({ unavailable: text('Why it could not be computed.') });

const COMMON = {
  period_hours: number('Length of the period.'),
  per_item_total: whole('How many differ.'),
  warnings: list('What to know besides.', { type: 'string' }),
  sources: list('Where the data is from.', { type: 'string' }),
};

const CARBON = {
  title: 'CarbonDifference',
  ...object({
    ...COMMON,
    current_kg_co2e: range('Of the current configuration.'),
    proposed_kg_co2e: range('Of the proposed one.'),
    delta_kg_co2e: range('Proposed less current.'),
    percent: nullable(range('The same in percent of the current; null where that is nothing.')),
    probability_lower: number('Share of the cases in which the proposal emits less.'),
    per_item: list('What differs, the largest first.', object({ id: text('Resource.'), delta_kg_co2e: range('Proposed less current.') })),
    unestimated: notKnown('What differs and cannot be estimated.'),
    unestimated_total: whole('How many of these there are.'),
  }),
};

const COST = {
  title: 'CostDifference',
  ...object({
    ...COMMON,
    current: money('Of the current configuration.'),
    proposed: money('Of the proposed one.'),
    delta: money('Proposed less current.'),
    percent: nullable(number('The same in percent of the current; null where that is nothing.')),
    per_item: list(
      'What differs, the largest first.',
      object({ id: text('Resource.'), delta: money('Proposed less current.'), price: text('Which price was taken.') }),
    ),
    unpriced: notKnown('What differs and has no known price.'),
    unpriced_total: whole('How many of these there are.'),
  }),
};

/** Members that plugins add: there where the plugin is. */
export const COMPARISON_ADDITIONS = {
  carbon: { description: 'Emissions per month, where the plugin carbon is installed.', anyOf: [CARBON, UNAVAILABLE] },
  cost: { description: 'List prices per month, where the plugin finops is installed.', anyOf: [COST, UNAVAILABLE] },
};
