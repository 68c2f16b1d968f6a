import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { regionIntensities } from './region-intensity.js';

const pack: unknown = parse(readFileSync(new URL('../../rules/pack.yaml', import.meta.url), 'utf8'));

describe('the table of regions', () => {
  it('in the rule pack has the values of the estimates (else run node scripts/generate-carbon-regions.ts)', () => {
    const table = Object.fromEntries(
      regionIntensities().map(({ provider, region, zone, year, gramsPerKwh }) => [
        region,
        { provider, zone, year, intensity: gramsPerKwh },
      ]),
    );
    expect(pack).toHaveProperty('constants.carbon_regions', table);
  });

  it('covers all three providers from the data of one year, and no two regions share a name', () => {
    const rows = regionIntensities();
    expect(new Set(rows.map(({ provider }) => provider))).toEqual(new Set(['aws', 'azure', 'gcp']));
    expect(new Set(rows.map(({ year }) => year)).size).toBe(1);
    expect(new Set(rows.map(({ region }) => region)).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(150);
  });
});
