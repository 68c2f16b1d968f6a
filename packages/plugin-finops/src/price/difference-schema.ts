import type { JsonSchema } from '@bylaw/core/http';
import { list, number, object, text, whole } from '@bylaw/core/schemas';

const money = (description: string): JsonSchema => ({
  description,
  ...object({
    amount: number('Amount per month of 730 hours.'),
    currency: text('Currency code (ISO 4217).'),
    low: number('Lower end of the range.'),
    high: number('Upper end of the range.'),
  }),
});

/** `CostDifference` as it is in answers. */
export const COST_DIFFERENCE: JsonSchema = {
  title: 'CostDifference',
  ...object({
    period_hours: number('Length of the period in hours.'),
    per_item_total: whole('Number of resources that differ.'),
    warnings: list('Warnings about the result.', { type: 'string' }),
    sources: list('Sources of the data.', { type: 'string' }),
    current: money('Cost of the current configuration.'),
    proposed: money('Cost of the proposed configuration.'),
    delta: money('Proposed minus current.'),
    percent: {
      anyOf: [number('Proposed minus current, in percent of current; null if current is 0.'), { type: 'null' }],
    },
    per_item: list(
      'Resources that differ, the largest difference first.',
      object({ id: text('Resource.'), delta: money('Proposed minus current.'), price: text('Price that was used.') }),
    ),
    unpriced: list(
      'Resources that differ and have no known price.',
      object({ id: text('Resource.'), reason: text('Why, and how to fix it.') }),
    ),
    unpriced_total: whole('Number of these resources.'),
  }),
};
