import type { CostLeaf } from '@bylaw/core/cost';
import { dimensionOf } from '../anomalies/group-series.js';

/** Something that will change the cost and that the history cannot know. */
export interface KnownChange {
  /** First bucket and last one; absent: for good. */
  start: string;
  end?: string;
  /** Amount a bucket, in units of the currency. */
  add?: number;
  /** Factor on the cost of what it touches. */
  multiply?: number;
  /** Dimensions of what it touches; empty: everything. */
  match?: Match;
  note?: string;
}

export type Match = { readonly [dimension: string]: string };

export function matches(leaf: CostLeaf, match: Match): boolean {
  return Object.entries(match).every(([name, value]) => dimensionOf(leaf, name) === value);
}

/** Buckets whose cost says how much of a group a change touches. */
const RECENT = 28;

/** A change, and what it touches. */
export interface PlacedChange extends KnownChange {
  touched: ReadonlySet<CostLeaf>;
  /** What all that it touches cost lately. */
  cost: number;
}

/** @param until how many buckets of the leaves are final */
export function applyTo(change: KnownChange, all: readonly CostLeaf[], until: number): PlacedChange {
  const touched = all.filter((leaf) => matches(leaf, change.match ?? {}));
  return { ...change, touched: new Set(touched), cost: recentCost(touched, until) };
}

/**
 * What a change makes of the forecast of a group: a factor and an amount for every bucket that it touches.
 * @param leaves of the group
 * @param until how many buckets of the group are final
 */
export function changeOf(
  { add = 0, multiply = 1, match = {}, touched, cost }: PlacedChange,
  leaves: readonly CostLeaf[],
  dimensions: Match,
  until: number,
): { factor: number; amount: number } {
  // What is new has no leaves yet: it belongs to the groups that its dimensions name.
  if (touched.size === 0)
    return { factor: 1, amount: Object.entries(dimensions).every(([name, value]) => match[name] === value) ? add : 0 };
  const own = leaves.filter((leaf) => touched.has(leaf));
  if (own.length === 0) return { factor: 1, amount: 0 };
  const both = recentCost(own, until);
  return {
    factor: 1 + (multiply - 1) * (own.length === leaves.length ? 1 : share(both, recentCost(leaves, until))),
    amount: add * (own.length === touched.size ? 1 : share(both, cost)),
  };
}

function share(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
}

function recentCost(leaves: readonly CostLeaf[], until: number): number {
  let sum = 0;
  for (const { cost } of leaves) for (let t = Math.max(0, until - RECENT); t < until; t++) sum += cost[t] || 0;
  return sum;
}
