import type { Metric } from '../rows/cost-row.js';
import type { Settling } from './time-line.js';

/** How rows become a table. */
export interface TableOptions extends Settling {
  metric: Metric;
  timezone: string;
  /** Names of the dimensions, in the order of the rows'. */
  dimensions: readonly string[];
  /** Categories of charges that count. */
  include: ReadonlySet<string>;
  /** Currency of the answer, where the rows are converted. */
  currency?: string;
  /** Currency → its worth in the currency of the answer. */
  fx?: { readonly [currency: string]: number };
}
