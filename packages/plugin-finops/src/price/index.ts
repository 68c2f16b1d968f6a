/** List prices of what configuration makes run. */
export { comparePrices } from './compare-prices.js';
export type { PriceList } from './price-list.js';
export { shippedList } from './shipped-list.js';
