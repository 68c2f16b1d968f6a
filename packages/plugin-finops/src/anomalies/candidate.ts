import { createHash } from 'node:crypto';
import type { CostLeaf, CostTable } from '@bylaw/core/cost';
import { type Driver, driversOf } from './drivers.js';
import { type FoundEvent, impactOf } from './find-events.js';
import { leavesAt, type WatchedGroup } from './group-series.js';
import type { TableEvaluator } from './table-evaluator.js';

/** An event that one monitor has found, and where it comes from. */
export interface Candidate {
  /** The same whenever the event is found: by what is watched, and the bucket in which it begins. */
  id: string;
  event: FoundEvent;
  group: WatchedGroup;
  /** The best explanation first. */
  drivers: readonly Driver[];
  /** Leaves of the first driver, or of the group. */
  members: ReadonlySet<CostLeaf>;
  amounts: { actual: number; expected: number };
}

export function candidateOf(
  event: FoundEvent,
  group: WatchedGroup,
  table: CostTable,
  evaluator: TableEvaluator,
  maxDrivers: number,
): Candidate {
  const leaves = leavesAt(group, event.start);
  const shares = leaves.map((leaf) => evaluator.share(leaf, event));
  const isPlain = leaves.some(({ id }) => id !== undefined);
  const drivers = driversOf(shares, [...table.dimensions, ...(isPlain ? ['series'] : [])], maxDrivers);
  return {
    id: identifier('an', [table.currency, group.monitor, group.dimensions, table.buckets[event.start]]),
    event,
    group,
    drivers,
    members: new Set((drivers[0]?.members ?? shares).map(({ leaf }) => leaf)),
    amounts: impactOf(event, group.values),
  };
}

/** A short name for what is given by its parts. */
export function identifier(prefix: string, parts: readonly unknown[]): string {
  return `${prefix}_${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12)}`;
}
