import type { JsonSchema } from '@bylaw/core/http';
import { list, number, object, text, whole } from '@bylaw/core/schemas';

const range = (description: string): JsonSchema => ({
  description,
  ...object({ p5: number('Lower end of the range.'), central: number('Estimate.'), p95: number('Upper end of the range.') }),
});

/** `CarbonDifference` as it is in answers. */
export const CARBON_DIFFERENCE: JsonSchema = {
  title: 'CarbonDifference',
  ...object({
    period_hours: number('Length of the period in hours.'),
    per_item_total: whole('Number of resources that differ.'),
    warnings: list('Warnings about the result.', { type: 'string' }),
    sources: list('Sources of the data.', { type: 'string' }),
    current_kg_co2e: range('Emissions of the current configuration.'),
    proposed_kg_co2e: range('Emissions of the proposed configuration.'),
    delta_kg_co2e: range('Proposed minus current.'),
    percent: { anyOf: [range('Proposed minus current, in percent of current; null if current is 0.'), { type: 'null' }] },
    probability_lower: number('Probability (0 to 1) that the proposed configuration emits less.'),
    per_item: list(
      'Resources that differ, the largest difference first.',
      object({ id: text('Resource.'), delta_kg_co2e: range('Proposed minus current.') }),
    ),
    unestimated: list(
      'Resources that differ and cannot be estimated.',
      object({ id: text('Resource.'), reason: text('Why, and how to fix it.') }),
    ),
    unestimated_total: whole('Number of these resources.'),
  }),
};
