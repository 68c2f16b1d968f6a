import type { ComparedSides } from '@bylaw/core/evaluate';
import { money, roundSignificant } from '@bylaw/core/number';
import type { Resource } from '@bylaw/core/resource';
import { changesBetween, MONTH_HOURS, type Place, type Spread } from '@bylaw/core/workload';
import type { CostDifference, MoneyRange } from './difference.js';
import { podPrices } from './pod-prices.js';
import type { PriceList } from './price-list.js';
import type { PricedItem, PricedItems } from './priced-item.js';
import { terraformPrices } from './terraform-prices.js';

/** Longer lists say how long they are. */
const SHOWN = 20;

/** The member `cost` of a comparison: what the change does to the list price of a month. */
export function comparePrices({ current, proposed, place }: ComparedSides, list: PriceList): CostDifference {
  const [before, after] = [pricesOf(current, place, list), pricesOf(proposed, place, list)];
  const changed = changesBetween(current, proposed);
  const items = differences(before.items, after.items);
  const sums = items.reduce((sum, { was, will }) => ({ was: plus(sum.was, was), will: plus(sum.will, will) }), {
    was: NOTHING,
    will: NOTHING,
  });
  const perItem = items.flatMap(({ id, was, will, words }) => {
    const delta = rangeOf(minus(will, was));
    return delta.low !== 0 || delta.amount !== 0 || delta.high !== 0 ? [{ id, delta, price: words }] : [];
  });
  const unpriced = [...new Map([...before.unpriced, ...after.unpriced].map((one) => [one.id, one])).values()].filter(({ id }) =>
    changed(id),
  );
  const delta = rangeOf(minus(sums.will, sums.was));
  const was = rangeOf(sums.was);
  return {
    period_hours: MONTH_HOURS,
    current: was,
    proposed: rangeOf(sums.will),
    delta,
    percent: was.amount > 0 ? roundSignificant((100 * delta.amount) / was.amount) : null,
    per_item: perItem.toSorted((a, b) => Math.abs(b.delta.amount) - Math.abs(a.delta.amount) || (a.id < b.id ? -1 : 1)).slice(0, SHOWN),
    per_item_total: perItem.length,
    unpriced: unpriced.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, SHOWN),
    unpriced_total: unpriced.length,
    warnings: warningsOf([before, after], changed).slice(0, SHOWN),
    sources: [...new Set([...before.items, ...after.items].map(({ provider }) => provider))]
      .sort()
      .flatMap((provider) => (provider === 'on-prem' ? [] : [list.sourceOf(provider)])),
  };
}

function pricesOf(resources: readonly Resource[], place: Place, list: PriceList): PricedItems {
  const parts = [
    terraformPrices(resources, place, list),
    podPrices(
      resources.filter(({ terraform }) => terraform === undefined),
      place,
      list,
    ),
  ];
  return {
    items: parts.flatMap(({ items }) => items),
    unpriced: parts.flatMap(({ unpriced }) => unpriced),
    notes: parts.flatMap(({ notes }) => notes),
  };
}

/**
 * USD in a month with quantities (rows) and prices (columns) at the low end, the middle and the high end of their ranges. What is uncertain is so for
 * all alike, on both sides: differences are taken end by end.
 */
type Ends = readonly number[];

const ENDS = ['low', 'central', 'high'] as const satisfies readonly (keyof Spread)[];
const MIDDLE = 4;
const NOTHING: Ends = Array.from({ length: ENDS.length ** 2 }, () => 0);

function endsOf({ quantity, hourPrice }: PricedItem): Ends {
  return ENDS.flatMap((many) => ENDS.map((dear) => quantity[many] * hourPrice[dear] * MONTH_HOURS));
}

function plus(a: Ends, b: Ends): Ends {
  return a.map((value, at) => value + (b[at] ?? 0));
}

function minus(a: Ends, b: Ends): Ends {
  return a.map((value, at) => value - (b[at] ?? 0));
}

function rangeOf(ends: Ends): MoneyRange {
  return { amount: money(ends[MIDDLE] ?? 0), currency: 'USD', low: money(Math.min(...ends)), high: money(Math.max(...ends)) };
}

/** By identifier, sorted, so that sums do not depend on the order of the input. */
function differences(current: readonly PricedItem[], proposed: readonly PricedItem[]) {
  const before = Map.groupBy(current, ({ id }) => id);
  const after = Map.groupBy(proposed, ({ id }) => id);
  const sum = (items: readonly PricedItem[] = []) => items.map(endsOf).reduce(plus, NOTHING);
  return [...new Set([...before.keys(), ...after.keys()])].sort().map((id) => ({
    id,
    was: sum(before.get(id)),
    will: sum(after.get(id)),
    words: (after.get(id) ?? before.get(id))?.[0]?.words ?? '',
  }));
}

function warningsOf(sides: readonly PricedItems[], changed: (part: string) => boolean): string[] {
  const inferred = sides.flatMap(({ items }) => items).some((item) => item.inferred && changed(item.id));
  const notes = sides.flatMap((side) => side.notes).filter(({ id }) => changed(id));
  return [...(inferred ? [INFERRED] : []), ...new Set(notes.map(({ id, message }) => `${id}: ${message}.`))];
}

const INFERRED =
  'If the region is unknown or not in the price lists, the estimate uses prices of a different region (inferred). The upper end of the range allows for more expensive regions.';
