import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Provider } from '@bylaw/core/workload';
import { averageIntensity } from '@tgwf/co2/data';
import { yearly2025 } from '@tgwf/co2/data/electricity-maps';
import type { Factor } from './factor.js';
import { zoneOfRegion } from './regions.js';

/** What the electricity of a place emits, and how well the place is known. */
export interface Grid {
  /** Zone of Electricity Maps, country of Ember, or `WORLD`: places of one zone are wrong in the same way. */
  zone: string;
  factor: Factor;
}

/** Life-cycle emissions by location, mean of a year. Undefined where nothing says in which grid the region lies. */
export function gridOf(provider: Provider, region: string): Grid | undefined {
  if (provider !== 'on-prem') {
    const zone = zoneOfRegion(provider, region);
    return zone === undefined ? undefined : gridOfZone(zone);
  }
  return gridOfZone(region.trim().toUpperCase());
}

/** The mean of the world, which is right nowhere. */
export function worldGrid(): Grid {
  const value = averageIntensity.data['WORLD'] ?? Number.NaN;
  return { zone: 'WORLD', factor: factor(value, 1 / 2, 2, EMBER, null, 'default') };
}

const ELECTRICITY_MAPS = 'Electricity Maps, annual average by zone, via @tgwf/co2';
const EMBER = 'Ember, annual average by country, via @tgwf/co2';

function gridOfZone(zone: string): Grid | undefined {
  const zones = yearly2025.data ?? {};
  const own = Object.hasOwn(zones, zone) ? zones[zone]?.carbonIntensity.value : undefined;
  if (own !== undefined) {
    // The mean of a country whose regions differ tells less than that of one grid.
    const spread = DIVIDED.has(zone) ? 0.35 : 0.2;
    return { zone, factor: factor(own, 1 - spread, 1 + spread, ELECTRICITY_MAPS, 2025, 'modelled') };
  }
  const countries = averageIntensity.data;
  const country = Object.hasOwn(countries, zone) ? countries[zone] : undefined;
  return country === undefined ? undefined : { zone, factor: factor(country, 0.65, 1.35, EMBER, null, 'modelled') };
}

/** Countries that have zones of their own in the list. */
const DIVIDED: ReadonlySet<string> = new Set(
  Object.keys(yearly2025.data ?? {}).flatMap((zone) => (zone.includes('-') ? [zone.split('-')[0] ?? zone] : [])),
);

function factor(value: number, low: number, high: number, source: string, year: number | null, kind: Factor['class']): Factor {
  return { name: 'grid_g_co2e_per_kwh', value, low: value * low, high: value * high, source, year, class: kind };
}

/** What the package's licences ask to be said wherever its data is shown. */
export const GRID_ATTRIBUTION =
  'Contains data from Electricity Maps (https://www.electricitymaps.com, ODbL 1.0) and Ember (https://ember-energy.org, CC BY-SA 4.0), via CO2.js by the Green Web Foundation.';

export function gridData(): { version: string; sha256: string } {
  known ??= {
    version: packageVersion(),
    sha256: createHash('sha256')
      .update(JSON.stringify([averageIntensity.data, yearly2025.data]))
      .digest('hex'),
  };
  return known;
}

/** The package does not export its package.json, so it is found from the module that it does export. */
function packageVersion(): string {
  const main = pathToFileURL(createRequire(import.meta.url).resolve('@tgwf/co2'));
  return (JSON.parse(readFileSync(new URL('../../package.json', main), 'utf8')) as { version: string }).version; // every package has one
}

let known: { version: string; sha256: string } | undefined;
