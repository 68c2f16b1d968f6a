import type { Comparer } from '@bylaw/core/evaluate';
import { comparePrices, shippedList } from '../price/index.js';

/** What the change does to the list price of a month. */
export default function costComparer(): Comparer<'cost'> {
  const list = shippedList();
  return async (sides) => comparePrices(sides, list);
}
