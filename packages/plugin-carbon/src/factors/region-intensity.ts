import type { CloudProvider } from '@bylaw/core/workload';
import { gridOf } from './grid.js';
import { knownRegions } from './regions.js';

/** The carbon intensity of the electricity grid in which a cloud region lies. */
export interface RegionIntensity {
  provider: CloudProvider;
  region: string;
  /** Zone of Electricity Maps. */
  zone: string;
  /** The year of which the intensity is the mean. */
  year: number;
  /** Life-cycle emissions by location in gCO2e/kWh. */
  gramsPerKwh: number;
}

const PROVIDERS: readonly CloudProvider[] = ['aws', 'azure', 'gcp'];

/**
 * The grid of every known region as carbon estimates use it, sorted by provider and region.
 *
 * @throws Error if the yearly data has no value for the zone of a region.
 */
export function regionIntensities(): RegionIntensity[] {
  return PROVIDERS.flatMap((provider) =>
    knownRegions(provider).map((region) => {
      const grid = gridOf(provider, region);
      const year = grid?.factor.year;
      if (grid === undefined || typeof year !== 'number')
        throw new Error(`The yearly data has no value for the zone of ${provider} ${region}.`);
      return { provider, region, zone: grid.zone, year, gramsPerKwh: grid.factor.value };
    }),
  );
}
