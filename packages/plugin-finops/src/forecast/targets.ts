import type { CostLeaf, CostTable } from '@bylaw/core/cost';
import { dimensionOf, sumOf } from '../anomalies/group-series.js';
import { type Match, matches } from './known-changes.js';
import type { Budget } from './parameters.js';

/** What is forecast: a group of leaves, and their cost together. */
export interface Target {
  id: string;
  dimensions: Match;
  /** `total`: everything; `part`: one of the groups that make up everything; `budget`: what a budget is about. */
  role: 'total' | 'part' | 'budget';
  leaves: readonly CostLeaf[];
  /** Cost of the buckets that are final; NaN is a gap. */
  values: Float64Array;
}

/** A table with the cost of all its leaves together. */
interface Bill extends CostTable {
  whole: Float64Array;
}

/** More groups than these are not forecast on their own: the cheapest are one group `other`. */
const MOST_GROUPS = 200;

/** The total, the groups of `group_by` or the single series, and what the budgets are about. */
export function targetsOf(table: CostTable, groupBy: readonly string[], budgets: readonly Budget[], wantsTotal: boolean): Target[] {
  const plain = table.leaves.some(({ id }) => id !== undefined);
  const bill = { ...table, whole: sumOf(table.leaves, table.buckets.length) };
  const parts = plain ? table.leaves.map((leaf) => part(bill, leaf.id ?? '', leaf.dimensions, [leaf])) : groupsOf(bill, groupBy);
  const total = target(bill, 'total', {}, 'total', table.leaves);
  const main = parts.length === 0 || (parts.length > 1 && (!plain || wantsTotal)) ? [total, ...parts] : parts;
  const all = [...main];
  for (const { match = {} } of budgets) {
    const leaves = matching(table, match);
    if (leaves.length > 0 && !all.some((other) => sameLeaves(leaves, other)))
      all.push(target(bill, nameOf(match), match, 'budget', leaves));
  }
  return all;
}

/** The target that each budget is about; undefined for those that no cost belongs to. */
export function budgetTargets(targets: readonly Target[], table: CostTable, budgets: readonly Budget[]): (Target | undefined)[] {
  return budgets.map(({ match = {} }) => {
    const leaves = matching(table, match);
    return targets.find((one) => sameLeaves(leaves, one));
  });
}

function matching({ leaves }: CostTable, match: Match): readonly CostLeaf[] {
  return Object.keys(match).length === 0 ? leaves : leaves.filter((leaf) => matches(leaf, match));
}

function sameLeaves(leaves: readonly CostLeaf[], other: Pick<Target, 'leaves'>): boolean {
  if (leaves.length !== other.leaves.length) return false;
  const own = new Set(leaves);
  return other.leaves.every((leaf) => own.has(leaf));
}

function groupsOf(table: Bill, groupBy: readonly string[]): Target[] {
  if (groupBy.length === 0) return [];
  const byKey = new Map<string, CostLeaf[]>();
  for (const leaf of table.leaves) {
    const key = JSON.stringify(groupBy.map((name) => dimensionOf(leaf, name)));
    const group = byKey.get(key);
    if (group) group.push(leaf);
    else byKey.set(key, [leaf]);
  }
  const groups = [...byKey].map(([key, leaves]) => {
    const values = JSON.parse(key) as string[]; // made above
    const dimensions = Object.fromEntries(groupBy.map((name, at) => [name, values[at] ?? '']));
    return part(table, nameOf(dimensions), dimensions, leaves);
  });
  const byCost = groups.toSorted((a, b) => costOf(b) - costOf(a) || (a.id < b.id ? -1 : 1));
  const small = byCost.slice(MOST_GROUPS);
  const pooled =
    small.length > 0
      ? [
          part(
            table,
            'other',
            {},
            small.flatMap(({ leaves }) => leaves),
          ),
        ]
      : [];
  return [...byCost.slice(0, MOST_GROUPS).sort((a, b) => (a.id < b.id ? -1 : 1)), ...pooled];
}

function part(table: Bill, id: string, dimensions: Match, leaves: readonly CostLeaf[]): Target {
  return target(table, id, dimensions, 'part', leaves);
}

function target(table: Bill, id: string, dimensions: Match, role: Target['role'], leaves: readonly CostLeaf[]): Target {
  const values = sumOf(leaves, table.buckets.length).slice(0, table.provisionalFrom);
  const plain = leaves.some((leaf) => leaf.id !== undefined);
  // A plain series that ends before the others is not known to have ended.
  if (plain) return { id, dimensions, role, leaves, values: values.slice(0, lastKnown(values) + 1) };
  // A bill that has rows of a day names all that cost something then: a group without a row cost nothing, once it has begun.
  const { whole } = table;
  const first = values.findIndex((value) => !Number.isNaN(value));
  const last = lastKnown(whole.subarray(0, values.length));
  const filled = values.map((value, t) =>
    Number.isNaN(value) && first >= 0 && t > first && (t > last || !Number.isNaN(whole[t])) ? 0 : value,
  );
  return { id, dimensions, role, leaves, values: filled };
}

function lastKnown(values: Float64Array): number {
  let last = values.length - 1;
  while (last >= 0 && Number.isNaN(values[last])) last -= 1;
  return last;
}

function nameOf(dimensions: Match): string {
  if (Object.keys(dimensions).length === 0) return 'total';
  return Object.entries(dimensions)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

function costOf({ values }: Target): number {
  return values.reduce((sum, value) => sum + (value || 0), 0);
}
