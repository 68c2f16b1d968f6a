import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Provider } from '@bylaw/core/workload';
import type { Factor } from './factor.js';
import { type Grid, gridOf } from './grid.js';

/**
 * What the electricity emits that a provider buys for a region: the intensity of its grid in the hours without carbon-free energy. Only Google
 * publishes how many those are; AWS and Azure say that a year's purchases equal a year's use, which tells nothing of a region. Undefined there.
 *
 * I_market = I × (1 − CFE). The hours that are left may emit more or less than the mean of the grid, so the range is from a half to the double.
 * Source: Google Cloud, https://cloud.google.com/sustainability/region-carbon
 */
export function marketFactorOf(provider: Provider, region: string, grid: Grid | undefined = gridOf(provider, region)): Factor | undefined {
  if (provider !== 'gcp' || grid === undefined) return undefined;
  const { SOURCE, cfe } = carbonFreeEnergy();
  const name = region.trim().toLowerCase();
  const share = cfe.get(name) ?? cfe.get(name.replace(/-[a-z]$/, ''));
  if (share === undefined) return undefined;
  const value = grid.factor.value * Math.max(LEAST_LEFT, 1 - share);
  const source = `${SOURCE.title}, with ${grid.factor.source}`;
  return { name: 'market_g_co2e_per_kwh', value, low: value / 2, high: value * 2, source, year: SOURCE.year, class: 'proxy' };
}

/** Shares are published in whole percent: 100 % is at least 99.5 %, and no claim of nothing. */
const LEAST_LEFT = 0.005;

export interface CarbonFreeEnergy {
  SOURCE: { title: string; url: string; year: number; licence: string };
  cfe: ReadonlyMap<string, number>;
  sha256: string;
}

/** `data/google-cfe.json`, read once. */
export function carbonFreeEnergy(): CarbonFreeEnergy {
  known ??= readData();
  return known;
}

let known: CarbonFreeEnergy | undefined;

function readData(): CarbonFreeEnergy {
  const bytes = readFileSync(new URL('../../data/google-cfe.json', import.meta.url));
  const { SOURCE, cfe } = JSON.parse(bytes.toString('utf8')) as { SOURCE: CarbonFreeEnergy['SOURCE']; cfe: { [region: string]: number } }; // our own file
  return { SOURCE, cfe: new Map(Object.entries(cfe)), sha256: createHash('sha256').update(bytes).digest('hex') };
}
