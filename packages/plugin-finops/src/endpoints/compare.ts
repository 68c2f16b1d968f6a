import { resolve } from 'node:path';
import type { Comparer } from '@bylaw/core/evaluate';
import type { CompareContext } from '@bylaw/core/plugin';
import { type CostDifference, comparePrices, listWith, readPriceFile, shippedList } from '../price/index.js';

/** The member `cost` of a comparison: what the change does to the list price of a month. A price file is read once, when the first change is priced. */
export default async function costComparer({ config, base }: CompareContext): Promise<Comparer<CostDifference>> {
  const { prices: file } = (config['finops'] ?? {}) as { prices?: string }; // it has passed the schema of the section
  const list = file === undefined ? shippedList() : listWith(await readPriceFile(resolve(base, file)), shippedList());
  return async (sides) => comparePrices(sides, list);
}
