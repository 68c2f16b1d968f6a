import { exactSum, roundSignificant } from '@bylaw/core/number';
import { type Amount, endsOf, sumOf } from './amount.js';
import type { Footprint } from './footprint.js';
import type { Entry, ScopeLine } from './types.js';

/**
 * Where the emissions are in the inventory of who runs this: cloud services are bought, the electricity of an own data centre is used, and its
 * servers are capital goods. Electricity is counted by the mean of the grid, marginal estimates too. Source: GHG Protocol, Corporate Standard; Scope 2 Guidance; Corporate Value Chain (Scope 3) Standard, table 5.4.
 */
export function scopesOf(footprint: Footprint): ScopeLine[] {
  const cloud = footprint.entries.filter(({ provider }) => provider !== 'on-prem');
  const own = footprint.entries.filter(({ provider }) => provider === 'on-prem');
  const lines: ScopeLine[] = [];
  if (cloud.length > 0)
    lines.push({
      ...{ scope: 3, category: 1, name: 'Purchased goods and services: cloud' },
      kg_co2e: cloudOf(footprint, cloud),
      market_based_kg_co2e: own.length === 0 ? marketOf(footprint, exactSum(cloud.map(({ embodied }) => embodied))) : null,
    });
  if (own.length > 0) {
    const parts = footprint.partsOf(own);
    const central = (part: 'locationBased' | 'embodied') => exactSum(own.map((entry) => entry[part]));
    lines.push(
      {
        ...{ scope: 2, category: null, name: 'Purchased electricity: on-premises data centre' },
        kg_co2e: endsOr(parts?.locationBased, central('locationBased')),
        market_based_kg_co2e: cloud.length === 0 ? marketOf(footprint, 0) : null,
      },
      {
        ...{ scope: 3, category: 2, name: 'Capital goods: on-premises servers' },
        kg_co2e: endsOr(parts?.embodied, central('embodied')),
        market_based_kg_co2e: null,
      },
    );
  }
  return lines;
}

function cloudOf(footprint: Footprint, cloud: readonly Entry[]): ScopeLine['kg_co2e'] {
  if (cloud.every(({ operational, locationBased }) => operational === locationBased)) return endsOf(footprint.amountOfAll(cloud));
  const parts = footprint.partsOf(cloud);
  const central = exactSum(cloud.flatMap(({ locationBased, embodied }) => [locationBased, embodied]));
  return endsOr(parts && sumOf([parts.locationBased, parts.embodied]), central);
}

function marketOf({ totals }: Footprint, embodied: number): number | null {
  return totals.marketBased === null ? null : roundSignificant(totals.marketBased.central + embodied);
}

function endsOr(amount: Amount | undefined, central: number): ScopeLine['kg_co2e'] {
  return amount === undefined ? { p5: null, central: roundSignificant(central), p95: null } : endsOf(amount);
}
