import type { CostTable } from '@bylaw/core/cost';
import { money, roundSignificant } from '@bylaw/core/number';
import { identifier } from './candidate.js';
import type { SeriesEvaluation } from './evaluation/series-evaluation.js';
import type { WatchedGroup } from './group-series.js';

/** A watched series, bucket by bucket. Amounts are in units of `currency`; null: no value, or not evaluated. */
export interface SeriesBuckets {
  id: string;
  monitor: readonly string[];
  dimensions: { readonly [name: string]: string };
  currency: string;
  buckets: {
    start: string;
    actual: number | null;
    expected: number | null;
    lower: number | null;
    upper: number | null;
    z: number | null;
    provisional: boolean;
  }[];
}

/** @param from index of the first bucket that is shown */
export function bucketsOf(
  { monitor, dimensions, values }: WatchedGroup,
  evaluated: SeriesEvaluation,
  table: CostTable,
  from: number,
): SeriesBuckets {
  const shown = (value = Number.NaN, round = money) => (Number.isNaN(value) ? null : round(value));
  return {
    id: identifier('se', [table.currency, monitor, dimensions]),
    monitor,
    dimensions,
    currency: table.currency,
    buckets: table.buckets.slice(from).map((start, offset) => {
      const at = from + offset;
      return {
        start,
        actual: shown(values[at]),
        expected: shown(evaluated.expected[at]),
        lower: shown(evaluated.lower[at]),
        upper: shown(evaluated.upper[at]),
        z: shown(evaluated.z[at], roundSignificant),
        provisional: at >= table.provisionalFrom,
      };
    }),
  };
}
