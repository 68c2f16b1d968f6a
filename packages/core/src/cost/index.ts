/** Cost over time, read from the exports of providers. */
export { type CostLeaf, type CostTable, type CostWarning, GRANULARITIES, type Granularity } from './cost-table.js';
