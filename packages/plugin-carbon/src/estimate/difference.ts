import type { NotKnown } from '@bylaw/core/evaluate';
import { roundSignificant } from '@bylaw/core/number';
import type { CarbonItem } from '../items/index.js';
import { percentOf } from './compare.js';
import { dimensionsOfItems, estimateItems } from './estimate-items.js';
import type { ModelOptions } from './factors-of-item.js';
import { parametersOf } from './parameters.js';
import { SAMPLES } from './points.js';
import { minus, nothing, plus, type Quantity, toRange, totalOf } from './totals.js';
import type { Ranged } from './types.js';

/** Emissions of a month of 730 hours, in kg CO2e with 6 significant digits. */
export interface Difference {
  current_kg_co2e: Ranged;
  proposed_kg_co2e: Ranged;
  /** Proposed less current, both at the same values of what is uncertain: what is not known of both cancels out. */
  delta_kg_co2e: Ranged;
  /** Of the current; null where that is nothing. */
  percent: Ranged | null;
  /** Share of the cases in which the proposal emits less. */
  probability_lower: number;
  /** What differs, the largest first, and how many there are in all. */
  per_item: { id: string; delta_kg_co2e: Ranged }[];
  per_item_total: number;
}

/** The member `carbon` of a comparison. */
export interface CarbonDifference extends Difference {
  period_hours: number;
  /** What differs and cannot be estimated. */
  unestimated: NotKnown[];
  unestimated_total: number;
  warnings: string[];
  sources: string[];
}

/**
 * What a change does to the emissions of a month. Items that are the same on both sides cancel out. Both sides are computed at the same points,
 * some identifiers at a time: memory does not grow with the number of items.
 */
export function differenceOf(current: readonly CarbonItem[], proposed: readonly CarbonItem[], shown: number): Difference {
  const options = { assumptions: {}, method: parametersOf({}).method };
  const dimensions = dimensionsOfItems([...current, ...proposed], options);
  const pairs = pairsOf(current, proposed);
  const [before, after, delta] = [nothing(), nothing(), nothing()];
  const perItem: Difference['per_item'] = [];
  for (let from = 0; from < pairs.length; from += AT_ONCE) {
    for (const { id, was, will } of estimated(pairs.slice(from, from + AT_ONCE), options, dimensions)) {
      addTo(before, was);
      addTo(after, will);
      if (was === will) continue;
      const change = minus(will, was);
      addTo(delta, change);
      const range = toRange(change);
      if (range.p5 !== 0 || range.central !== 0 || range.p95 !== 0) perItem.push({ id, delta_kg_co2e: range });
    }
  }
  const size = ({ delta_kg_co2e: { central } }: Difference['per_item'][number]) => Math.abs(central);
  return {
    current_kg_co2e: toRange(before),
    proposed_kg_co2e: toRange(after),
    delta_kg_co2e: toRange(delta),
    percent: percentOf(delta, before),
    probability_lower: roundSignificant(delta.samples.filter((value) => value < 0).length / SAMPLES),
    per_item: perItem.toSorted((a, b) => size(b) - size(a) || (a.id < b.id ? -1 : 1)).slice(0, shown),
    per_item_total: perItem.length,
  };
}

/** An item has five columns of values at all points, 8 KiB each. */
const AT_ONCE = 250;

interface Pair {
  id: string;
  current: readonly CarbonItem[];
  proposed: readonly CarbonItem[];
  same: boolean;
}

/** By identifier, sorted: equal identifiers count together. */
function pairsOf(current: readonly CarbonItem[], proposed: readonly CarbonItem[]): Pair[] {
  const [before, after] = [byId(current), byId(proposed)];
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort();
  return ids.map((id) => {
    const [was, will] = [before.get(id) ?? [], after.get(id) ?? []];
    return { id, current: was, proposed: will, same: comparableText(was) === comparableText(will) };
  });
}

function byId(items: readonly CarbonItem[]): ReadonlyMap<string, CarbonItem[]> {
  return Map.groupBy(items, ({ id }) => id);
}

/** Without what is only shown. */
function comparableText(items: readonly CarbonItem[]): string {
  return JSON.stringify(items.map((item) => ({ ...item, groups: {}, notes: [] })));
}

function estimated(
  pairs: readonly Pair[],
  options: ModelOptions,
  dimensions: readonly string[],
): { id: string; was: Quantity; will: Quantity }[] {
  const [current = [], proposed = []] = estimateItems(
    [pairs.flatMap((pair) => pair.current), pairs.flatMap((pair) => (pair.same ? [] : pair.proposed))],
    options,
    dimensions,
  );
  const sums = (items: typeof current) => {
    const byItem = Map.groupBy(items, ({ item }) => item.id);
    return (id: string) => {
      const [first, ...others] = byItem.get(id) ?? [];
      return others.reduce((sum, item) => plus(sum, totalOf(item)), first === undefined ? nothing() : totalOf(first));
    };
  };
  const [before, after] = [sums(current), sums(proposed)];
  return pairs.map(({ id, same }) => {
    const was = before(id);
    return { id, was, will: same ? was : after(id) };
  });
}

/** In place: a sum over many items makes no garbage. */
function addTo(sum: Quantity, more: Quantity): void {
  sum.central += more.central;
  for (let at = 0; at < SAMPLES; at += 1) sum.samples[at] = (sum.samples[at] ?? 0) + (more.samples[at] ?? 0);
}
