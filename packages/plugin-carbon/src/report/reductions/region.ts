import type { Provider } from '@bylaw/core/workload';
import { gridOf, knownRegions } from '../../factors/index.js';
import type { CarbonItem } from '../../items/index.js';
import { continentOf } from './continents.js';
import type { Proposal, Situation } from './proposal.js';

/** A grid that is cleaner by less than this is not a reason to move. */
const WORTHWHILE = 0.8;

/** All items of a region, moved to the region of the same provider on the same continent whose grid is the cleanest. */
export function regionMoves({ estimations, assumptions }: Situation): Proposal[] {
  if (typeof assumptions.grid_g_per_kwh === 'number') return [];
  const regions = Map.groupBy(
    estimations.map(({ item }) => item),
    ({ provider, region }) => `${provider} ${region}`,
  );
  return [...regions.values()].flatMap((items) => {
    const [first] = items;
    const to = first && cleanestRegion(first.provider, first.region);
    return first && to !== undefined ? [moveOf(items, first, to)] : [];
  });
}

function moveOf(items: readonly CarbonItem[], { region: from }: CarbonItem, to: string): Proposal {
  return {
    kind: 'region',
    title: `Region: ${to} instead of ${from}`,
    ...{ from, to },
    note: 'The cleanest grid of the provider on the same continent. The estimate does not consider data residency, latency, prices, or whether the instance types are available there.',
    replaced: items.map((item) => ({ item, by: [{ ...item, region: to }] })),
  };
}

function cleanestRegion(provider: Provider, region: string): string | undefined {
  const grid = gridOf(provider, region);
  if (provider === 'on-prem' || grid === undefined) return undefined;
  const own = { continent: continentOf(grid.zone), partition: partitionOf(region) };
  const candidates = knownRegions(provider).flatMap((name) => {
    const other = gridOf(provider, name);
    const near = other && continentOf(other.zone) === own.continent && partitionOf(name) === own.partition;
    return near ? [{ name, grams: other.factor.value }] : [];
  });
  const [best] = candidates.sort((a, b) => a.grams - b.grams || (a.name < b.name ? -1 : 1));
  return best && own.continent !== undefined && best.grams < WORTHWHILE * grid.factor.value ? best.name : undefined;
}

/** Regions that accounts of the others cannot use: those of governments, of China, and the sovereign cloud of the European Union. */
function partitionOf(region: string): string {
  return /^(us-gov-|cn-|eusc-)/.exec(region.trim().toLowerCase())?.[1] ?? '';
}
