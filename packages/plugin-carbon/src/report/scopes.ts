import { exactSum, roundSignificant } from '@bylaw/core/number';
import { type Amount, endsOf } from './amount.js';
import type { Footprint } from './footprint.js';
import type { ScopeLine } from './types.js';

/**
 * Where the emissions stand in the inventory of who runs this: cloud services are bought, the electricity of an own data centre is used, and its
 * servers are capital goods. Source: GHG Protocol, Corporate Standard; Scope 2 Guidance; Corporate Value Chain (Scope 3) Standard, table 5.4.
 */
export function scopesOf(footprint: Footprint): ScopeLine[] {
  const cloud = footprint.entries.filter(({ provider }) => provider !== 'on-prem');
  const own = footprint.entries.filter(({ provider }) => provider === 'on-prem');
  const lines: ScopeLine[] = [];
  if (cloud.length > 0)
    lines.push({
      ...{ scope: 3, category: 1, name: 'Purchased goods and services: cloud' },
      kg_co2e: endsOf(footprint.amountOfAll(cloud)),
      market_based_kg_co2e: own.length === 0 ? marketOf(footprint, exactSum(cloud.map(({ embodied }) => embodied))) : null,
    });
  if (own.length > 0) {
    const parts = footprint.partsOf(own);
    const central = (part: 'operational' | 'embodied') => exactSum(own.map((entry) => entry[part]));
    lines.push(
      {
        ...{ scope: 2, category: null, name: 'Purchased electricity: own data centre' },
        kg_co2e: endsOr(parts?.operational, central('operational')),
        market_based_kg_co2e: cloud.length === 0 ? marketOf(footprint, 0) : null,
      },
      {
        ...{ scope: 3, category: 2, name: 'Capital goods: servers of the own data centre' },
        kg_co2e: endsOr(parts?.embodied, central('embodied')),
        market_based_kg_co2e: null,
      },
    );
  }
  return lines;
}

function marketOf({ totals }: Footprint, embodied: number): number | null {
  return totals.marketBased === null ? null : roundSignificant(totals.marketBased.central + embodied);
}

function endsOr(amount: Amount | undefined, central: number): ScopeLine['kg_co2e'] {
  return amount === undefined ? { p5: null, central: roundSignificant(central), p95: null } : endsOf(amount);
}
