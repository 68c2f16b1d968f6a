import type { CostLeaf } from '@bylaw/core/cost';
import { roundSignificant } from '@bylaw/core/number';
import type { Candidate } from './candidate.js';

/** One event, in the words of the monitor that says most about it. */
export interface MergedEvent {
  one: Candidate;
  /** Identifiers of what other monitors said of it. */
  covers: string[];
}

/**
 * The part of the leaves of an event that must belong to another for both to be one. Of the smaller set, not of both together (Jaccard): the account of a service
 * that has become dear sees one of its many leaves, and would tell the same once more. On the synthetic bills (`npm run bench:anomalies`) 79 events are reported
 * 44 times too often this way, and 275 times the other, with the same recall.
 */
const SAME_LEAVES = 0.8;

/**
 * Events of several monitors that are one. What explains most of the cost is kept, in the most specific of the monitors that explain the same;
 * it covers those whose leaves it holds.
 */
export function mergedEvents(found: readonly Candidate[]): MergedEvent[] {
  const kept: MergedEvent[] = [];
  // Where a leaf occurs: of many events only those that share one need be compared.
  const byLeaf = new Map<CostLeaf, Set<number>>();
  const note = (index: number, members: Iterable<CostLeaf>) => {
    for (const leaf of members) {
      const known = byLeaf.get(leaf);
      if (known) known.add(index);
      else byLeaf.set(leaf, new Set([index]));
    }
  };
  for (const one of byWorth(found)) {
    const near = new Set([...one.members].flatMap((leaf) => [...(byLeaf.get(leaf) ?? [])]));
    const same = [...near]
      .sort((a, b) => a - b)
      .find((index) => {
        const other = kept[index]?.one;
        return other && overlap(one, other) && isWithin(one.members, other.members);
      });
    const record = same === undefined ? undefined : kept[same];
    if (same === undefined || !record) {
      note(kept.push({ one, covers: [] }) - 1, one.members);
    } else if (depth(one) > depth(record.one) && isWithin(record.one.members, one.members)) {
      record.covers.push(record.one.id);
      record.one = one;
      note(same, one.members);
    } else record.covers.push(one.id);
  }
  return kept.map(({ one, covers }) => ({ one, covers: covers.sort() }));
}

/** What explains as much, to two digits, is told by the monitor that is named first: a cent of noise must not choose between service and region. */
function byWorth(found: readonly Candidate[]): Candidate[] {
  const key = ({ group: { monitor } }: Candidate) => JSON.stringify(monitor);
  const monitors = [...new Set(found.map(key))];
  const worth = found.map((one) => ({ one, amount: roundSignificant(explained(one), 2), place: monitors.indexOf(key(one)) }));
  return worth
    .sort((a, b) => b.amount - a.amount || depth(b.one) - depth(a.one) || a.place - b.place || (a.one.id < b.one.id ? -1 : 1))
    .map(({ one }) => one);
}

/** How much of the cost the first driver accounts for, and how well. */
function explained({ drivers: [first], amounts }: Candidate): number {
  return first ? Math.abs(first.actual - first.expected) * first.score : Math.abs(amounts.actual - amounts.expected) / 2;
}

function depth({ group: { monitor } }: Candidate): number {
  return monitor[0] === '*' ? 0 : monitor.length;
}

function overlap({ event: a }: Candidate, { event: b }: Candidate): boolean {
  return a.sign === b.sign && a.start <= b.end + 1 && b.start <= a.end + 1;
}

function isWithin(some: ReadonlySet<CostLeaf>, others: ReadonlySet<CostLeaf>): boolean {
  return some.intersection(others).size >= SAME_LEAVES * some.size;
}
