import { exactSum, roundSignificant } from '@bylaw/core/number';
import { minus, sumsOf } from '../estimate/index.js';
import { type Amount, endsOf, isSampled } from './amount.js';
import type { Footprint } from './footprint.js';
import { type Driven, driverEffects } from './lmdi.js';
import { type Computed, estimatedTogether, type ReadSource, type ReadSources } from './read-sources.js';
import type { Change, Entry } from './types.js';

const MOST_CHANGED = 10;

/** Both sides: at the same points where all of them were computed now. */
export interface BothSides {
  now: Amount;
  earlier: Amount;
}

export function bothSides(now: Footprint, { periods, baseline }: ReadSources): BothSides | undefined {
  if (baseline === undefined) return undefined;
  const computed = [...periods, baseline].flatMap((source: ReadSource): Computed[] => (source.computed ? [source.computed] : []));
  if (computed.length <= periods.length) return { now: now.totals.kg, earlier: baseline.footprint.totals.kg };
  const all = estimatedTogether(computed);
  const of = (lists: typeof all) => sumsOf(lists.flatMap(({ items }) => items)).total;
  return { now: of(all.slice(0, -1)), earlier: of(all.slice(-1)) };
}

/** What changed since the baseline, and why. */
export function changeOf(now: Footprint, before: Footprint, sides: BothSides): Change {
  const exact = isSampled(sides.now) && isSampled(sides.earlier);
  const items = changedItems(now, before).map((item) => (exact ? item : withoutRounding(item)));
  const effect = (name: 'activity' | 'efficiency' | 'grid' | 'embodied') => roundSignificant(exactSum(items.map((item) => item[name])));
  const delta = differenceOf(sides);
  return {
    baseline_kg_co2e: endsOf(before.totals.kg),
    delta_kg_co2e: endsOf(delta),
    percent: sides.earlier.central > 0 ? roundSignificant((100 * delta.central) / sides.earlier.central) : null,
    probability_lower: isSampled(delta) ? shareBelow(delta.samples, 0) : null,
    effects: { activity: effect('activity'), efficiency: effect('efficiency'), grid: effect('grid'), embodied: effect('embodied') },
    items: {
      new: items.filter(({ side }) => side === 'new').length,
      gone: items.filter(({ side }) => side === 'gone').length,
      both: items.filter(({ side }) => side === 'both').length,
    },
    largest: items
      .map((item) => ({ ...item, delta: item.activity + item.efficiency + item.grid + item.embodied }))
      .filter(({ delta: change }) => change !== 0)
      .sort((a, b) => Math.abs(b.delta) - Math.abs(a.delta) || (a.id < b.id ? -1 : 1))
      .slice(0, MOST_CHANGED)
      .map(({ id, delta: change, activity, efficiency, grid, embodied }) => ({
        ...{ id, delta_kg_co2e: roundSignificant(change), activity: roundSignificant(activity) },
        ...{ efficiency: roundSignificant(efficiency), grid: roundSignificant(grid), embodied: roundSignificant(embodied) },
      })),
  };
}

/** Saved answers have six digits. An effect beyond them is not there: it is what was cut off. */
const DIGITS = 1e-5;

function withoutRounding(item: ItemEffects): ItemEffects {
  const kept = (effect: number) => (Math.abs(effect) < DIGITS * item.size ? 0 : effect);
  return {
    ...item,
    activity: kept(item.activity),
    efficiency: kept(item.efficiency),
    grid: kept(item.grid),
    embodied: kept(item.embodied),
  };
}

/** Without points it is not known what cancels out: the ends are those of the two sides at their furthest. */
function differenceOf({ now, earlier }: BothSides): Amount {
  if (isSampled(now) && isSampled(earlier)) return minus(now, earlier);
  const [after, before] = [endsOf(now), endsOf(earlier)];
  return { p5: after.p5 - before.p95, central: now.central - earlier.central, p95: after.p95 - before.p5 };
}

interface ItemEffects {
  id: string;
  side: 'new' | 'gone' | 'both';
  activity: number;
  efficiency: number;
  grid: number;
  embodied: number;
  /** What it emits on the side where it emits more. */
  size: number;
}

/** The effects of each item on the operational emissions, and the difference of the embodied ones. */
export function changedItems(now: Pick<Footprint, 'entries'>, before: Pick<Footprint, 'entries'>): ItemEffects[] {
  const [after, earlier] = [byId(now.entries), byId(before.entries)];
  const ids = [...new Set([...after.keys(), ...earlier.keys()])].sort();
  return ids.map((id) => {
    const [one, other] = [after.get(id), earlier.get(id)];
    const [current, previous] = [one ?? NOTHING, other ?? NOTHING];
    return {
      ...{ id, side: other === undefined ? 'new' : one === undefined ? 'gone' : 'both' },
      ...driverEffects(previous, current),
      embodied: current.embodied - previous.embodied,
      size: Math.max(current.operational + current.embodied, previous.operational + previous.embodied),
    };
  });
}

interface Summed extends Driven {
  embodied: number;
}

const NOTHING: Summed = { activity: 0, energyKwh: 0, operational: 0, embodied: 0 };

function byId(entries: readonly Entry[]): ReadonlyMap<string, Summed> {
  const sums = [...Map.groupBy(entries, ({ id }) => id)].map(([id, same]) => {
    const sum = (part: keyof Summed) => exactSum(same.map((entry) => entry[part]));
    return [
      id,
      { activity: sum('activity'), energyKwh: sum('energyKwh'), operational: sum('operational'), embodied: sum('embodied') },
    ] as const;
  });
  return new Map(sums);
}

export function shareBelow(samples: Float64Array, limit: number): number {
  return roundSignificant(samples.filter((value) => value < limit).length / samples.length);
}
