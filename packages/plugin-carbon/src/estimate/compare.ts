import { roundSignificant } from '@bylaw/core/number';
import { SAMPLES } from './points.js';
import { shownItem } from './shown-item.js';
import { minus, nothing, type Quantity, shownTotal, sumsOf, times, toRange, totalOf } from './totals.js';
import type { Comparison, Estimation, Ranged } from './types.js';

/** What a proposal changes. Both sides were computed at the same points, so what is not known of both cancels out. */
export function comparisonOf(current: Estimation, proposed: Estimation, functionalUnits: number | undefined): Comparison {
  const [before, after] = [sumsOf(current.items), sumsOf(proposed.items)];
  const delta = minus(after.total, before.total);
  return {
    proposed: shownTotal(after),
    delta_kg_co2e: toRange(delta),
    percent: percentOf(delta, before.total),
    probability_lower: roundSignificant(delta.samples.filter((value) => value < 0).length / SAMPLES),
    per_item: perItem(current, proposed),
    ...(functionalUnits !== undefined && { sci_delta: toRange(times(delta, 1000 / functionalUnits)) }),
    items: proposed.items.map(shownItem),
    unestimated: proposed.unestimated,
  };
}

/** Of what is there now; null where that is nothing. */
export function percentOf(delta: Quantity, before: Quantity): Ranged | null {
  if (before.central <= 0 || before.samples.some((value) => value <= 0)) return null;
  return toRange({
    central: (100 * delta.central) / before.central,
    samples: delta.samples.map((value, at) => (100 * value) / (before.samples[at] ?? Number.NaN)),
  });
}

/** By identifier; what is on one side only was or will be nothing on the other. */
function perItem(current: Estimation, proposed: Estimation): Comparison['per_item'] {
  const before = new Map(current.items.map((item) => [item.item.id, totalOf(item)]));
  const after = new Map(proposed.items.map((item) => [item.item.id, totalOf(item)]));
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort();
  return ids.map((id) => ({ id, delta_kg_co2e: toRange(minus(after.get(id) ?? nothing(), before.get(id) ?? nothing())) }));
}
