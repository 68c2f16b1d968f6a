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
  /** Index of the bucket from which on it is watched: what was over before is not reported. */
  watchedFrom: number;
  /** Leaves that belong to it only until so many buckets have passed: those of a pool may prove to be large. */
  until?: ReadonlyMap<CostLeaf, number>;
}

/** What costs less in so many days than an anomaly must is not watched on its own. */
const POOL_DAYS = 30;

/**
 * The groups of a monitor, sorted by their dimensions. Those that cost less in 30 days than an anomaly must are pooled as `other`; see `poolOf`.
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
  const span = bucketsIn(POOL_DAYS, table.granularity);
  const sized = groups.map((one) => ({ ...one, watchedFrom: largeFrom(one.values, span, minAmount) }));
  const large = sized.filter(({ watchedFrom }) => watchedFrom < table.buckets.length);
  return [...large, ...poolOf(sized, monitor, span, table)].sort((a, b) =>
    JSON.stringify(a.dimensions) < JSON.stringify(b.dimensions) ? -1 : 1,
  );
}

/** The leaves of a group that belong to it at an index. */
export function leavesAt({ leaves, until }: WatchedGroup, index: number): readonly CostLeaf[] {
  return until === undefined ? leaves : leaves.filter((leaf) => index < (until.get(leaf) ?? Number.POSITIVE_INFINITY));
}

/**
 * The small groups together, as they were known to be small at the time: what was said of a bucket must not change because a group has grown since. A group
 * is in the pool from its first cost on, and leaves it where it becomes large within its first 30 days. One that becomes large later is watched on its own as
 * well, and stays, so that the pool does not fall for no other reason than that.
 */
function poolOf(groups: readonly WatchedGroup[], monitor: readonly string[], span: number, table: CostTable): WatchedGroup[] {
  const members = groups.map(({ leaves, values, watchedFrom }) => {
    const known = firstCost(values) + span;
    return { leaves, known, until: watchedFrom < known ? watchedFrom : Number.POSITIVE_INFINITY };
  });
  // Nothing is small before it has been so for 30 days.
  const watchedFrom = members.reduce((first, { known, until }) => (until > known ? Math.min(first, known) : first), table.buckets.length);
  if (watchedFrom >= table.buckets.length) return [];
  const until = new Map(members.flatMap(({ leaves, until: end }) => leaves.map((leaf) => [leaf, end] as const)));
  const leaves = members.filter(({ until: end }) => end > 0).flatMap(({ leaves: own }) => own);
  const values = sumOf(leaves, table.buckets.length, until);
  return [{ monitor, dimensions: { [monitor[0] ?? '']: 'other' }, leaves, values, watchedFrom, until }];
}

/** Index of the first bucket with cost; infinite where there is none. */
function firstCost(values: Float64Array): number {
  const first = values.findIndex((value) => value !== 0 && !Number.isNaN(value));
  return first < 0 ? Number.POSITIVE_INFINITY : first;
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
  return { monitor, dimensions, leaves, values: sumOf(leaves, table.buckets.length), watchedFrom: 0 };
}

/**
 * The sum of leaves, bucket by bucket, whatever their order.
 * @param until index before which a leaf counts; absent: all of its buckets do
 */
export function sumOf(leaves: readonly CostLeaf[], length: number, until?: ReadonlyMap<CostLeaf, number>): Float64Array {
  const [only] = leaves;
  if (leaves.length === 1 && only && !until) return only.cost;
  const ends = leaves.map((leaf) => until?.get(leaf) ?? Number.POSITIVE_INFINITY);
  const sums = new Float64Array(length);
  for (let at = 0; at < length; at++) {
    const sum = new ExactSum();
    let known = false;
    for (const [index, { cost }] of leaves.entries()) {
      const value = cost[at] ?? Number.NaN;
      if (Number.isNaN(value) || at >= (ends[index] ?? 0)) continue;
      known = true;
      sum.add(value);
    }
    sums[at] = known ? sum.value() : Number.NaN;
  }
  return sums;
}

/** Index of the first bucket that, with those before it, costs so much; the number of buckets where none does. */
function largeFrom(values: Float64Array, count: number, least: number): number {
  let running = 0;
  for (let at = 0; at < values.length; at++) {
    running += Math.abs(values[at] || 0) - (at >= count ? Math.abs(values[at - count] || 0) : 0);
    if (running >= least) return at;
  }
  return values.length;
}
