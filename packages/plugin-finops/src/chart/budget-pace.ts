import type { BandChart } from '@bylaw/core/chart';
import type { Forecast } from '../forecast/index.js';

const DAY = 86_400_000;

/** Beyond so many times what is drawn, a line would flatten it. */
const FURTHEST = 4;

/**
 * Each budget as what may be spent in a bucket, were it spent evenly over its first period.
 * @param bucket name of a bucket
 * @param most largest value that is drawn
 */
export function budgetLevels({ budgets }: Forecast, bucket: string, most: number): BandChart['levels'] {
  const first = new Map(budgets.toReversed().map((budget) => [budget.id, budget]));
  return [...first.values()]
    .toReversed()
    .map(({ id, period, amount }) => ({ name: `budget ${id}, spread evenly`, value: amount / bucketsOf(period, bucket) }))
    .filter(({ value }) => value <= FURTHEST * most);
}

/** @param period `2026-05`, `2026-Q2` or `2026` */
function bucketsOf(period: string, bucket: string): number {
  const [, year = '', quarter, month] = /^(\d{4})(?:-Q(\d)|-(\d\d))?$/.exec(period) ?? [];
  const from = quarter === undefined ? Number(month ?? 1) - 1 : 3 * (Number(quarter) - 1);
  const months = quarter !== undefined ? 3 : month !== undefined ? 1 : 12;
  const days = (Date.UTC(Number(year), from + months) - Date.UTC(Number(year), from)) / DAY;
  switch (bucket) {
    case 'month':
      return months;
    case 'week':
      return days / 7;
    case 'hour':
      return 24 * days;
    default:
      return days;
  }
}
