import { exactSum } from '@bylaw/core/number';
import { carbonError } from '../error-table.js';
import { type EstimationResult, type ItemEstimation, type Quantity, type Sums, sumsOf } from '../estimate/index.js';
import { SAMPLES } from '../estimate/points.js';
import type { Unestimated } from '../items/index.js';
import { type Amount, sumOf } from './amount.js';
import type { Entry, Period, SavedEstimate } from './types.js';

/** What was emitted in one period, or in several together: entries with the ranges of any of them. */
export interface Footprint {
  entries: readonly Entry[];
  totals: Totals;
  unestimated: readonly Unestimated[];
  /** Of the entry at an index: operational and embodied. */
  amountOf(entry: Entry): Amount;
  /** Of any entries together: at the points where there are any. */
  amountOfAll(entries: readonly Entry[]): Amount;
  /** Location-based and embodied of some entries apart; undefined where a saved answer does not say their ranges. */
  partsOf(entries: readonly Entry[]): { locationBased: Amount; embodied: Amount } | undefined;
}

export interface Totals {
  kg: Amount;
  operational: Amount;
  embodied: Amount;
  energyKwh: Amount;
  locationBased: Amount;
  marketBased: Amount | null;
}

/** One period, as the engine computed it. */
export function computedFootprint({ current }: Pick<EstimationResult, 'current'>, period: number): Footprint {
  const estimations = new Map<Entry, ItemEstimation>(current.items.map((item) => [entryOf(item, period), item]));
  const sums = (entries: readonly Entry[]): Sums => sumsOf(entries.flatMap((entry) => estimations.get(entry) ?? []));
  const { total, ...others } = sumsOf(current.items);
  return {
    entries: [...estimations.keys()],
    totals: { kg: total, ...others },
    unestimated: current.unestimated,
    amountOf: (entry) => kgOf([estimations.get(entry) ?? []].flat()),
    amountOfAll: (entries) =>
      entries.length === estimations.size ? total : kgOf(entries.flatMap((entry) => estimations.get(entry) ?? [])),
    partsOf: sums,
  };
}

/** Operational and embodied of some items together. */
function kgOf(items: readonly ItemEstimation[]): Quantity {
  const samples = new Float64Array(SAMPLES);
  for (const { operational, embodied } of items.map((item) => item.samples))
    for (let at = 0; at < SAMPLES; at += 1) samples[at] = (samples[at] ?? 0) + (operational[at] ?? 0) + (embodied[at] ?? 0);
  const central = (part: 'operational' | 'embodied') => exactSum(items.map((item) => item[part]));
  return { central: central('operational') + central('embodied'), samples };
}

function entryOf({ item, factors, energy, energyKwh, operational, embodied, locationBased }: ItemEstimation, period: number): Entry {
  const { unit, count, hours, cost } = item;
  const unitHours = count.central * hours.central;
  const quantity = {
    machines: unit.vcpu + unit.memoryGib + unit.gpu > 0,
    unitHours,
    storageGb: (unit.ssdGb + unit.hddGb) * unitHours,
    networkGb: unit.networkGb * count.central,
    money: factors.kwhPerSpend === undefined ? 0 : (cost?.amount ?? 0),
  };
  return {
    ...{ id: item.id, source: item.source, provider: item.provider, region: item.region, instanceType: item.instanceType ?? null },
    ...{ groups: item.groups, period, activity: activityOf(quantity), energy, energyKwh, operational, embodied, locationBased },
    factors: Object.values(factors).flatMap((factor) => factor ?? []),
  };
}

interface Activity {
  machines: boolean;
  unitHours: number;
  storageGb: number;
  networkGb: number;
  /** Of rows of a bill without a physical model. */
  money: number;
}

/** What an item is counted in, so that more of it is activity and not efficiency. */
function activityOf(quantity: Activity): number {
  const { machines, unitHours, storageGb, networkGb, money } = quantity;
  if (machines) return unitHours;
  return [storageGb, networkGb, money].find((amount) => amount > 0) ?? unitHours;
}

/**
 * One period, out of a saved answer: ranges of items are added up where they are grouped, those of the whole are as saved.
 * @param path JSON Pointer of the answer in the request
 * @throws {CarbonError} `estimate-inconsistent`
 */
export function savedFootprint(saved: SavedEstimate, period: number, path: string): Footprint {
  const kg = new Map(saved.items.map((item) => [savedEntry(item, period), item.kg_co2e]));
  const { total } = saved;
  const entries = [...kg.keys()];
  refuseInconsistent(saved, entries, path);
  const amountOf = (entry: Entry): Amount => kg.get(entry) ?? { p5: 0, central: 0, p95: 0 };
  const all = (some: readonly Entry[]) => some.length === entries.length;
  return {
    entries,
    totals: {
      ...{ kg: total.kg_co2e, operational: total.operational, embodied: total.embodied, energyKwh: total.energy_kwh },
      ...{ locationBased: total.location_based, marketBased: total.market_based },
    },
    unestimated: saved.unestimated,
    amountOf,
    amountOfAll: (some) => (all(some) ? total.kg_co2e : sumOf(some.map(amountOf))),
    partsOf: (some) => (all(some) ? { locationBased: total.location_based, embodied: total.embodied } : undefined),
  };
}

function savedEntry(item: SavedEstimate['items'][number], period: number): Entry {
  const { id, source, provider, region, instance_type: instanceType, groups, quantity, energy_kwh: energy, kg_co2e: kg, factors } = item;
  const unitHours = quantity.replicas * quantity.hours;
  const perGb = factors.find(({ name }) => name === 'network_kwh_per_gb')?.value ?? 0;
  const perUnit = energy.spend === undefined ? 0 : (factors.find(({ name }) => name.startsWith('kwh_per_'))?.value ?? 0);
  const activity = activityOf({
    machines: quantity.vcpu + quantity.memory_gb + quantity.gpu > 0,
    unitHours,
    storageGb: quantity.storage_gb * quantity.hours,
    networkGb: perGb > 0 ? energy.network / perGb : 0,
    money: perUnit > 0 ? (energy.spend ?? 0) / perUnit : 0,
  });
  return {
    ...{ id, source, provider, region, instanceType, groups, period, activity, energy, factors },
    ...{ energyKwh: exactSum(Object.values(energy)), operational: kg.operational, embodied: kg.embodied },
    locationBased: kg.operational * locationShare(factors),
  };
}

/** A saved item names the mean of its grid where it was computed with another intensity. */
function locationShare(factors: Entry['factors']): number {
  const named = (name: string) => factors.find((factor) => factor.name === name)?.value;
  const [own, location] = [named('grid_g_co2e_per_kwh'), named('location_grid_g_co2e_per_kwh')];
  return own === undefined || own === 0 || location === undefined ? 1 : location / own;
}

/** Numbers of a saved answer have six digits; what differs by more than rounding was not written by the engine. */
const TOLERANCE = 1e-3;

function refuseInconsistent({ total, items }: SavedEstimate, entries: readonly Entry[], path: string): void {
  const near = (a: number, b: number) => Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b)) + 1e-9;
  const ordered = ({ p5, central, p95 }: { p5: number; central: number; p95: number }) => p5 <= central && central <= p95;
  const sums = {
    operational: near(exactSum(entries.map(({ operational }) => operational)), total.operational.central),
    embodied: near(exactSum(entries.map(({ embodied }) => embodied)), total.embodied.central),
    kg_co2e: near(exactSum(items.map(({ kg_co2e: { central } }) => central)), total.kg_co2e.central),
    energy_kwh: near(exactSum(entries.map(({ energyKwh }) => energyKwh)), total.energy_kwh.central),
  };
  const [wrong] = Object.entries(sums).filter(([, right]) => !right);
  const refuse = (message: string, at: string) => {
    throw carbonError('estimate-inconsistent', message, {
      path: `${path}${at}`,
      hint: 'Create it again with: bylaw carbon estimate … --json',
    });
  };
  if (wrong) refuse('The items of the saved estimate do not add up to its total.', `/total/${wrong[0]}`);
  for (const [index, entry] of entries.entries()) {
    const kg = items[index]?.kg_co2e;
    if (kg && !near(kg.operational + kg.embodied, kg.central))
      refuse('The operational and embodied emissions of an item do not add up to its total.', `/items/${index}/kg_co2e`);
    if (kg && !ordered(kg)) refuse('The values of a range are not in ascending order.', `/items/${index}/kg_co2e`);
    if (entry.operational > 0 && !(entry.energyKwh > 0 && entry.activity > 0))
      refuse('An item has operational emissions but uses no electricity.', `/items/${index}/quantity`);
  }
}

/** Several periods as one. Each has points of the same kind, or none of the sums has. */
export function together(footprints: readonly Footprint[]): Footprint {
  const [only] = footprints;
  if (only !== undefined && footprints.length === 1) return only;
  const owners = new Map(footprints.flatMap((footprint) => footprint.entries.map((entry) => [entry, footprint] as const)));
  const shared = (entries: readonly Entry[]) => [...Map.groupBy(entries, (entry) => owners.get(entry))];
  const total = (part: Exclude<keyof Totals, 'marketBased'>) => sumOf(footprints.map(({ totals }) => totals[part]));
  const market = footprints.flatMap(({ totals }) => totals.marketBased ?? []);
  return {
    entries: [...owners.keys()],
    totals: {
      ...{ kg: total('kg'), operational: total('operational'), embodied: total('embodied'), energyKwh: total('energyKwh') },
      ...{ locationBased: total('locationBased'), marketBased: market.length < footprints.length ? null : sumOf(market) },
    },
    unestimated: footprints.flatMap(({ unestimated }) => unestimated),
    amountOf: (entry) => owners.get(entry)?.amountOf(entry) ?? { p5: 0, central: 0, p95: 0 },
    amountOfAll: (entries) => sumOf(shared(entries).flatMap(([owner, own]) => owner?.amountOfAll(own) ?? [])),
    partsOf: (entries) => partsTogether(shared(entries).map(([owner, own]) => owner?.partsOf(own))),
  };
}

function partsTogether(parts: readonly ReturnType<Footprint['partsOf']>[]): ReturnType<Footprint['partsOf']> {
  const known = parts.flatMap((part) => part ?? []);
  if (known.length < parts.length) return undefined;
  return { locationBased: sumOf(known.map(({ locationBased }) => locationBased)), embodied: sumOf(known.map(({ embodied }) => embodied)) };
}

/** Checked by the schema, but for the calendar. @throws {CarbonError} `period-invalid` */
export function hoursOf({ start, end }: Period, path: string): number {
  const hours = (Date.parse(end) - Date.parse(start)) / 3_600_000;
  if (hours > 0) return hours;
  throw carbonError('period-invalid', 'The start and end of a period must be valid dates, and the end must be after the start.', {
    path,
    hint: 'For example, start 2026-01-01 and end 2026-02-01. The end is exclusive.',
  });
}
