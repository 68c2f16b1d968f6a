import type { NotKnown } from '@bylaw/core/evaluate';

/** What is between the ends when prices, and how full the nodes are, are at the ends of their ranges for all alike. */
export interface MoneyRange {
  amount: number;
  currency: string;
  low: number;
  high: number;
}

/** The member `cost` of a comparison: list prices of a month of 730 hours, 6 decimals. */
export interface CostDifference {
  period_hours: number;
  current: MoneyRange;
  proposed: MoneyRange;
  /** Proposed less current. */
  delta: MoneyRange;
  /** Of the current amount; null where that is nothing. */
  percent: number | null;
  per_item: { id: string; delta: MoneyRange; price: string }[];
  per_item_total: number;
  /** What differs and has no known price. */
  unpriced: NotKnown[];
  unpriced_total: number;
  warnings: string[];
  sources: string[];
}
