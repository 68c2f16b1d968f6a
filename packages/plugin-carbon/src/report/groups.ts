import { exactSum, roundSignificant } from '@bylaw/core/number';
import { endsOf } from './amount.js';
import type { Footprint } from './footprint.js';
import type { Entry, Grouping, GroupRow, TopItem } from './types.js';

export const DIMENSIONS = ['service', 'region', 'account', 'namespace', 'source', 'provider', 'instance_type', 'kind'] as const;

/** What is grouped by where nobody says: what tells any items apart. */
const DEFAULT_DIMENSIONS = ['service', 'region', 'namespace'] as const;

export function defaultDimensions({ entries }: Footprint): string[] {
  const told = DEFAULT_DIMENSIONS.filter((by) => entries.some((entry) => dimensionOf(entry, by) !== ''));
  return told.length > 0 ? told : ['kind'];
}

/** One table per dimension, the largest group first; each holds all items. */
export function groupingsOf(footprint: Footprint, dimensions: readonly string[]): Grouping[] {
  const total = footprint.totals.kg.central;
  return dimensions.map((by) => {
    const groups = [...Map.groupBy(footprint.entries, (entry) => dimensionOf(entry, by))];
    return { by, rows: groups.map(([name, entries]) => rowOf(name, entries, footprint, total)).sort(bySize) };
  });
}

function rowOf(name: string, entries: readonly Entry[], footprint: Footprint, total: number): GroupRow {
  const kg = footprint.amountOfAll(entries);
  return {
    name,
    items: entries.length,
    kg_co2e: endsOf(kg),
    operational: roundSignificant(exactSum(entries.map(({ operational }) => operational))),
    embodied: roundSignificant(exactSum(entries.map(({ embodied }) => embodied))),
    energy_kwh: roundSignificant(exactSum(entries.map(({ energyKwh }) => energyKwh))),
    share_percent: percentOf(kg.central, total),
  };
}

function bySize(a: GroupRow, b: GroupRow): number {
  return b.kg_co2e.central - a.kg_co2e.central || (a.name < b.name ? -1 : 1);
}

/** Empty where the item does not have one. */
function dimensionOf(entry: Entry, by: string): string {
  switch (by) {
    case 'region':
      return entry.region;
    case 'source':
      return entry.source;
    case 'provider':
      return entry.provider;
    case 'instance_type':
      return entry.instanceType ?? '';
    case 'kind':
      return kindOf(entry);
    default:
      return Object.hasOwn(entry.groups, by) ? (entry.groups[by] ?? '') : '';
  }
}

/** Of a manifest its kind, of a plan the type of the resource, of all others what they are made of. */
function kindOf({ id, source, groups, energy }: Entry): string {
  if (source === 'manifest') return id.split('/')[1] ?? '';
  if (source === 'terraform') return groups['service'] ?? '';
  if (energy.gpu > 0) return 'accelerated machine';
  if (energy.cpu + energy.memory > 0) return 'machine';
  return energy.storage > 0 ? 'storage' : 'transfer';
}

const MOST_ITEMS = 10;

/** Items of several periods are one. */
export function topItems(footprint: Footprint): TopItem[] {
  const total = footprint.totals.kg.central;
  const items = [...Map.groupBy(footprint.entries, ({ id }) => id)].flatMap(([id, entries]) => {
    const [first] = entries;
    return first === undefined ? [] : [{ id, first, entries, kg: exactSum(entries.map((entry) => entry.operational + entry.embodied)) }];
  });
  return items
    .sort((a, b) => b.kg - a.kg || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_ITEMS)
    .map(({ id, first, entries, kg }) => ({
      ...{ id, provider: first.provider, region: first.region, instance_type: first.instanceType },
      kg_co2e: endsOf(footprint.amountOfAll(entries)),
      energy_kwh: roundSignificant(exactSum(entries.map(({ energyKwh }) => energyKwh))),
      share_percent: percentOf(kg, total),
    }));
}

export function percentOf(part: number, total: number): number {
  return total === 0 ? 0 : roundSignificant((100 * part) / total);
}
