import { barChart } from '@bylaw/core/chart';
import type { ChartSection } from '@bylaw/core/report/chart-page';
import type { CarbonDifference } from '../estimate/index.js';

/** The sections of a page about a change in emissions. @param description of the chart, for those who cannot see it */
export function carbonCharts({ per_item }: CarbonDifference, description: string): ChartSection[] {
  if (per_item.length === 0) return [];
  return [
    {
      title: 'Carbon by resource',
      chart: barChart({
        title: 'Change in monthly emissions',
        description,
        unit: 'kg CO2e per month, proposed minus current, with the 90 % range',
        bars: per_item.map(({ id, delta_kg_co2e: { p5, central, p95 } }) => ({ name: id, value: central, low: p5, high: p95 })),
      }),
    },
  ];
}
