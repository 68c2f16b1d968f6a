/** List prices of what configuration makes run. */
export { comparePrices } from './compare-prices.js';
export type { CostDifference, MoneyRange } from './difference.js';
export { COST_DIFFERENCE } from './difference-schema.js';
export { listWith } from './own-list.js';
export { readPriceFile } from './price-file.js';
export type { PriceList } from './price-list.js';
export { shippedList } from './shipped-list.js';
