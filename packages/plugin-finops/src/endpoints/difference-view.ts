import { formatNumber, rangeText, signedText } from '@bylaw/core/chart/format-number';
import { defineDifferenceView, withoutItems } from '@bylaw/core/plugin';
import { COST_DIFFERENCE, type CostDifference, type MoneyRange } from '../price/index.js';

/** How the member `cost` of a comparison is described and shown. */
export const costView = defineDifferenceView<CostDifference>({
  description: 'Cost per month at list prices, if the plugin finops is installed.',
  schema: COST_DIFFERENCE,
  column: 'Cost at list prices',
  missing: 'unknown',
  monthly: true,
  words: (cost) => {
    const { delta, per_item_total: total } = cost;
    const increase = increaseOf(cost);
    return {
      summary: summaryOf(cost),
      items: cost.per_item.map(({ id, delta }) => ({ id, text: moneyText(delta) })),
      unknown: cost.unpriced,
      unknownTotal: cost.unpriced_total,
      warnings: cost.warnings,
      sources: cost.sources,
      ...(total > 0 && { tile: { value: signedText(delta.amount), name: `${delta.currency} per month` } }),
      ...(increase !== undefined && { increase }),
    };
  },
  charts: async (cost) => (await import('./difference-charts.js')).costCharts(cost, summaryOf(cost).join(' ')),
});

function summaryOf({ delta, percent, per_item_total: items, unpriced_total: unknown, current }: CostDifference): string[] {
  if (items === 0) return withoutItems('Cost', unknown, current.amount);
  return [`Cost: ${moneyText(delta)} per month at list prices${percent === null ? '' : `, ${signedText(percent)} %`}.`];
}

/** In percent; infinite where nothing costs anything yet. */
function increaseOf({ percent, delta, per_item_total: items, unpriced_total: unknown }: CostDifference): number | undefined {
  if (items === 0 && unknown > 0) return undefined;
  return percent ?? (delta.amount > 0 ? Number.POSITIVE_INFINITY : 0);
}

/** `+12.40 (+5.10 to +21.30) USD`. */
function moneyText({ amount, low, high, currency }: MoneyRange): string {
  return `${rangeText(signedMoney(amount), signedMoney(low), signedMoney(high))} ${currency}`;
}

/** Cents, and less where there is nothing else. */
function signedMoney(value: number): string {
  const [whole = '', cents] = Math.abs(value).toFixed(2).split('.');
  return Math.abs(value) < 0.005 ? signedText(value) : `${value > 0 ? '+' : '-'}${formatNumber(Number(whole))}.${cents}`;
}
