import { describe, expect, it } from 'vitest';
import { gridOf } from './grid.js';
import { carbonFreeEnergy } from './market.js';

/** Regions of the lists that others keep: the price lists of Karpenter's providers, and the grid factors of Cloud Carbon Footprint. */
const LISTED = {
  aws: `
    af-south-1, ap-east-1, ap-northeast-1, ap-northeast-2, ap-northeast-3, ap-south-1, ap-southeast-1, ap-southeast-2, ca-central-1,
    cn-north-1, cn-northwest-1, eu-central-1, eu-north-1, eu-south-1, eu-west-1, eu-west-2, eu-west-3, me-south-1, sa-east-1, us-east-1,
    us-east-2, us-gov-east-1, us-gov-west-1, us-west-1, us-west-2`,
  azure: `
    Belgium Central, Central India, Central US, East Asia, East US, East US 2, East US 3, Finland Central, France Central,
    Germany West Central, North Central US, North Europe, South Central US, South India, Southeast Asia, Sweden Central, UK South,
    UK West, West Central US, West Europe, West India, West US, West US 2, West US 3, australiacentral, australiacentral2, australiaeast,
    australiasoutheast, austriaeast, brazilsouth, brazilsoutheast, canadacentral, canadaeast, centralindia, centralus, chilecentral,
    eastasia, eastus, eastus2, francecentral, francesouth, germanynorth, germanywestcentral, indonesiacentral, israelcentral, italynorth,
    japaneast, japanwest, jioindiacentral, jioindiawest, koreacentral, koreasouth, malaysiawest, mexicocentral, newzealandnorth,
    northcentralus, northeurope, norwayeast, norwaywest, polandcentral, qatarcentral, southafricanorth, southafricawest, southcentralus,
    southeastasia, southindia, spaincentral, swedencentral, swedensouth, switzerlandnorth, switzerlandwest, uaecentral, uaenorth, uksouth,
    ukwest, westcentralus, westeurope, westindia, westus, westus2, westus3`,
  gcp: `
    africa-south1, asia-east1, asia-east2, asia-northeast1, asia-northeast2, asia-northeast3, asia-south1, asia-south2, asia-southeast1,
    asia-southeast2, asia-southeast3, australia-southeast1, australia-southeast2, europe-central2, europe-north1, europe-north2,
    europe-southwest1, europe-west1, europe-west10, europe-west12, europe-west2, europe-west3, europe-west4, europe-west6, europe-west8,
    europe-west9, me-central1, me-central2, me-west1, northamerica-northeast1, northamerica-northeast2, northamerica-south1,
    southamerica-east1, southamerica-west1, us-central1, us-east1, us-east4, us-east5, us-south1, us-west1, us-west2, us-west3, us-west4`,
};

/** Mean intensity of the grid of each region in 2025, in g/kWh: GoogleCloudPlatform/region-carbon-info, data/yearly/2025.csv, commit 74d9bf81. */
const OF_GOOGLE = `
  africa-south1 641.42, asia-east1 427.95, asia-east2 488.52, asia-northeast1 449.23, asia-northeast2 298.92, asia-northeast3 359.05,
  asia-south1 598.45, asia-south2 472.55, asia-southeast1 365.66, asia-southeast2 587.8, asia-southeast3 364.68, australia-southeast1 468.34,
  australia-southeast2 415.89, europe-central2 498.57, europe-north1 29.84, europe-north2 19.39, europe-southwest1 95.75, europe-west1 126.43,
  europe-west2 109.39, europe-west3 275.81, europe-west4 194.35, europe-west6 21.2, europe-west8 202.03, europe-west9 15.83,
  europe-west10 275.81, europe-west12 202.03, me-central1 370, me-central2 381.29, me-west1 380.95, northamerica-northeast1 11.36,
  northamerica-northeast2 74.2, northamerica-south1 293.25, southamerica-east1 73.25, southamerica-west1 209.94, us-central1 431.95,
  us-central2 417.39, us-east1 579.44, us-east2 391.2, us-east4 343.48, us-east5 343.48, us-east7 339.89, us-south1 299.13, us-west1 97.85,
  us-west2 149.91, us-west3 567.51, us-west4 360`;

describe('every region', () => {
  it.each(Object.entries(LISTED) as ['aws' | 'azure' | 'gcp', string][])('of %s that others list lies in a grid', (provider, list) => {
    const regions = list.split(',').map((region) => region.trim());
    expect(regions.length).toBeGreaterThan(20);
    expect(regions.filter((region) => gridOf(provider, region) === undefined)).toEqual([]);
  });

  it('whose carbon-free energy Google publishes lies in a grid', () => {
    expect([...carbonFreeEnergy().cfe.keys()].filter((region) => gridOf('gcp', region) === undefined)).toEqual([]);
  });

  // A zone beside the right one is more than twice off. Ours count the whole life of a power plant, so the cleanest grids differ by some grams.
  it('of Google has the intensity that Google publishes, or one near it', () => {
    const far = OF_GOOGLE.split(',').filter((entry) => {
      const [region = '', published] = entry.trim().split(' ');
      const [ours, theirs] = [gridOf('gcp', region)?.factor.value ?? 0, Number(published)];
      return Math.abs(ours - theirs) > 45 && Math.max(ours / theirs, theirs / ours) > 1.65;
    });
    expect(far).toEqual([]);
  });

  it.each([
    ['aws', 'us-west-2', 'US-NW-BPAT'],
    ['aws', 'us-gov-west-1', 'US-NW-BPAT'],
    ['gcp', 'us-west1', 'US-NW-BPAT'],
    ['gcp', 'us-west2', 'US-CAL-CISO'],
  ] as const)('%s %s in the west of the United States lies in %s', (provider, region, zone) => {
    expect(gridOf(provider, region)?.zone).toBe(zone);
  });
});
