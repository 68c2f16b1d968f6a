import type { CostLeaf, CostTable } from '@bylaw/core/cost';
import { ExactSum } from '@bylaw/core/number';
import { bucketsIn } from '../series/time-axis.js';

/** What one monitor watches: a group of leaves, and their cost together. */
export interface WatchedGroup {
  monitor: readonly string[];
  dimensions: { readonly [name: string]: string };
  leaves: readonly CostLeaf[];
  /** NaN where no leaf has a value. */
  values: Float64Array;
}

/** What costs less in so many days than an anomaly must is not watched on its own. */
const POOL_DAYS = 30;

/**
 * The groups of a monitor, sorted by their dimensions. Those that cost less in 30 days than an anomaly must are pooled as `other`.
 * @param monitor names of dimensions; `*` alone is everything
 */
export function watchedGroups(table: CostTable, monitor: readonly string[], minAmount: number): WatchedGroup[] {
  if (monitor.length === 1 && monitor[0] === '*') return [group(table, monitor, {}, table.leaves)];
  const named = table.leaves.filter((leaf) => monitor.some((name) => dimensionOf(leaf, name) !== ''));
  const byKey = Map.groupBy(named, (leaf) => JSON.stringify(monitor.map((name) => dimensionOf(leaf, name))));
  const groups = [...byKey].map(([key, leaves]) => {
    const values = JSON.parse(key) as string[]; // made above
    return group(table, monitor, Object.fromEntries(monitor.map((name, at) => [name, values[at] ?? ''])), leaves);
  });
  const isLarge = ({ values }: WatchedGroup) => dearest(values, bucketsIn(POOL_DAYS, table.granularity)) >= minAmount;
  const { large = [], small = [] } = Object.groupBy(groups, (one) => (isLarge(one) ? 'large' : 'small'));
  const pooled =
    small.length > 1
      ? [
          group(
            table,
            monitor,
            { [monitor[0] ?? '']: 'other' },
            small.flatMap(({ leaves }) => leaves),
          ),
        ]
      : small;
  return [...large, ...pooled].sort((a, b) => (JSON.stringify(a.dimensions) < JSON.stringify(b.dimensions) ? -1 : 1));
}

/** The value of a leaf in a dimension; plain series have their name as the dimension `series`. */
export function dimensionOf(leaf: CostLeaf, name: string): string {
  if (name === 'series') return leaf.id ?? '';
  return Object.hasOwn(leaf.dimensions, name) ? (leaf.dimensions[name] ?? '') : '';
}

function group(
  table: CostTable,
  monitor: readonly string[],
  dimensions: WatchedGroup['dimensions'],
  leaves: readonly CostLeaf[],
): WatchedGroup {
  return { monitor, dimensions, leaves, values: sumOf(leaves, table.buckets.length) };
}

/** The sum of leaves, bucket by bucket, whatever their order. */
export function sumOf(leaves: readonly CostLeaf[], length: number): Float64Array {
  const [only] = leaves;
  if (leaves.length === 1 && only) return only.cost;
  const sums = new Float64Array(length);
  for (let at = 0; at < length; at++) {
    const sum = new ExactSum();
    let known = false;
    for (const { cost } of leaves) {
      const value = cost[at] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      known = true;
      sum.add(value);
    }
    sums[at] = known ? sum.value() : Number.NaN;
  }
  return sums;
}

/** What the dearest so many buckets cost: what has ended, or has just begun, may still be an event. */
function dearest(values: Float64Array, count: number): number {
  let most = 0;
  let running = 0;
  for (let at = 0; at < values.length; at++) {
    running += Math.abs(values[at] || 0) - (at >= count ? Math.abs(values[at - count] || 0) : 0);
    most = Math.max(most, running);
  }
  return most;
}
