import { readFileSync } from 'node:fs';
import { parse as parseCsv } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { regionIntensities } from './region-intensity.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const rows = regionIntensities();

describe('the table of regions (after a change, run node scripts/generate-carbon-regions.ts)', () => {
  it('has the values of the estimates, with the zone and the year of each', () => {
    expect(parseCsv(read('data/carbon-regions.csv'), { columns: true })).toEqual(
      rows.map(({ provider, region, zone, year, gramsPerKwh }) => ({
        provider,
        region,
        zone,
        year: String(year),
        gco2e_per_kwh: String(gramsPerKwh),
      })),
    );
  });

  it('has the same values in the rule pack', () => {
    const table = Object.fromEntries(rows.map(({ region, gramsPerKwh }) => [region, gramsPerKwh]));
    expect(parse(read('rules/pack.yaml'))).toHaveProperty('constants.carbon_regions', table);
  });

  it('covers all three providers from the data of one year, and no two regions share a name', () => {
    expect(new Set(rows.map(({ provider }) => provider))).toEqual(new Set(['aws', 'azure', 'gcp']));
    expect(new Set(rows.map(({ year }) => year))).toEqual(new Set([2025]));
    expect(new Set(rows.map(({ region }) => region)).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(150);
  });
});
