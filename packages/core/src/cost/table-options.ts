import type { Metric } from './cost-row.js';
import type { Granularity } from './cost-table.js';
import type { Recency } from './time-line.js';

/** How rows become a table. */
export interface TableOptions {
  metric: Metric;
  granularity: Granularity;
  timezone: string;
  /** Names of the dimensions, in the order of the rows'. */
  dimensions: readonly string[];
  /** Categories of charges that count. */
  include: ReadonlySet<string>;
  /** Currency of the answer, where the rows are converted. */
  currency?: string;
  /** Currency → its worth in the currency of the answer. */
  fx?: { readonly [currency: string]: number };
  /** End of what is known, in milliseconds; absent: the end of the last bucket with a row. */
  asOf?: number;
  /** How long a bucket may change after its end, in days; absent: as is usual, see `SETTLE_DAYS`. */
  settleDays?: number;
  recency?: readonly Recency[];
}
