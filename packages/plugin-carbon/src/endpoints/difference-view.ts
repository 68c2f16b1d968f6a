import { formatNumber, rangeText, signedText } from '@bylaw/core/chart/format-number';
import { defineDifferenceView, withoutItems } from '@bylaw/core/plugin';
import type { CarbonDifference, Ranged } from '../estimate/index.js';
import { CARBON_DIFFERENCE } from './difference-schema.js';

/** How the member `carbon` of a comparison is described and shown. */
export const carbonView = defineDifferenceView<CarbonDifference>({
  description: 'Emissions per month, if the plugin carbon is installed.',
  schema: CARBON_DIFFERENCE,
  column: 'kg CO2e',
  missing: 'unknown',
  monthly: true,
  words: (carbon) => {
    const increase = increaseOf(carbon);
    return {
      summary: summaryOf(carbon),
      items: carbon.per_item.map(({ id, delta_kg_co2e: delta }) => ({
        id,
        text: `${emissionText(delta)} kg CO2e`,
        cell: emissionText(delta),
      })),
      unknown: carbon.unestimated,
      unknownTotal: carbon.unestimated_total,
      warnings: carbon.warnings,
      sources: carbon.sources,
      ...(carbon.per_item_total > 0 && { tile: { value: signedText(carbon.delta_kg_co2e.central), name: 'kg CO2e per month' } }),
      ...(increase !== undefined && { increase }),
    };
  },
  charts: async (carbon) => (await import('./difference-charts.js')).carbonCharts(carbon, summaryOf(carbon).join(' ')),
});

function summaryOf(carbon: CarbonDifference): string[] {
  const { delta_kg_co2e: delta, percent, probability_lower: lower, per_item_total: items } = carbon;
  if (items === 0) return withoutItems('Carbon', carbon.unestimated_total, carbon.current_kg_co2e.central);
  const share = percent === null ? '' : `, ${signedText(percent.central)} %`;
  return [`Carbon: ${emissionText(delta)} kg CO2e per month${share}; lower in ${formatNumber(100 * lower)} % of cases.`];
}

/** In percent; infinite where nothing emits anything yet. */
function increaseOf({
  percent,
  delta_kg_co2e: delta,
  per_item_total: items,
  unestimated_total: unknown,
}: CarbonDifference): number | undefined {
  if (items === 0 && unknown > 0) return undefined;
  return percent?.central ?? (delta.central > 0 ? Number.POSITIVE_INFINITY : 0);
}

/** `+12.4 (+5.1 to +21.3)`. */
function emissionText({ p5, central, p95 }: Ranged): string {
  return rangeText(signedText(central), signedText(p5), signedText(p95));
}
