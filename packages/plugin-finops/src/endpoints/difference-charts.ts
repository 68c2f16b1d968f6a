import { barChart } from '@bylaw/core/chart';
import type { ChartSection } from '@bylaw/core/report/chart-page';
import type { CostDifference } from '../price/index.js';

/** The sections of a page about a change in cost. @param description of the chart, for those who cannot see it */
export function costCharts({ delta: { currency }, per_item }: CostDifference, description: string): ChartSection[] {
  if (per_item.length === 0) return [];
  return [
    {
      title: 'Cost by resource',
      chart: barChart({
        title: 'Change in monthly cost',
        description,
        unit: `${currency} per month at list prices, proposed minus current`,
        bars: per_item.map(({ id, delta }) => ({ name: id, value: delta.amount, low: delta.low, high: delta.high })),
      }),
    },
  ];
}
